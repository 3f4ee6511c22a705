/** What a post may link to, besides places within its site. */
export const LINK_PROTOCOLS = ["http", "https", "mailto", "tel"];

export function isLinkAddress(url: string): boolean {
  const protocol = /^([^/?#:]*):/.exec(url)?.[1];
  return protocol === undefined || LINK_PROTOCOLS.includes(protocol.toLowerCase());
}
