import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { ENGINE_AWAY_SINCE } from "@/lib/events/presence";
import { topicExistsSql, topicNameSql } from "@/lib/features/topics/sql/shared";
import type { JobType, QueueStatus } from "@/lib/features/work/schema";
import { HAS_RUN } from "@/lib/features/work/sql/moves";
import { isHeldSql } from "@/lib/features/work/sql/waits";
import type { ProcessingStatus } from "@/lib/features/work/states";

export type QueueTotals = {
  jobType: JobType;
  jobs: QueueStatus["total"]["jobs"];
  items: QueueStatus["total"]["jobs"];
  /** The items in these states. */
  processing: number;
  completed: number;
};

/** The rest is passed on as it is. */
export type ItemRow = { status: ProcessingStatus; error: string | null };

type StatusRow = {
  now: string;
  jobs: unknown[];
  outlineQueue: ItemRow[];
  contentQueue: ItemRow[];
  totals: QueueTotals[];
  wait: Wait | null;
};

/** What pending items of the user wait for; `limitedUntil` is the end of a long limit. `isTried`: a limit has passed. */
export type Wait = { heldReason: string | null; isLimited: boolean; isTried: boolean; limitedUntil: string | null };

/** Changes with every change of a job or its items, of a topic's name, and of the engine's presence. */
export async function selectQueueVersion(userId: string): Promise<string> {
  const [{ version }] = await prisma.$queryRaw<[{ version: string }]>(Prisma.sql`
    SELECT concat_ws('.', count(*), coalesce(sum(j.revision), 0), extract(epoch FROM max(j.created_at)),
      coalesce(sum(hashtextextended(${topicNameSql(Prisma.sql`j.topic_id`)}, j.topic_id)), 0),
      extract(epoch FROM ${ENGINE_AWAY_SINCE}), (SELECT md5(concat_ws('.', w.held_reason, w.not_before, w.not_before > now(), w.limited_until))
        FROM provider_waits w WHERE w.user_id = ${userId}::uuid)) AS version
    FROM processing_jobs j WHERE j.user_id = ${userId}::uuid AND ${topicExistsSql("j.topic_id")}`);
  return version;
}

/**
 * Reads in one statement, so that a row that ends meanwhile is neither missing nor there twice. Selects all live jobs and the
 * newest `rows` of each ended kind, so that neither pushes the other out; likewise the items of each queue. Totals come from
 * the jobs' counters, since a recount would read a long history.
 */
export async function selectQueueStatus(userId: string, rows: number): Promise<StatusRow> {
  const [status] = await prisma.$queryRaw<[StatusRow]>(Prisma.sql`
    WITH mine AS (SELECT * FROM processing_jobs j WHERE j.user_id = ${userId}::uuid AND ${topicExistsSql("j.topic_id")}),
    shown AS (SELECT * FROM mine WHERE completed_at IS NULL
      UNION ALL (SELECT * FROM mine WHERE status <> 'cancelled' AND completed_at IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)
      UNION ALL (SELECT * FROM mine WHERE status = 'cancelled'
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)),
    job AS (SELECT j.id, j.user_id AS "userId", j.project_id AS "projectId", j.topic_id AS "topicId", ${topicNameSql(Prisma.sql`j.topic_id`)} AS "topicName", j.job_type AS "jobType", j.status,
        j.total_items AS "totalItems", j.completed_items AS "completedItems", j.failed_items AS "failedItems",
        j.cancelled_items AS "cancelledItems", ${isoTime("j.cancel_requested_at")} AS "cancelRequestedAt",
        ${isoTime("j.started_at")} AS "startedAt", ${isoTime("j.completed_at")} AS "completedAt",
        ${isoTime("j.created_at")} AS "createdAt", ${isoTime("j.updated_at")} AS "updatedAt"
      FROM shown j)
    SELECT ${isoTime("now()")} AS now,
      (SELECT coalesce(json_agg(job ORDER BY job."completedAt" IS NOT NULL, job."createdAt" DESC, job.id DESC), '[]') FROM job) AS jobs,
      ${itemsOf(userId, "outline_generation", rows)} AS "outlineQueue",
      ${itemsOf(userId, "content_generation", rows)} AS "contentQueue",
      (SELECT coalesce(json_agg(x), '[]') FROM (
        SELECT c.job_type AS "jobType", sum(c.completed_items) AS completed,
          json_build_object('live', sum(c.live_jobs), 'finished', sum(c.finished_jobs), 'cancelled', sum(c.cancelled_jobs)) AS jobs,
          json_build_object('live', sum(c.live_items), 'finished', sum(c.completed_items + c.failed_items),
            'cancelled', sum(c.cancelled_items)) AS items,
          (SELECT count(*) FROM processing_queue q
           WHERE q.user_id = ${userId}::uuid AND q.status = 'processing' AND q.job_type = c.job_type) AS processing
        FROM (
          SELECT j.job_type, (j.completed_at IS NULL)::int AS live_jobs, (j.completed_at IS NOT NULL AND j.status <> 'cancelled')::int AS finished_jobs,
            (j.status = 'cancelled')::int AS cancelled_jobs, j.total_items - j.completed_items - j.failed_items - j.cancelled_items AS live_items,
            j.completed_items, j.failed_items, j.cancelled_items FROM mine j
          UNION ALL SELECT t.job_type, 0, t.finished_jobs, t.cancelled_jobs, 0, t.completed_items, t.failed_items, t.cancelled_items
          FROM work_totals t WHERE t.user_id = ${userId}::uuid) c GROUP BY c.job_type) x) AS totals,
      (SELECT json_build_object('heldReason', w.held_reason, 'isLimited', w.not_before > now(), 'isTried', w.not_before <= now(),
        'limitedUntil', CASE WHEN w.limited_until > now() THEN ${isoTime("w.limited_until")} END)
       FROM provider_waits w WHERE w.user_id = ${userId}::uuid) AS wait`);
  return status;
}

function itemsOf(userId: string, jobType: JobType, rows: number): Prisma.Sql {
  const mine = Prisma.sql`user_id = ${userId}::uuid AND job_type = ${jobType}::job_type
    AND ${topicExistsSql("processing_queue.topic_id")}`;
  return Prisma.sql`(
    SELECT coalesce(json_agg(i ORDER BY i."createdAt", i.id) FILTER (WHERE i."completedAt" IS NULL), '[]')::jsonb
      || coalesce(json_agg(i ORDER BY i."completedAt" DESC, i.id DESC) FILTER (WHERE i."completedAt" IS NOT NULL), '[]')::jsonb
    FROM (SELECT q.id, q.job_id AS "jobId", q.user_id AS "userId", q.topic_id AS "topicId",
        q.content_piece_id AS "contentPieceId", q.status, q.retry_count AS "retryCount", q.max_retries AS "maxRetries", q.error, q.note,
        ${isoTime("q.started_at")} AS "startedAt", ${isoTime("q.completed_at")} AS "completedAt",
        ${isoTime("q.created_at")} AS "createdAt", ${isoTime("q.updated_at")} AS "updatedAt"
      FROM (
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NULL ORDER BY created_at, id LIMIT ${rows}::int)
        UNION ALL
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NOT NULL AND status <> 'cancelled'
         ORDER BY completed_at DESC, id DESC LIMIT ${rows}::int)
        UNION ALL
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NOT NULL AND status = 'cancelled'
         ORDER BY completed_at DESC, id DESC LIMIT ${rows}::int)) q) i)`;
}

/** SQL value: a time as ISO 8601 in UTC for JSON. `column` never comes from a request. */
function isoTime(column: string): Prisma.Sql {
  return Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

/**
 * Counts the items of all users. One that is held waits for a user, and one that is not due yet for its time; neither counts.
 * It uses the partial index of live items.
 */
export async function selectQueueDepth(): Promise<{ waiting: number; processing: number; oldestWaitSeconds: number }> {
  const [row] = await prisma.$queryRaw<{ waiting: number; processing: number; oldestWaitSeconds: number }[]>(Prisma.sql`
    SELECT count(*) FILTER (WHERE q.status = 'pending' AND NOT ${isHeldSql})::int AS waiting,
      count(*) FILTER (WHERE q.status = 'processing')::int AS processing,
      coalesce(extract(epoch FROM now() - min(greatest(q.updated_at, q.not_before))
        FILTER (WHERE q.status = 'pending' AND NOT ${isHeldSql} AND coalesce(q.not_before, now()) <= now())), 0)::float8 AS "oldestWaitSeconds"
    FROM processing_queue q WHERE ${HAS_RUN} AND q.completed_at IS NULL`);
  return row ?? { waiting: 0, processing: 0, oldestWaitSeconds: 0 };
}
