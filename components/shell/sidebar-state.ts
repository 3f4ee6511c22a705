import { COOKIES } from "@/lib/utils/cookie-names";

export const SIDEBAR_COOKIE = COOKIES.sidebar;
const WEEK_SECONDS = 604_800;

/** `auto` until the user chooses: open on wide windows, a rail on narrower ones. */
export type SidebarState = "open" | "collapsed" | "auto";

export function sidebarStateOf(cookie: string | undefined): SidebarState {
  return cookie === "open" || cookie === "collapsed" ? cookie : "auto";
}

/** Keeps the state in a cookie for seven days, so that the server renders the sidebar as it was left. */
export function rememberSidebar(state: Exclude<SidebarState, "auto">): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
  document.cookie = `${SIDEBAR_COOKIE}=${state}; path=/; max-age=${WEEK_SECONDS}; samesite=lax`;
}
