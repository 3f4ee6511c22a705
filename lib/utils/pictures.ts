/** A picture of the writer's own disk, which no reader can load. Takes an address without escapes. */
export function isLocalPicture(address: string): boolean {
  return !/^\s*(?:https?:|\/)/i.test(address);
}

/** An alternative text without Obsidian's size, as in `Chart|300` or `Chart|300x200`. */
export function withoutSize(alternative: string): string {
  return alternative.replace(/\|\d{1,5}(?:x\d{1,5})?$/, "");
}
