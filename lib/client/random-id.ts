/** Returns 32 hexadecimal digits. It does not use crypto.randomUUID: browsers have it on https only. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
