import { AppError } from "@/lib/errors";
import { trimEndMatching } from "@/lib/utils/text";
import { cleanAddress } from "@/lib/wordpress/site-address";

/** Adds a scheme; drops query and fragment. Throws VALIDATION_ERROR, of the field, for what is no address, or has credentials. */
export function normalizeSiteUrl(typed: string, field: "wordpressUrl" | "url" = "wordpressUrl"): string {
  const url = siteAddressOf(typed);
  if (!url) throw new AppError("VALIDATION_ERROR", { message: NO_ADDRESS, fields: { [field]: [NO_ADDRESS] } });
  return `${url.origin}${trimEndMatching(url.pathname, /\//)}`;
}

export const NO_ADDRESS = "Enter the address of your site, such as https://blog.example.com.";

/** The longest name that DNS knows (RFC 1035, 2.3.4). */
const HOST_MAX = 253;

/** An address as users type it; null if it is none, or has credentials. */
export function siteAddressOf(typed: string): URL | null {
  const address = cleanAddress(typed);
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(withScheme)) return null;
  const url = new URL(withScheme);
  const isHost = url.hostname !== "" && url.hostname.length <= HOST_MAX;
  return /^https?:$/.test(url.protocol) && !url.username && !url.password && isHost ? url : null;
}

/** The last four characters, so that users recognise the stored key; nothing of a short key. */
export function keyHint(key: string): string {
  return key.length >= 12 ? key.slice(-4) : "";
}
