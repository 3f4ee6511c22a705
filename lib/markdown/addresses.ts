/** What a post may link to, besides places within its site. */
export const LINK_PROTOCOLS = ["http", "https", "mailto", "tel"];
export const PICTURE_PROTOCOLS = ["http", "https"];

export function isLinkAddress(url: string): boolean {
  return isOf(url, LINK_PROTOCOLS);
}

export function isPictureAddress(url: string): boolean {
  return isOf(url, PICTURE_PROTOCOLS);
}

function isOf(url: string, protocols: readonly string[]): boolean {
  const protocol = /^([^/?#:]*):/.exec(url)?.[1];
  return protocol === undefined || protocols.includes(protocol.toLowerCase());
}
