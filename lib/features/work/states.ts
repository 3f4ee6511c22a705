/**
 * The states of queue items and jobs, who changes them, and how a job ends. The schema's enum, SQL conditions, the table's
 * trigger and the badges derive from this or are checked against it by a test.
 */
export const PROCESSING_STATUSES = ["pending", "processing", "completed", "failed", "cancelled"] as const;
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number];

/** The badges of items and jobs. */
export const PROCESSING_BADGES = {
  pending: { label: "Pending", look: "queued" },
  processing: { label: "Processing", look: "running" },
  completed: { label: "Completed", look: "done" },
  failed: { label: "Failed", look: "failed" },
  cancelled: { label: "Cancelled", look: "cancelled" },
} as const satisfies Record<ProcessingStatus, { label: string; look: string }>;

/** Only a user's retry leaves these. */
export const END_STATES = ["completed", "failed", "cancelled"] as const satisfies ProcessingStatus[];
export const LIVE_STATES = ["pending", "processing"] as const satisfies ProcessingStatus[];

export function isEnded(status: ProcessingStatus): boolean {
  return (END_STATES as readonly ProcessingStatus[]).includes(status);
}

type Move = { from: readonly ProcessingStatus[]; to: ProcessingStatus; by: "run" | "user" | "engine" };

/** Every move of an item. */
export const ITEM_MOVES = {
  claim: { from: ["pending"], to: "processing", by: "run" },
  /** It waits for its next attempt, for the provider or for the user. */
  requeue: { from: ["processing"], to: "pending", by: "run" },
  complete: { from: ["processing"], to: "completed", by: "run" },
  fail: { from: ["processing"], to: "failed", by: "run" },
  /** Its run failed in the engine. */
  giveUp: { from: LIVE_STATES, to: "failed", by: "engine" },
  /** Its job was cancelled, its piece deleted, or its run cancelled in the engine. */
  cancel: { from: LIVE_STATES, to: "cancelled", by: "user" },
  retry: { from: ["failed"], to: "pending", by: "user" },
} as const satisfies Record<string, Move>;

export type ItemMove = keyof typeof ITEM_MOVES;

type Ended = { status: ProcessingStatus; failedItems: number; totalItems: number };

/** How every screen tells the failures of a job. */
export function failuresOf({ failedItems, totalItems }: Omit<Ended, "status">): string {
  return `${failedItems.toLocaleString("en-US")} of ${totalItems.toLocaleString("en-US")} failed`;
}

/** A job's badge. Once it has ended, its failures follow the status; all items of a failed job have failed. */
export function jobBadge(job: Ended): { label: string; look: (typeof PROCESSING_BADGES)[ProcessingStatus]["look"] } {
  const badge = PROCESSING_BADGES[job.status];
  if (job.failedItems === 0 || job.status === "failed" || !isEnded(job.status)) return badge;
  return { label: `${badge.label}, ${failuresOf(job)}`, look: PROCESSING_BADGES.failed.look };
}

/** How a job ends once all its items have: the first line whose conditions all hold. */
export const JOB_ENDS = [
  { status: "cancelled", when: ["cancelRequested", "anyCancelled"] },
  { status: "completed", when: ["anyCompleted"] },
  { status: "failed", when: ["anyFailed"] },
  { status: "cancelled", when: [] },
] as const satisfies { status: ProcessingStatus; when: JobCondition[] }[];

export type JobCondition = "cancelRequested" | "anyCancelled" | "anyCompleted" | "anyFailed";
