/** What this tab remembers of a user over a reload. A sign-out erases it, and so does another user in the same tab. */
const PREFIX = "tab:";

/** Writes a JSON value of at most `maxBytes`; an older one stays away if this one is too large or there is no room. */
export function writeTab(userId: string, name: string, value: unknown, maxBytes: number): void {
  const key = `${PREFIX}${userId}:${name}`;
  try {
    sessionStorage.removeItem(key);
    const json = JSON.stringify(value);
    if (bytesOf(json) <= maxBytes) sessionStorage.setItem(key, json);
  } catch {
    // Storage is full or blocked: the tab forgets, and works on.
  }
}

/** The value, null if there is none. The caller checks its shape. */
export function readTab(userId: string, name: string): unknown {
  try {
    const own = `${PREFIX}${userId}:`;
    removeKeys((key) => key.startsWith(PREFIX) && !key.startsWith(own));
    return JSON.parse(sessionStorage.getItem(`${own}${name}`) ?? "null");
  } catch {
    return null;
  }
}

export function clearTab(): void {
  try {
    removeKeys((key) => key.startsWith(PREFIX));
  } catch {
    // Storage is blocked: it holds nothing.
  }
}

function removeKeys(isUnwanted: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage).filter(isUnwanted)) sessionStorage.removeItem(key);
}

/** Bytes as UTF-8. */
export function bytesOf(text: string): number {
  return new Blob([text]).size;
}
