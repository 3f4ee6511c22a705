import { AppError } from "@/lib/errors";
import { withoutEnd } from "@/lib/utils/text";

/** Long enough for a sentence, short enough that hashing stays cheap. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** What is said at the fields that prove a change of the account. */
export const CONFIRM_DELETION = "Type your username exactly as it is written to delete the account.";
export const NEEDS_PASSWORD = "Enter your current password.";

/** A site's address as it is kept: with a scheme, without credentials, query and fragment. */
export function normalizeSiteUrl(typed: string): string {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const bad = new AppError("VALIDATION_ERROR", {
    message: "Enter the address of your site, such as https://blog.example.com.",
    fields: { wordpressUrl: ["Enter the address of your site, such as https://blog.example.com."] },
  });
  if (!URL.canParse(withScheme)) throw bad;
  const url = new URL(withScheme);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname) throw bad;
  return `${url.origin}${withoutEnd(url.pathname, /\//)}`;
}

/** The last four characters, shown so that a person knows which key is stored; a short key shows nothing. */
export function keyHint(key: string): string {
  return key.length >= 12 ? key.slice(-4) : "";
}
