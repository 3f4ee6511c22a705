/** The address of an image that the page may load, or null: its policy allows HTTPS only. */
export function shownImage(address: string): string | null {
  return hasScheme(address, ["https:"]);
}

/** The address of a link that may be opened, or null. */
export function openableLink(address: string): string | null {
  return hasScheme(address, ["https:", "http:", "mailto:"]);
}

/** The address for use in `(…)`, where its own brackets and spaces would end it. */
export function encodeBrackets(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replace(/\s/g, "%20");
}

function hasScheme(address: string, schemes: string[]): string | null {
  const bare = address.replace(/^<|>$/g, "");
  if (!URL.canParse(bare)) return null;
  const url = new URL(bare);
  return schemes.includes(url.protocol) ? url.href : null;
}
