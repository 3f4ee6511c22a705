import "server-only";
import { isMailEnabled } from "@/lib/email/mailer";

/** For the sign-in page. */
export function canMailResets(): boolean {
  return isMailEnabled;
}
