import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { MONITOR_ROWS } from "@/lib/features/jobs/rules";
import type { JobType, QueueStatus } from "@/lib/features/jobs/schema";

const ITEM = {
  id: true,
  jobId: true,
  topicId: true,
  contentPieceId: true,
  status: true,
  retryCount: true,
  maxRetries: true,
  error: true,
  note: true,
  startedAt: true,
  completedAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

const JOB = {
  id: true,
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

type Totals = {
  jobType: JobType;
  jobs: number;
  liveJobs: number;
  total: number;
  ended: number;
  completed: number;
  processing: number;
};

/** Changes whenever a job or one of its items does: the ETag of the queue's status. */
export async function queueVersion(actor: Actor): Promise<string> {
  const [row] = await prisma.$queryRaw<{ version: string }[]>(Prisma.sql`
    SELECT concat_ws('.', count(*), coalesce(sum(revision), 0), extract(epoch FROM max(created_at))) AS version
    FROM processing_jobs WHERE user_id = ${actor.userId}::uuid`);
  return `"${row?.version ?? "0"}"`;
}

/**
 * The person's own jobs and queues: what is live, the newest that ended, and the numbers of all. Of one moment: read one
 * after the other a row that ends meanwhile would be there twice, or not at all.
 */
export async function queueStatus(actor: Actor) {
  const { userId } = actor;
  const [liveJobs, endedJobs, liveOutlines, endedOutlines, liveContents, endedContents, totals] =
    await prisma.$transaction(
      [
        prisma.processingJob.findMany({
          where: { userId, completedAt: null },
          select: JOB,
          orderBy: newest("createdAt"),
        }),
        prisma.processingJob.findMany({
          where: { userId, completedAt: { not: null } },
          select: JOB,
          orderBy: newest("createdAt"),
          take: MONITOR_ROWS,
        }),
        liveRows(userId, "outline_generation"),
        endedRows(userId, "outline_generation"),
        liveRows(userId, "content_generation"),
        endedRows(userId, "content_generation"),
        readTotals(userId),
      ],
      { isolationLevel: "RepeatableRead" },
    );
  const jobs = [...liveJobs, ...endedJobs].map(({ topic, ...job }) => ({ ...job, topicName: topic.name }));
  return {
    jobs,
    outlineQueue: [...liveOutlines, ...endedOutlines],
    contentQueue: [...liveContents, ...endedContents],
    ...summary(totals),
  };
}

function liveRows(userId: string, jobType: JobType) {
  return prisma.queueItem.findMany({
    where: { userId, jobType, completedAt: null },
    select: ITEM,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MONITOR_ROWS,
  });
}

function endedRows(userId: string, jobType: JobType) {
  return prisma.queueItem.findMany({
    where: { userId, jobType, completedAt: { not: null } },
    select: ITEM,
    orderBy: newest("completedAt"),
    take: MONITOR_ROWS,
  });
}

function newest<K extends "createdAt" | "completedAt">(column: K) {
  return [{ [column]: "desc" }, { id: "desc" }] as [Record<K, "desc">, { id: "desc" }];
}

/** From the jobs' counters: a recount of the items would read every row of a long history. */
function readTotals(userId: string) {
  return prisma.$queryRaw<Totals[]>(Prisma.sql`
    SELECT j.job_type::text AS "jobType", count(*)::int AS jobs, count(*) FILTER (WHERE j.completed_at IS NULL)::int AS "liveJobs",
      sum(j.total_items)::int AS total, sum(j.completed_items + j.failed_items + j.cancelled_items)::int AS ended,
      sum(j.completed_items)::int AS completed,
      (SELECT count(*)::int FROM processing_queue q
       WHERE q.user_id = ${userId}::uuid AND q.status = 'processing' AND q.job_type = j.job_type) AS processing
    FROM processing_jobs j WHERE j.user_id = ${userId}::uuid GROUP BY j.job_type`);
}

function summary(totals: Totals[]): Pick<QueueStatus, "total" | "counts"> {
  const none = { jobs: 0, liveJobs: 0, total: 0, ended: 0, completed: 0, processing: 0 };
  const outline = totals.find((row) => row.jobType === "outline_generation") ?? none;
  const content = totals.find((row) => row.jobType === "content_generation") ?? none;
  const liveJobs = outline.liveJobs + content.liveJobs;
  return {
    total: {
      jobs: { live: liveJobs, finished: outline.jobs + content.jobs - liveJobs },
      outlineQueue: { live: outline.total - outline.ended, finished: outline.ended },
      contentQueue: { live: content.total - content.ended, finished: content.ended },
    },
    counts: {
      outlinePending: outline.total - outline.ended - outline.processing,
      outlineCompleted: outline.completed,
      contentPending: content.total - content.ended - content.processing,
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
