import { z } from "zod";
import { PROCESSING_STATUSES } from "@/lib/features/jobs/states";
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

/** How many there are of each: `finished` is completed or failed. */
const total = z.object({ live: z.number().int(), finished: z.number().int(), cancelled: z.number().int() });

/** The caller's own queues: live rows, the newest finished and the newest cancelled ones, with the numbers of all. */
export const queueStatusOut = z.object({
  jobs: z.array(jobOut),
  outlineQueue: z.array(queueItemOut),
  contentQueue: z.array(queueItemOut),
  /** When this was so, by the database's clock: the clock of `completedAt` and its like. */
  now: isoDate,
  /** Since when the job engine has not answered; what waits begins when it is back. */
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
