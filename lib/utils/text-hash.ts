/**
 * A hash of 53 bits and the length, to tell versions of one text apart; not for secrets. It returns at once, where
 * crypto.subtle would make the caller wait. The function is cyrb53, with a seed of 0:
 * https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js.
 */
export function textHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const hash = 4294967296 * (2097151 & low) + (high >>> 0);
  return `${text.length}.${hash.toString(36)}`;
}
