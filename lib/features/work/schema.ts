import { z } from "zod";
import { PROCESSING_STATUSES } from "@/lib/features/work/states";
import { bodyIntId, isoDate, pageQuery, text } from "@/lib/utils/zod";

export const processingStatus = z.enum(PROCESSING_STATUSES);
export const jobType = z.enum(["outline_generation", "content_generation"]);
const anyJobType = z.enum([...jobType.options, "publishing"]);

export const jobOut = z
  .object({
    id: z.uuid(),
    userId: z.uuid(),
    projectId: z.number().int(),
    topicId: z.number().int(),
    topicName: z.string(),
    jobType,
    status: processingStatus,
    totalItems: z.number().int(),
    completedItems: z.number().int(),
    failedItems: z.number().int(),
    cancelledItems: z.number().int(),
    cancelRequestedAt: isoDate.nullable(),
    startedAt: isoDate.nullable(),
    completedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "Job" });

/** What an item waits for that is not at work: the user, who has to act or has paused the queue, the provider, or its next try. */
const waits = z.object({ for: z.enum(["user", "pause", "provider", "retry"]), until: isoDate.nullable() });

export const queueItemOut = z
  .object({
    id: z.uuid(),
    jobId: z.uuid(),
    userId: z.uuid(),
    topicId: z.number().int(),
    contentPieceId: z.uuid(),
    /** The piece's title; null once it is deleted. */
    title: z.string().nullable(),
    topicName: z.string(),
    status: processingStatus,
    retryCount: z.number().int(),
    maxRetries: z.number().int(),
    error: z.string().nullable(),
    note: z.string().nullable(),
    waits: waits.nullable(),
    /** The section that is being written, from 1, and how many there are; null where that is not known. */
    section: z.object({ number: z.number().int(), of: z.number().int() }).nullable(),
    tokens: z.number().int(),
    /** The engine's run that worked on it last. */
    runId: z.string().nullable(),
    startedAt: isoDate.nullable(),
    completedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "QueueItem" });

/** Why pieces need the user, and how many: each reason is there once. */
export const needOut = z.object({
  /** Held and paused ones go on once the user acts; failed ones can be tried again, or dismissed. */
  kind: z.enum(["held", "paused", "failed"]),
  items: z.number().int(),
  /** Of the failed ones; null if some are outlines and some are texts. */
  jobType: anyJobType.nullable(),
  /** What went wrong: empty if nobody knows, null for a pause. */
  reason: z.string().nullable(),
  /** Whose pieces could not be published. */
  project: z.object({ id: z.number().int(), title: z.string() }).nullable(),
});

/** `finished` counts completed and failed ones. */
const total = z.object({ live: z.number().int(), finished: z.number().int(), cancelled: z.number().int() });

/** The caller's own queues: live rows, the newest finished and the newest cancelled ones, and the totals. */
export const queueStatusOut = z.object({
  jobs: z.array(jobOut),
  outlineQueue: z.array(queueItemOut),
  contentQueue: z.array(queueItemOut),
  /** The database's time, which `completedAt` and the like are in. */
  now: isoDate,
  /** When the job engine went away; waiting items start when it is back. */
  engineAwaySince: isoDate.nullable(),
  /** When the user paused the queues. */
  pausedAt: isoDate.nullable(),
  needs: needOut.array(),
  /** How many seconds an item takes of a queue's time, by its latest ones; null before enough of them have ended. */
  pace: z.object({ outlineQueue: z.number().nullable(), contentQueue: z.number().nullable() }),
  /** Where the operator's job engine shows a run, with {runId} in the place of its id. */
  runAddress: z.string().nullable(),
  total: z.object({ jobs: total, outlineQueue: total, contentQueue: total }),
  counts: z.object({
    outlinePending: z.number().int(),
    outlineCompleted: z.number().int(),
    contentPending: z.number().int(),
    contentCompleted: z.number().int(),
  }),
});

/** What has changed since a time: jobs and items that have, and the rest as it is now. `whole`: it is the whole status. */
export const queueChangesOut = queueStatusOut.extend({ whole: z.boolean() });
export const queueChangesQuery = z.object({ since: z.iso.datetime({ offset: true }).optional() });

export const queuedOut = z.object({ message: z.string(), jobId: z.uuid() });
export const resumeOut = z.object({ message: z.string(), resumed: z.number().int() });
export const pauseOut = z.object({ pausedAt: isoDate });

/** Which failures are meant: those of both queues, or of one type and reason, as `needs` has them. */
export const retryFailedInput = z.object({
  reason: text(2_000).optional(),
  jobType: jobType.optional(),
});
export const dismissFailedInput = retryFailedInput.extend({
  jobType: anyJobType.optional(),
  projectId: bodyIntId().optional(),
});
export const retriedOut = z.object({ message: z.string(), retried: z.number().int() });
export const dismissedOut = z.object({ dismissed: z.number().int() });

/** Which rows of a queue are listed: those that live (oldest first) or those that have ended so (latest first). */
export const queueGroup = z.enum(["live", "finished", "cancelled", ...PROCESSING_STATUSES]);
export const queueItemsQuery = z.object({
  kind: jobType.optional(),
  jobId: z.uuid().optional(),
  status: queueGroup.default("live"),
  ...pageQuery,
});

export type JobType = z.infer<typeof jobType>;
/** Types of jobs with one run each; those of JobType have one an item. */
export type ChunkType = "publishing";
export type JobOut = z.infer<typeof jobOut>;
export type QueueItemOut = z.infer<typeof queueItemOut>;
export type QueueStatus = z.infer<typeof queueStatusOut>;
export type QueueChanges = z.infer<typeof queueChangesOut>;
export type Need = z.infer<typeof needOut>;
export type QueueGroup = z.infer<typeof queueGroup>;
export type Queued = z.infer<typeof queuedOut>;

/** The section of a text that a call writes, from 1, and how many its outline has. */
export type SectionNote = { number: number; of: number; heading: string; outlineHash: string };

/** A run of the engine; `sends` tells which of the item's events started it. */
export type ItemRun = { itemId: string; sends: number; runId: string };
export type RunWait = { next: "wait"; waitSeconds: number };
/** `taken`: another run is at work on the item. A job's run may end as failed; an item's throws its failure. */
export type RunEnd = { next: "end"; as: "completed" | "failed" | "cancelled" | "held" | "taken" };
/** What a run does after a look at its work: another call, a wait, or its end. `name` is the next call's. */
export type RunOutcome = { next: "more"; name?: string } | RunWait | RunEnd;

export type ClaimedItem = {
  id: string;
  jobId: string;
  userId: string;
  contentPieceId: string;
  /** The version of the text that its first paid answer was made from; null before that, and fixed after. */
  baseTextVersion: number | null;
  retryCount: number;
  /** The claim's fencing token. */
  token: string;
  /** The database's time. */
  begunAt: string;
  /** The provider limits the user, and this call finds out whether it still does. */
  isTaker: boolean;
  /** When the event that this run answers was sent as a probe, if it was. */
  probedAt: string | null;
};
