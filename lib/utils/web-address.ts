/** What a post may link to, besides places within its site. */
export const LINK_PROTOCOLS = ["http", "https", "mailto", "tel"];

/** True for these protocols and for an address without one. */
export function isLinkAddress(url: string): boolean {
  const protocol = /^([^/?#:]*):/.exec(url)?.[1];
  return protocol === undefined || LINK_PROTOCOLS.includes(protocol.toLowerCase());
}

/** The address with its scheme in lower case: phones capitalise it, and the sanitiser knows no other. */
export function withLowerScheme(url: string): string {
  return url.replace(/^\w+:/, (scheme) => scheme.toLowerCase());
}

/** The address for use in `(…)`, without what would end it or, as in code, in a tag or in a table's row, be read first. */
export function encodeBrackets(address: string): string {
  return address.replace(/[()\\`<>|]/g, percent).replace(/\s/g, "%20");
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
