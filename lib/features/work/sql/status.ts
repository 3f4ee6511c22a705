import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { ENGINE_AWAY_SINCE } from "@/lib/events/presence";
import { pieceTitleSql } from "@/lib/features/content/sql/shared";
import { topicExistsSql, topicNameSql } from "@/lib/features/topics/sql/shared";
import type { JobType, Need, QueueGroup, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { HAS_RUN } from "@/lib/features/work/sql/moves";
import { failureCountSql, failuresByReasonSql } from "@/lib/features/work/sql/needs";
import { isHeldSql } from "@/lib/features/work/sql/waits";
import { isEnded, LIVE_STATES, type ProcessingStatus } from "@/lib/features/work/states";
import type { Cursor } from "@/lib/utils/cursor-page";

export type QueueTotals = {
  jobType: JobType;
  jobs: QueueStatus["total"]["jobs"];
  items: QueueStatus["total"]["jobs"];
  /** The items in these states. */
  processing: number;
  completed: number;
  /** How long one takes; null before enough of them have ended. */
  medianSeconds: number | null;
};

/** `notBefore` is when its next try is, `isAtWork` whether a call of it is under way; reads.ts makes `waits` of them. */
export type ItemRow = Omit<QueueItemOut, "waits"> & { notBefore: string | null; isAtWork: boolean };

type StatusRow = {
  now: string;
  jobs: unknown[];
  outlineQueue: ItemRow[];
  contentQueue: ItemRow[];
  totals: QueueTotals[];
  wait: Wait | null;
  needs: Need[];
};

/**
 * What the user's items wait for that are not at work, and how many these are. `notBefore` is the end of the provider's limit,
 * `limitedUntil` that of a long one while it lasts. `isTried`: a limit has passed.
 */
export type Wait = {
  heldReason: string | null;
  pausedAt: string | null;
  notBefore: string | null;
  isTried: boolean;
  limitedUntil: string | null;
  items: number;
};

/** Changes with every change of a job or its items, of what needs the user, of a topic's name, and of the engine's presence. */
export async function selectQueueVersion(userId: string): Promise<string> {
  const [{ version }] = await prisma.$queryRaw<[{ version: string }]>(Prisma.sql`
    SELECT concat_ws('.', count(*), coalesce(sum(j.revision), 0), extract(epoch FROM max(j.created_at)),
      coalesce(sum(hashtextextended(${topicNameSql(Prisma.sql`j.topic_id`)}, j.topic_id)), 0),
      extract(epoch FROM ${ENGINE_AWAY_SINCE}), ${failureCountSql(userId)}, (SELECT md5(concat_ws('.', w.held_reason, w.paused_at, w.not_before, w.not_before > now(), w.limited_until))
        FROM provider_waits w WHERE w.user_id = ${userId}::uuid)) AS version
    FROM processing_jobs j WHERE j.user_id = ${userId}::uuid AND ${topicExistsSql("j.topic_id")}`);
  return version;
}

/**
 * Reads in one statement, so that a row that ends meanwhile is neither missing nor there twice. Selects all live jobs and the
 * newest `rows` of each ended kind, so that neither pushes the other out; likewise the items of each queue. Totals come from
 * the jobs' counters, since a recount would read a long history. `since`: of the rows those alone that have changed after it.
 */
export async function selectQueueStatus(userId: string, rows: number, since?: Date): Promise<StatusRow> {
  const isAfter = (time: string) => changedSql(time, since);
  const [status] = await prisma.$queryRaw<[StatusRow]>(Prisma.sql`
    WITH mine AS (SELECT * FROM processing_jobs j WHERE j.user_id = ${userId}::uuid AND ${topicExistsSql("j.topic_id")}),
    shown AS (SELECT * FROM mine WHERE completed_at IS NULL ${isAfter("updated_at")}
      UNION ALL (SELECT * FROM mine WHERE status <> 'cancelled' AND completed_at IS NOT NULL ${isAfter("updated_at")}
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)
      UNION ALL (SELECT * FROM mine WHERE status = 'cancelled' ${isAfter("updated_at")}
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)),
    job AS (SELECT j.id, j.user_id AS "userId", j.project_id AS "projectId", j.topic_id AS "topicId", ${topicNameSql(Prisma.sql`j.topic_id`)} AS "topicName", j.job_type AS "jobType", j.status,
        j.total_items AS "totalItems", j.completed_items AS "completedItems", j.failed_items AS "failedItems",
        j.cancelled_items AS "cancelledItems", ${isoTime("j.cancel_requested_at")} AS "cancelRequestedAt",
        ${isoTime("j.started_at")} AS "startedAt", ${isoTime("j.completed_at")} AS "completedAt",
        ${isoTime("j.created_at")} AS "createdAt", ${isoTime("j.updated_at")} AS "updatedAt"
      FROM shown j)
    SELECT ${isoTime("now()")} AS now,
      (SELECT coalesce(json_agg(job ORDER BY job."completedAt" IS NOT NULL, job."createdAt" DESC, job.id DESC), '[]') FROM job) AS jobs,
      ${itemsOf(userId, "outline_generation", { rows, since })} AS "outlineQueue",
      ${itemsOf(userId, "content_generation", { rows, since })} AS "contentQueue",
      (SELECT coalesce(json_agg(x), '[]') FROM (
        SELECT c.job_type AS "jobType", sum(c.completed_items) AS completed,
          json_build_object('live', sum(c.live_jobs), 'finished', sum(c.finished_jobs), 'cancelled', sum(c.cancelled_jobs)) AS jobs,
          json_build_object('live', sum(c.live_items), 'finished', sum(c.completed_items + c.failed_items),
            'cancelled', sum(c.cancelled_items)) AS items,
          (SELECT count(*) FROM processing_queue q
           WHERE q.user_id = ${userId}::uuid AND q.status = 'processing' AND q.job_type = c.job_type) AS processing,
          ${medianSecondsSql(userId)} AS "medianSeconds"
        FROM (
          SELECT j.job_type, (j.completed_at IS NULL)::int AS live_jobs, (j.completed_at IS NOT NULL AND j.status <> 'cancelled')::int AS finished_jobs,
            (j.status = 'cancelled')::int AS cancelled_jobs, j.total_items - j.completed_items - j.failed_items - j.cancelled_items AS live_items,
            j.completed_items, j.failed_items, j.cancelled_items FROM mine j
          UNION ALL SELECT t.job_type, 0, t.finished_jobs, t.cancelled_jobs, 0, t.completed_items, t.failed_items, t.cancelled_items
          FROM work_totals t WHERE t.user_id = ${userId}::uuid) c GROUP BY c.job_type) x) AS totals,
      ${waitSql(userId)} AS wait,
      ${failuresByReasonSql(userId)} AS needs`);
  return status;
}

/** SQL value (json): the user's Wait. */
function waitSql(userId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT json_build_object('heldReason', w.held_reason, 'pausedAt', ${isoTime("w.paused_at")},
      'isTried', coalesce(w.not_before <= now(), false), 'notBefore', ${isoTime("w.not_before")},
      'limitedUntil', CASE WHEN w.limited_until > now() THEN ${isoTime("w.limited_until")} END,
      'items', (SELECT count(*) FROM processing_queue q
        WHERE q.user_id = w.user_id AND ${HAS_RUN} AND q.completed_at IS NULL AND q.claim_token IS NULL))
    FROM provider_waits w WHERE w.user_id = ${userId}::uuid)`;
}

/** How many of the latest items the time of one is taken from, and how few of them say nothing yet. */
const PACE_ITEMS = 20;
const MIN_PACE_ITEMS = 3;

/** SQL value: the median of the seconds that the user's latest items of type `c.job_type` took, or null. */
function medianSecondsSql(userId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT CASE WHEN count(*) >= ${MIN_PACE_ITEMS}::int
      THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.completed_at - d.started_at)) END
    FROM (SELECT q.started_at, q.completed_at FROM processing_queue q
      WHERE q.user_id = ${userId}::uuid AND q.job_type = c.job_type AND q.status = 'completed' AND q.completed_at IS NOT NULL
        AND q.started_at IS NOT NULL ORDER BY q.completed_at DESC, q.id DESC LIMIT ${PACE_ITEMS}::int) d)`;
}

/** SQL condition: the time is after `since`, if there is one. */
function changedSql(time: string, since: Date | undefined): Prisma.Sql {
  return since ? Prisma.sql`AND ${Prisma.raw(time)} > ${since.toISOString()}::timestamptz` : Prisma.empty;
}

function itemsOf(
  userId: string,
  jobType: JobType,
  { rows, since }: { rows: number; since: Date | undefined },
): Prisma.Sql {
  const part = (group: QueueGroup) => Prisma.sql`(${groupSql(userId, jobType, group, { since })} LIMIT ${rows}::int)`;
  return Prisma.sql`(
    SELECT coalesce(json_agg(i ORDER BY i."createdAt", i.id) FILTER (WHERE i."completedAt" IS NULL), '[]')::jsonb
      || coalesce(json_agg(i ORDER BY i."completedAt" DESC, i.id DESC) FILTER (WHERE i."completedAt" IS NOT NULL), '[]')::jsonb
    FROM (SELECT ${ITEM} FROM (${part("live")} UNION ALL ${part("finished")} UNION ALL ${part("cancelled")}) q) i)`;
}

/** The groups that items are listed in, and the states of other lists. */
const GROUPS: Partial<Record<QueueGroup, readonly ProcessingStatus[]>> = {
  live: LIVE_STATES,
  finished: ["completed", "failed"],
};

/** SQL: the user's items of a type, or of both, and a group: those that live oldest first, the ended ones latest first; after `after`. */
function groupSql(
  userId: string,
  jobType: JobType | undefined,
  group: QueueGroup,
  { jobId, after, since }: { jobId?: string | undefined; after?: Cursor | undefined; since?: Date | undefined } = {},
): Prisma.Sql {
  const statuses = GROUPS[group] ?? [group as ProcessingStatus];
  const isLive = statuses.every((status) => !isEnded(status));
  const time = Prisma.raw(isLive ? "q.created_at" : "q.completed_at");
  const [beyond, order] = isLive ? [Prisma.raw(">"), Prisma.empty] : [Prisma.raw("<"), Prisma.raw("DESC")];
  const rest = after
    ? Prisma.sql`AND (${time}, q.id) ${beyond} (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  return Prisma.sql`SELECT q.* FROM processing_queue q
    WHERE q.user_id = ${userId}::uuid AND ${jobType ? Prisma.sql`q.job_type = ${jobType}::job_type` : HAS_RUN}
      AND ${topicExistsSql("q.topic_id")} AND q.completed_at IS ${isLive ? Prisma.raw("NULL") : Prisma.raw("NOT NULL")}
      AND q.status IN (${Prisma.join(statuses.map((status) => Prisma.raw(`'${status}'`)))})
      AND (${jobId ?? null}::uuid IS NULL OR q.job_id = ${jobId ?? null}::uuid) ${rest}
      ${changedSql(isLive ? "q.updated_at" : "q.completed_at", since)} ORDER BY ${time} ${order}, q.id ${order}`;
}

/** SQL columns: what the monitor shows of an item `q`. */
const ITEM = Prisma.sql`q.id, q.job_id AS "jobId", q.user_id AS "userId", q.topic_id AS "topicId",
  q.content_piece_id AS "contentPieceId", ${pieceTitleSql(Prisma.sql`q.content_piece_id`)} AS title,
  ${topicNameSql(Prisma.sql`q.topic_id`)} AS "topicName", q.status, q.retry_count AS "retryCount", q.max_retries AS "maxRetries",
  q.error, q.note, q.result -> 'section' AS section, q.tokens_in + q.tokens_out AS tokens, q.run_id AS "runId",
  ${isoTime("q.not_before")} AS "notBefore", q.claim_token IS NOT NULL AS "isAtWork",
  ${isoTime("q.started_at")} AS "startedAt", ${isoTime("q.completed_at")} AS "completedAt",
  ${isoTime("q.created_at")} AS "createdAt", ${isoTime("q.updated_at")} AS "updatedAt"`;

type Listed = { rows: ItemRow[]; wait: Wait | null };

/** Items of a group after a cursor, in its order. */
export function selectItemPage(
  userId: string,
  {
    kind,
    status,
    ...rest
  }: { kind?: JobType | undefined; status: QueueGroup; jobId?: string | undefined; after?: Cursor | undefined },
  limit: number,
): Promise<Listed> {
  return selectItems(userId, Prisma.sql`${groupSql(userId, kind, status, rest)} LIMIT ${limit}::int`);
}

/** One of the user's items; none if it is not theirs. */
export function selectItem(userId: string, id: string): Promise<Listed> {
  return selectItems(
    userId,
    Prisma.sql`SELECT q.* FROM processing_queue q
    WHERE q.id = ${id}::uuid AND q.user_id = ${userId}::uuid AND ${HAS_RUN} AND ${topicExistsSql("q.topic_id")}`,
  );
}

async function selectItems(userId: string, items: Prisma.Sql): Promise<Listed> {
  const [listed] = await prisma.$queryRaw<[Listed]>(Prisma.sql`
    SELECT (SELECT coalesce(json_agg(i), '[]') FROM (SELECT ${ITEM} FROM (${items}) q) i) AS rows, ${waitSql(userId)} AS wait`);
  return listed;
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
