import "server-only";
import { isMailEnabled } from "@/lib/email/mailer";

export function canMailResets(): boolean {
  return isMailEnabled;
}
