/**
 * How this tab's screens were left, by path and user: open folds, the place on the page, the selection. The back button, a
 * reload and links that lead back find a screen as it was; every other way to it starts afresh. Only ids and numbers are kept.
 */

/** "tab": a reload keeps it too. */
export type Lifetime = "tab" | "page";

const PREFIX = "screen:";
/** All that this page has kept, because storage may be blocked. */
const values = new Map<string, string>();
const listeners = new Set<() => void>();

export function screenKey(path: string, userId: string | undefined, name: string): string {
  return `${PREFIX}${path}:${userId ?? ""}:${name}`;
}

export function readScreen(key: string): string | null {
  return values.get(key) ?? inStorage((storage) => storage.getItem(key)) ?? null;
}

export function writeScreen(key: string, value: string, lifetime: Lifetime = "tab"): void {
  values.set(key, value);
  if (lifetime === "tab") inStorage((storage) => storage.setItem(key, value));
  for (const listener of listeners) listener();
}

/** Calls back when a screen changes or is forgotten. */
export function watchScreens(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets the screen at this path; without a path all of them, as at sign-out. */
export function forgetScreens(path?: string): void {
  const start = path === undefined ? PREFIX : `${PREFIX}${path}:`;
  for (const key of values.keys()) if (key.startsWith(start)) values.delete(key);
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(start)) storage.removeItem(key);
  });
  for (const listener of listeners) listener();
}

/** A link with this attribute leads back, as the breadcrumb's do. */
export const LEADS_BACK = { "data-leads-back": true } as const;

let leadsBack = false;

/** Notes at each click whether it leads back. It needs the capture phase: a guard of unsaved text may take the click over. */
export function noteClick({ target }: Event): void {
  leadsBack = target instanceof Element && target.closest("a[data-leads-back]") !== null;
}

/** The router starts to load a page. */
export function noteNavigation(url: string, kind: "push" | "replace" | "traverse"): void {
  if (kind !== "traverse" && !leadsBack) forgetScreens(new URL(url, window.location.href).pathname);
  leadsBack = false;
}

/** The browser has loaded a page as a whole. */
export function notePageLoad(): void {
  const [entry] = performance.getEntriesByType("navigation");
  if ((entry as PerformanceNavigationTiming | undefined)?.type === "navigate") forgetScreens(window.location.pathname);
}

function inStorage<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage);
  } catch {
    // Storage is full or blocked, or this is the server: the page keeps it until it is left.
    return undefined;
  }
}
