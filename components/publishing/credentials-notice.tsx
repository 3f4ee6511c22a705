import Link from "next/link";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import type { UserOut } from "@/lib/features/account/schema";

/** True if the user has entered all three credentials of the default site. */
export function hasCredentials(user: UserOut | null): boolean {
  return Boolean(user?.wordpressUrl && user.wordpressUsername && user.hasWordpressPassword);
}

/** Replaces the publishing screens while a credential is missing. `site`: which of several sites lacks it. */
export function CredentialsNotice({ site }: { site?: string | undefined }) {
  return (
    <Notice
      title="WordPress Credentials Required"
      action={
        <Button asChild size="sm">
          <Link href="/settings">Go to Settings</Link>
        </Button>
      }
    >
      {site ? (
        <>
          <bdi>{site}</bdi> is not connected. To publish there, enter its address, your user name and an application
          password in the settings, or move the project to another site.
        </>
      ) : (
        "To publish, enter the address of your WordPress site, your user name and an application password in the settings."
      )}
    </Notice>
  );
}
