import Link from "next/link";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import type { UserOut } from "@/lib/features/account/schema";

/** True if the user has entered all three credentials. */
export function hasCredentials(user: UserOut | null): boolean {
  return Boolean(user?.wordpressUrl && user.wordpressUsername && user.hasWordpressPassword);
}

/** Replaces the publishing screens while a credential is missing. */
export function CredentialsNotice() {
  return (
    <Notice
      title="WordPress Credentials Required"
      action={
        <Button asChild size="sm">
          <Link href="/settings">Go to Settings</Link>
        </Button>
      }
    >
      To publish, enter the address of your WordPress site, your user name and an application password in the settings.
    </Notice>
  );
}
