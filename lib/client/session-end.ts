import { disableUnloadWarning, hasUnsavedText } from "@/lib/client/leave-guard";
import { loadPage } from "@/lib/client/load-page";
import { saveDrafts } from "@/lib/client/session-drafts";
import { toast } from "@/lib/client/toast";
import { listenerSet } from "@/lib/utils/bounded";

/** The session has ended while there is unsaved text; `isKept`: it is in this browser's storage. */
export type SessionEnd = { isKept: boolean };

let ended: (SessionEnd & { userId: string }) | null = null;
const listeners = listenerSet<() => void>("listeners to the session's end");

/** What the dialog in components/shared/session-ended.tsx shows. */
export const sessionEnd = {
  read: (): SessionEnd | null => ended,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Returns to the page as it is, to save there after signing in again in another tab. */
  close: () => show(null),
};

/** A call was refused because nobody is signed in. `clear` drops the user's data from memory. */
export function endSession(userId: string | undefined, clear: () => void): void {
  const drafts = userId === undefined ? "none" : saveDrafts(userId);
  if (userId !== undefined && (drafts !== "none" || hasUnsavedText())) {
    if (drafts === "saved") disableUnloadWarning();
    show({ userId, isKept: drafts === "saved" });
    return;
  }
  clear();
  if (window.location.pathname !== "/auth") signInAgain();
}

/** Goes to the sign-in page, which leads back here. It loads in full, so that nothing of the ended session stays in memory. */
export function signInAgain(): void {
  const isKept = ended !== null && saveDrafts(ended.userId) === "saved";
  disableUnloadWarning();
  try {
    sessionStorage.setItem(ENDED, isKept ? "kept" : "ended");
  } catch {
    // Without storage the sign-in page does not say why it opened.
  }
  loadPage(signInAddress());
}

export function signInAddress(): string {
  const { pathname, search } = window.location;
  return pathname === "/" ? "/auth" : `/auth?next=${encodeURIComponent(pathname + search)}`;
}

const ENDED = "session-ended";

/** Says on the sign-in page why it opened. */
export function toastSessionEnd(): void {
  try {
    const reason = sessionStorage.getItem(ENDED);
    sessionStorage.removeItem(ENDED);
    if (!reason || window.location.pathname !== "/auth") return;
    const description = reason === "kept" ? TEXT_KEPT : "Please sign in again.";
    toast({ title: "Your session has ended", description, variant: "neutral" });
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

const TEXT_KEPT = "Please sign in again. What you typed is kept in this browser.";

function show(next: typeof ended): void {
  ended = next;
  for (const listener of listeners) listener();
}
