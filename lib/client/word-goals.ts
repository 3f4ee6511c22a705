/** How many words a piece should have, as the person has set it in this browser. */

const PREFIX = "word-goal:";
export const WORD_GOAL_MAX = 100_000;
const CHANGED = "word-goal";

export function readWordGoal(pieceId: string): number | null {
  try {
    const goal = Number(localStorage.getItem(PREFIX + pieceId));
    return Number.isInteger(goal) && goal > 0 && goal <= WORD_GOAL_MAX ? goal : null;
  } catch {
    // Storage is blocked.
    return null;
  }
}

/** Null removes it. */
export function saveWordGoal(pieceId: string, goal: number | null): void {
  try {
    if (goal === null) localStorage.removeItem(PREFIX + pieceId);
    else localStorage.setItem(PREFIX + pieceId, String(goal));
  } catch {
    // Without storage there is no goal.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Calls back when a goal changes, in another tab too. */
export function watchWordGoals(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(CHANGED, listener);
  };
}
