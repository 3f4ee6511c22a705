import { encodeBrackets } from "@/lib/utils/web-address";

/** The address of an image that the page may load, or null: its policy allows HTTPS only. */
export function shownImage(address: string): string | null {
  return hasScheme(address, ["https:"]);
}

/** The address of a link that may be opened, or null. */
export function openableLink(address: string): string | null {
  return hasScheme(address, ["https:", "http:", "mailto:"]);
}

/** The address of a page of the web for use in `(…)`, or null. */
export function citableAddress(address: string): string | null {
  const bare = address.trim();
  return /^https?:\/\//i.test(bare) && hasScheme(bare, ["https:", "http:"]) ? encodeBrackets(bare) : null;
}

function hasScheme(address: string, schemes: string[]): string | null {
  const bare = address.replace(/^<|>$/g, "");
  if (!URL.canParse(bare)) return null;
  const url = new URL(bare);
  return schemes.includes(url.protocol) ? url.href : null;
}
