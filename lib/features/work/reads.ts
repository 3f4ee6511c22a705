import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { engineAwaySince as awaySince } from "@/lib/events/presence";
import { limitSentence, MAX_MONITOR_ROWS } from "@/lib/features/work/rules";
import type { QueueStatus } from "@/lib/features/work/schema";
import {
  type ItemRow,
  type QueueTotals,
  selectQueueDepth,
  selectQueueStatus,
  selectQueueVersion,
  type Wait,
} from "@/lib/features/work/sql/status";

export { type ChunkedJob, type ChunkItem, selectChunkedJob, selectChunkItems } from "@/lib/features/work/sql/chunks";

/** What a job is about, and how far it got. */
export const JOB_FACTS = {
  id: true,
  topicId: true,
  jobType: true,
  status: true,
  totalItems: true,
  completedItems: true,
  failedItems: true,
  cancelledItems: true,
  startedAt: true,
  completedAt: true,
  createdAt: true,
} as const;

const JOB = {
  ...JOB_FACTS,
  userId: true,
  projectId: true,
  cancelRequestedAt: true,
  updatedAt: true,
  topic: { select: { name: true } },
} as const;

/** Tells monitors how many items of all users' queues wait or are in progress, and how long the oldest has waited. */
export async function queueDepth(): Promise<{ waiting: number; processing: number; oldestWaitSeconds: number }> {
  return selectQueueDepth();
}

/** The ETag of the queue's status, weak because `now` moves on without it. */
export async function queueVersion({ userId }: Actor): Promise<string> {
  return `W/"${await selectQueueVersion(userId)}"`;
}

/** The user's jobs and queues: live ones, the newest ended ones, and the totals. */
export async function queueStatus(actor: Actor) {
  const [{ totals, wait, outlineQueue, contentQueue, ...rows }, engineAwaySince] = await Promise.all([
    selectQueueStatus(actor.userId, MAX_MONITOR_ROWS),
    awaySince(),
  ]);
  const reason = wait && reasonOf(wait);
  const queues = { outlineQueue: withReason(outlineQueue, reason), contentQueue: withReason(contentQueue, reason) };
  return { ...rows, ...queues, ...summary(totals), engineAwaySince };
}

const TRIED = "Pending until another item has found out whether the AI provider answers.";

function reasonOf({ heldReason, isLimited, isTried, limitedUntil }: Wait): string | null {
  if (heldReason) return heldReason;
  if (isTried) return TRIED;
  return isLimited ? limitSentence(limitedUntil === null ? null : new Date(limitedUntil)) : null;
}

/** What waits says what for. */
function withReason(items: ItemRow[], reason: string | null): ItemRow[] {
  return items.map((item) => (reason && item.status === "pending" ? { ...item, error: reason } : item));
}

function summary(totals: QueueTotals[]): Pick<QueueStatus, "total" | "counts"> {
  const nothing = { live: 0, finished: 0, cancelled: 0 };
  const none = { jobs: nothing, items: nothing, processing: 0, completed: 0 };
  const outline = totals.find((row) => row.jobType === "outline_generation") ?? none;
  const content = totals.find((row) => row.jobType === "content_generation") ?? none;
  return {
    total: {
      jobs: {
        live: outline.jobs.live + content.jobs.live,
        finished: outline.jobs.finished + content.jobs.finished,
        cancelled: outline.jobs.cancelled + content.jobs.cancelled,
      },
      outlineQueue: outline.items,
      contentQueue: content.items,
    },
    counts: {
      outlinePending: outline.items.live - outline.processing,
      outlineCompleted: outline.completed,
      contentPending: content.items.live - content.processing,
      contentCompleted: content.completed,
    },
  };
}

/** Throws NOT_FOUND. */
export async function ownedJob(actor: Actor, id: string) {
  const job = await prisma.processingJob.findFirst({ where: { id, userId: actor.userId, topic: LIVE }, select: JOB });
  if (!job?.topic || job.topicId === null || job.jobType === "publishing") {
    throw new AppError("NOT_FOUND", { message: "This job was not found. Its topic may have been deleted." });
  }
  const { topic, ...rest } = job;
  return { ...rest, topicId: job.topicId, jobType: job.jobType, topicName: topic.name };
}

/** The id of the job that has this piece in its queue, waiting or in progress. */
export async function liveJobOfPiece(actor: Actor, contentPieceId: string): Promise<string | undefined> {
  const item = await prisma.queueItem.findFirst({
    where: { contentPieceId, userId: actor.userId, completedAt: null, jobType: { not: "publishing" } },
    select: { jobId: true },
  });
  return item?.jobId;
}
