import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { engineAwaySince as awaySince } from "@/lib/events/presence";
import { MONITOR_ROWS } from "@/lib/features/jobs/rules";
import type { QueueStatus } from "@/lib/features/jobs/schema";
import { type QueueTotals, selectQueueStatus } from "@/lib/features/jobs/sql/status";

const JOB = {
  id: true,
  userId: true,
  projectId: true,
  topicId: true,
  jobType: true,
  status: true,
  totalItems: true,
  completedItems: true,
  failedItems: true,
  cancelledItems: true,
  cancelRequestedAt: true,
  startedAt: true,
  completedAt: true,
  createdAt: true,
  updatedAt: true,
  topic: { select: { name: true } },
} as const;

/**
 * Changes whenever a job or one of its items does, when its topic is renamed and when the engine goes or comes: the ETag of the queue's status. Weak,
 * since `now` moves on without it. Each name is looked up by its key: as a join it becomes a scan of everybody's topics.
 */
export async function queueVersion(actor: Actor): Promise<string> {
  const [{ version }] = await prisma.$queryRaw<[{ version: string }]>(Prisma.sql`
    SELECT concat_ws('.', count(*), coalesce(sum(j.revision), 0), extract(epoch FROM max(j.created_at)),
      coalesce(sum((SELECT hashtextextended(t.name, t.id) FROM topics t WHERE t.id = j.topic_id)), 0),
      (SELECT extract(epoch FROM away_since) FROM engine_state)) AS version
    FROM processing_jobs j WHERE j.user_id = ${actor.userId}::uuid`);
  return `W/"${version}"`;
}

/**
 * The person's own jobs and queues: what is live, the newest that ended, and the numbers of all. Of one moment: read one
 * after the other a row that ends meanwhile would be there twice, or not at all.
 */
export async function queueStatus(actor: Actor) {
  const [{ totals, ...rows }, engineAwaySince] = await Promise.all([
    selectQueueStatus(actor.userId, MONITOR_ROWS),
    awaySince(),
  ]);
  return { ...rows, ...summary(totals), engineAwaySince };
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

/** One's own job, or NOT_FOUND. */
export async function ownedJob(actor: Actor, id: string) {
  const job = await prisma.processingJob.findFirst({ where: { id, userId: actor.userId }, select: JOB });
  if (!job) throw new AppError("NOT_FOUND", { message: "This job was not found. Its topic may have been deleted." });
  const { topic, ...rest } = job;
  return { ...rest, topicName: topic.name };
}

/** Is a queue about to work on this piece, or working on it? Answers the job's id. */
export async function liveJobOfPiece(actor: Actor, contentPieceId: string): Promise<string | undefined> {
  const item = await prisma.queueItem.findFirst({
    where: { contentPieceId, userId: actor.userId, completedAt: null },
    select: { jobId: true },
  });
  return item?.jobId;
}
