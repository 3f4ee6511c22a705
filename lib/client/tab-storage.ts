import { boundedCache, listenerSet } from "@/lib/utils/bounded";

/** What this tab remembers of a user. Signing out erases it. */

/** "tab": over a reload too; "page": until the page is left. */
export type Lifetime = "tab" | "page";

const PREFIX = "tab:";
/** All that this page has kept, because storage may be blocked. */
const values = boundedCache<string, string>(
  "values of this page",
  10_000,
  "The oldest is then in the tab's storage alone.",
);
const listeners = listenerSet<() => void>("listeners to the tab's storage");

export function tabKey(userId: string | undefined, name: string): string {
  return `${PREFIX}${userId ?? ""}:${name}`;
}

/** The caller checks the shape: anybody may have written to the browser's storage. */
export function readTab(key: string): string | null {
  return values.get(key) ?? inStorage((storage) => storage.getItem(key)) ?? null;
}

export function writeTab(key: string, value: string, lifetime: Lifetime = "tab"): void {
  values.set(key, value);
  if (lifetime === "tab") inStorage((storage) => storage.setItem(key, value));
  for (const listener of listeners) listener();
}

/** Calls back when something is written or forgotten. */
export function watchTab(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets these keys; without a condition everything, as at sign-out. */
export function forgetTab(isForgotten: (key: string) => boolean = () => true): void {
  for (const key of values.keys()) if (isForgotten(key)) values.delete(key);
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX) && isForgotten(key)) storage.removeItem(key);
  });
  for (const listener of listeners) listener();
}

function inStorage<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage);
  } catch {
    // Storage is full or blocked, or this is the server: the page keeps it until it is left.
    return undefined;
  }
}
