/** The last four characters, so that users recognise the stored key; nothing of a short key. */
export function keyHint(key: string): string {
  return key.length >= 12 ? key.slice(-4) : "";
}
