import Link from "next/link";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { UserOut } from "@/lib/features/account/schema";

/** Has the person entered all that publishing needs? */
export function hasCredentials(user: UserOut | null): boolean {
  return Boolean(user?.wordpressUrl && user.wordpressUsername && user.hasWordpressPassword);
}

/** Shown in place of the publishing screens while one of the three credentials is missing. */
export function CredentialsNotice() {
  return (
    <Alert
      title="WordPress Credentials Required"
      action={
        <Button asChild size="sm">
          <Link href="/settings">Go to Settings</Link>
        </Button>
      }
    >
      To publish, enter the address of your WordPress site, your user name and an application password in the settings.
    </Alert>
  );
}
