/**
 * The states of a queue item and of its job, who moves them, and what a job comes to. The schema's enum, the statements'
 * conditions, the table's trigger and the badges are made from this or held to it by a test.
 */
export const PROCESSING_STATUSES = ["pending", "processing", "completed", "failed", "cancelled"] as const;
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number];

/** Nothing leaves these by itself. */
export const END_STATES = ["completed", "failed", "cancelled"] as const satisfies ProcessingStatus[];
export const LIVE_STATES = ["pending", "processing"] as const satisfies ProcessingStatus[];

export function isEnded(status: ProcessingStatus): boolean {
  return (END_STATES as readonly ProcessingStatus[]).includes(status);
}

type Move = { from: readonly ProcessingStatus[]; to: ProcessingStatus; by: "run" | "person" | "engine" };

/** Every move of an item. */
export const ITEM_MOVES = {
  /** A run takes it up. */
  claim: { from: ["pending"], to: "processing", by: "run" },
  /** It waits for its next try, for the provider or for the person. */
  putBack: { from: ["processing"], to: "pending", by: "run" },
  complete: { from: ["processing"], to: "completed", by: "run" },
  fail: { from: ["processing"], to: "failed", by: "run" },
  /** Its run ended without it: the engine gave up, or somebody failed it there. */
  giveUp: { from: LIVE_STATES, to: "failed", by: "engine" },
  /** The person cancels its job, deletes its piece, or somebody cancels its run in the engine. */
  cancel: { from: LIVE_STATES, to: "cancelled", by: "person" },
  retry: { from: ["failed"], to: "pending", by: "person" },
} as const satisfies Record<string, Move>;

export type ItemMove = keyof typeof ITEM_MOVES;

/** What a job whose items have all ended comes to: the first line whose conditions all hold. */
export const JOB_ENDS = [
  { status: "cancelled", when: ["cancelRequested", "anyCancelled"] },
  { status: "completed", when: ["anyCompleted"] },
  { status: "failed", when: ["anyFailed"] },
  { status: "cancelled", when: [] },
] as const satisfies { status: ProcessingStatus; when: JobCondition[] }[];

export type JobCondition = "cancelRequested" | "anyCancelled" | "anyCompleted" | "anyFailed";
