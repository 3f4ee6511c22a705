/** Characters of a message. */
export const MESSAGE_MAX = 4_000;

/** What was made, from the one that matters most to the one that matters least. */
export const ACTION_TYPES = ["project", "persona", "topic", "keyword"] as const;

/** What one message may change. */
export const MOST_ACTIONS = 10;

/** Answers of the provider to one message: it may look, act and look again, then it has to speak. */
export const MOST_ROUNDS = 6;

/** A turn ends by itself before the host ends the request, so that what was made can still be told. */
export const TURN_BUDGET_MS = 240_000;

export const GREETING =
  "Hello! I can set up projects, describe your buyer persona, and add topics and keywords. What would you like to plan?";

/** What was asked for and not done. */
export type Refusal = { label: string; error: string };
