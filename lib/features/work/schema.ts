import { z } from "zod";
import { PROCESSING_STATUSES } from "@/lib/features/work/states";
import { isoDate } from "@/lib/utils/zod";

export const processingStatus = z.enum(PROCESSING_STATUSES);
export const jobType = z.enum(["outline_generation", "content_generation"]);

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

export const queueItemOut = z
  .object({
    id: z.uuid(),
    jobId: z.uuid(),
    userId: z.uuid(),
    topicId: z.number().int(),
    contentPieceId: z.uuid(),
    status: processingStatus,
    retryCount: z.number().int(),
    maxRetries: z.number().int(),
    error: z.string().nullable(),
    note: z.string().nullable(),
    startedAt: isoDate.nullable(),
    completedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "QueueItem" });

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
  total: z.object({ jobs: total, outlineQueue: total, contentQueue: total }),
  counts: z.object({
    outlinePending: z.number().int(),
    outlineCompleted: z.number().int(),
    contentPending: z.number().int(),
    contentCompleted: z.number().int(),
  }),
});

export const queuedOut = z.object({ message: z.string(), jobId: z.uuid() });
export const resumeOut = z.object({ message: z.string(), resumed: z.number().int() });

export type JobType = z.infer<typeof jobType>;
export type JobOut = z.infer<typeof jobOut>;
export type QueueItemOut = z.infer<typeof queueItemOut>;
export type QueueStatus = z.infer<typeof queueStatusOut>;
export type Queued = z.infer<typeof queuedOut>;

/** A run of the engine, by its event and its own id. */
export type ItemRun = { itemId: string; dispatch: string; runId: string };
export type RunWait = { next: "wait"; waitSeconds: number };
export type RunEnd = { next: "end"; as: "completed" | "cancelled" | "held" };
/** What a run does after a step: go on, wait, or end as its item ended. */
export type StepOutcome = { next: "section"; index: number; count: number } | { next: "finish" } | RunWait | RunEnd;
