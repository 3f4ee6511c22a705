import { keepTexts } from "@/lib/client/kept-text";
import { isSomethingUnsaved, stopAsking } from "@/lib/client/leaving";
import { loadPage } from "@/lib/client/load-page";
import { toast } from "@/lib/client/toast";

/** The session is over while there is unsaved text; `isKept`: this browser has it in its storage. */
export type SessionEnd = { isKept: boolean };

let ended: (SessionEnd & { userId: string }) | null = null;
const listeners = new Set<() => void>();

/** What the dialog in components/shared/session-ended.tsx shows. */
export const sessionEnd = {
  read: (): SessionEnd | null => ended,
  subscribe(react: () => void) {
    listeners.add(react);
    return () => listeners.delete(react);
  },
  /** Back to the page as it is: to save there once one is signed in again. */
  close: () => show(null),
};

/** A call was refused because nobody is signed in. `clear` drops what is in memory of the person. */
export function endSession(userId: string | undefined, clear: () => void): void {
  const kept = userId === undefined ? "nothing" : keepTexts(userId);
  if (userId !== undefined && (kept !== "nothing" || isSomethingUnsaved())) {
    if (kept === "kept") stopAsking();
    show({ userId, isKept: kept === "kept" });
    return;
  }
  clear();
  if (window.location.pathname !== "/auth") signInAgain();
}

/** To the sign-in page, and from there back here. A full load: nothing of the ended session stays in memory. */
export function signInAgain(): void {
  const isKept = ended !== null && keepTexts(ended.userId) === "kept";
  stopAsking();
  try {
    sessionStorage.setItem(ENDED, isKept ? "kept" : "ended");
  } catch {
    // The page is reached without the sentence.
  }
  loadPage(signInAddress());
}

export function signInAddress(): string {
  const { pathname, search } = window.location;
  return pathname === "/" ? "/auth" : `/auth?next=${encodeURIComponent(pathname + search)}`;
}

const ENDED = "session-ended";

/** On the sign-in page, why one has come there. */
export function tellSessionEnd(): void {
  try {
    const how = sessionStorage.getItem(ENDED);
    sessionStorage.removeItem(ENDED);
    if (how && window.location.pathname === "/auth") toast(how === "kept" ? { ...TOLD, description: KEPT } : TOLD);
  } catch {
    // Nothing is known of it.
  }
}

const TOLD = { title: "Your session has ended", description: "Please sign in again." };
const KEPT = "Please sign in again. What you typed is kept in this browser.";

function show(next: typeof ended): void {
  ended = next;
  for (const listener of listeners) listener();
}
