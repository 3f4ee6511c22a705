import { AppError } from "@/lib/errors";
import { trimEndMatching } from "@/lib/utils/text";

/** Adds a scheme; drops query and fragment, rejects credentials. */
export function normalizeSiteUrl(typed: string): string {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const bad = new AppError("VALIDATION_ERROR", {
    message: "Enter the address of your site, such as https://blog.example.com.",
    fields: { wordpressUrl: ["Enter the address of your site, such as https://blog.example.com."] },
  });
  if (!URL.canParse(withScheme)) throw bad;
  const url = new URL(withScheme);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname) throw bad;
  return `${url.origin}${trimEndMatching(url.pathname, /\//)}`;
}

/** The last four characters, so that users recognise the stored key; nothing of a short key. */
export function keyHint(key: string): string {
  return key.length >= 12 ? key.slice(-4) : "";
}
