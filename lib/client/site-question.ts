import { ApiError } from "@/lib/client/api";
import { listenerSet } from "@/lib/utils/bounded";

type Answer = "same" | "other";

let open: { question: string; settle: (answer: Answer | null) => void; answered: Promise<Answer | null> } | null = null;
const listeners = listenerSet<() => void>("listeners to the site's question");

/** What the dialog in components/publishing/site-question.tsx asks, and the user's answer; null when they closed it. */
export const siteQuestion = {
  read: (): string | null => open?.question ?? null,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  answer(answer: Answer | null) {
    const asked = open;
    open = null;
    asked?.settle(answer);
    for (const listener of listeners) listener();
  },
};

/**
 * Makes a call to the user's site. If it is uncertain which site that is (SITE_UNCERTAIN), asks the user and makes the call
 * again with the answer; without an answer the call fails with that error.
 */
export async function withSiteAnswer<T>(call: (answer?: { site: Answer }) => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== "SITE_UNCERTAIN") throw error;
    const site = await ask(error.text);
    if (site === null) throw error;
    return call({ site });
  }
}

/** Calls that meet the question while it is open share its answer. */
function ask(question: string): Promise<Answer | null> {
  if (open) return open.answered;
  let settle: (answer: Answer | null) => void = () => undefined;
  const answered = new Promise<Answer | null>((resolve) => {
    settle = resolve;
  });
  open = { question, settle, answered };
  for (const listener of listeners) listener();
  return answered;
}
