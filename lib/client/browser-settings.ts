/** Small choices of a user that this browser keeps. Where storage is blocked there are none. */

const CHANGED = "browser-setting";

export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Saves a setting; null removes it. */
export function saveSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // It holds until the page is left.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Calls back when a setting changes, in another tab too. */
export function watchSettings(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(CHANGED, listener);
  };
}
