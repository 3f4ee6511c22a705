import { forgetTab, tabKey } from "@/lib/client/tab-storage";

/**
 * How this tab's screens were left, by path and user: open folds, the place on the page, the selection. The back button, a
 * reload and links that lead back find a screen as it was; every other way to it starts afresh. Only ids and numbers are kept.
 */
export function screenKey(path: string, userId: string | undefined, name: string): string {
  return tabKey(userId, `${screen(path)}${name}`);
}

const screen = (path: string) => `screen:${path}:`;

function forgetScreen(path: string): void {
  forgetTab((key) => key.includes(`:${screen(path)}`));
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
  if (kind !== "traverse" && !leadsBack) forgetScreen(new URL(url, window.location.href).pathname);
  leadsBack = false;
}

/** The browser has loaded a page as a whole. */
export function notePageLoad(): void {
  const [entry] = performance.getEntriesByType("navigation");
  if ((entry as PerformanceNavigationTiming | undefined)?.type === "navigate") forgetScreen(window.location.pathname);
}
