import type { ErrorType } from "@/lib/errors";

/** The state of a form that was posted without JavaScript. */
export type FormState = {
  /** What was typed, by field; never a secret. */
  typed: Record<string, string>;
  /** It succeeded, for a form that stays in place. */
  done: boolean;
  failure: { error: string; type: ErrorType; fields?: Record<string, string[]> } | null;
};

export const INITIAL_FORM_STATE: FormState = { typed: {}, done: false, failure: null };

/** What sign-in forms restore; never a password. */
export type TypedNames = { username?: string; email?: string };
