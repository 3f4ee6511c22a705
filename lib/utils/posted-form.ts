import type { ErrorType } from "@/lib/errors";

/** What a form is drawn anew with after the browser has posted it without a script. */
export type PostedForm = {
  /** What was typed, by field; never a secret. */
  typed: Record<string, string>;
  /** It was done, by a form that stays where it is. */
  done: boolean;
  failure: { error: string; type: ErrorType; fields?: Record<string, string[]> } | null;
};

export const NOT_POSTED: PostedForm = { typed: {}, done: false, failure: null };

/** What was typed into a form of signing in and comes back into it; never a password. */
export type TypedNames = { username?: string; email?: string };
