export const MESSAGE_MAX = 4_000;

/** Most important first: an answer is labelled with its most important action. */
export const ACTION_TYPES = ["project", "persona", "topic", "keyword"] as const;

/** Changes one message may make. */
export const MAX_ACTIONS = 10;

/** Provider calls per message; the last one should answer in words. */
export const MAX_ROUNDS = 6;

export const GREETING =
  "Hello! I can set up projects, describe your buyer persona, and add topics and keywords. What would you like to plan?";

/** A request of the provider that was not carried out. */
export type Refusal = { label: string; error: string };
