import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { LEASE, MAX_WAIT_SECONDS } from "@/lib/features/jobs/rules";
import type { JobType, QueueStatus } from "@/lib/features/jobs/schema";

type Raw = Pick<Db, "$queryRaw">;

/** A queue item's address: the table is partitioned by type, so both are needed. */
export type ItemRef = { itemId: string; jobType: JobType };

/**
 * The end of items and of their job in one statement: the counters change here alone, and the last item ends the job.
 * `ended` is a CTE of (job_id, completed, failed, cancelled) with the numbers that ended now. Lock order: item, then job.
 */
function jobEnd(ended: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    UPDATE processing_jobs j SET
      completed_items = j.completed_items + d.completed, failed_items = j.failed_items + d.failed,
      cancelled_items = j.cancelled_items + d.cancelled, revision = j.revision + 1, updated_at = now(),
      status = (CASE
        WHEN j.completed_items + j.failed_items + j.cancelled_items + d.completed + d.failed + d.cancelled < j.total_items THEN j.status::text
        WHEN j.cancel_requested_at IS NOT NULL AND j.cancelled_items + d.cancelled > 0 THEN 'cancelled'
        WHEN j.completed_items + d.completed > 0 THEN 'completed'
        WHEN j.failed_items + d.failed > 0 THEN 'failed'
        ELSE 'cancelled' END)::processing_status,
      completed_at = CASE
        WHEN j.completed_items + j.failed_items + j.cancelled_items + d.completed + d.failed + d.cancelled < j.total_items THEN NULL
        ELSE now() END
    FROM ${ended} d WHERE j.id = d.job_id`;
}

const COUNTS = Prisma.sql`(SELECT job_id, count(*) FILTER (WHERE status = 'completed')::int AS completed,
  count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
  FROM item GROUP BY job_id ORDER BY job_id)`;

/** What a job of this type still has to do in a topic. */
function todo(jobType: JobType): Prisma.Sql {
  return jobType === "outline_generation"
    ? Prisma.sql`NOT p.has_outline`
    : Prisma.sql`p.has_outline AND NOT p.has_body`;
}

export async function countTodo(userId: string, topicId: number, jobType: JobType): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS count FROM content_pieces p
    WHERE p.topic_id = ${topicId}::int AND p.user_id = ${userId}::uuid AND ${todo(jobType)}`);
  return row?.count ?? 0;
}

/** A job and its items in one statement. No row: nothing to do. A live job of the same topic and type: unique violation. */
export async function insertJob(userId: string, topicId: number, jobType: JobType) {
  const [row] = await prisma.$queryRaw<{ id: string; totalItems: number }[]>(Prisma.sql`
    WITH piece AS (
      SELECT p.id, p.project_id, p.created_at FROM content_pieces p
      WHERE p.topic_id = ${topicId}::int AND p.user_id = ${userId}::uuid AND ${todo(jobType)}),
    job AS (
      INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
      SELECT ${userId}::uuid, min(project_id), ${topicId}::int, ${jobType}::job_type, count(*)::int FROM piece HAVING count(*) > 0
      RETURNING id, total_items),
    item AS (
      INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, created_at)
      SELECT ${jobType}::job_type, job.id, ${userId}::uuid, ${topicId}::int, piece.id,
        now() + row_number() OVER (ORDER BY piece.created_at DESC, piece.id) * interval '1 millisecond' FROM job, piece)
    SELECT id, total_items AS "totalItems" FROM job`);
  return row;
}

export type ClaimedItem = {
  id: string;
  jobId: string;
  userId: string;
  contentPieceId: string;
  baseVersion: number;
  retryCount: number;
  sections: unknown;
};

/** Claims a waiting item under a lease; with the same token again it answers the same claim and renews the lease. */
export async function claimItem({ itemId, jobType }: ItemRef, token: string): Promise<ClaimedItem | undefined> {
  const [row] = await prisma.$queryRaw<ClaimedItem[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = 'processing', claim_token = ${token}::uuid, lease_until = now() + ${LEASE}::interval,
        boot_id = ${env.BOOT_ID ?? null}::uuid, started_at = coalesce(q.started_at, now()), updated_at = now(), error = NULL,
        base_version = CASE WHEN q.claim_token = ${token}::uuid THEN q.base_version ELSE p.version END
      FROM content_pieces p, processing_jobs j
      WHERE q.id = ${itemId}::uuid AND q.job_type = ${jobType}::job_type AND p.id = q.content_piece_id AND j.id = q.job_id
        AND ((q.status = 'processing' AND q.claim_token = ${token}::uuid)
          OR (q.status = 'pending' AND j.cancel_requested_at IS NULL AND (q.not_before IS NULL OR q.not_before <= now())))
      RETURNING q.id, q.job_id, q.user_id, q.content_piece_id, q.base_version, q.retry_count, q.sections),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', started_at = coalesce(j.started_at, now()), revision = j.revision + 1,
        updated_at = now() FROM item WHERE j.id = item.job_id AND j.completed_at IS NULL)
    SELECT id, job_id AS "jobId", user_id AS "userId", content_piece_id AS "contentPieceId",
      base_version AS "baseVersion", retry_count AS "retryCount", sections FROM item`);
  return row;
}

/** What an item that could not be claimed is waiting for. */
export async function readWaiting({ itemId, jobType }: ItemRef) {
  const [row] = await prisma.$queryRaw<
    { jobId: string; userId: string; status: string; cancelRequested: boolean; waitSeconds: number }[]
  >(Prisma.sql`
    SELECT q.job_id AS "jobId", q.user_id AS "userId", q.status::text AS status, j.cancel_requested_at IS NOT NULL AS "cancelRequested",
      greatest(0, ceil(extract(epoch FROM q.not_before - now())))::int AS "waitSeconds"
    FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
    WHERE q.id = ${itemId}::uuid AND q.job_type = ${jobType}::job_type`);
  return row;
}

/** Keeps finished sections and renews the lease; false when the token no longer holds the item. */
export async function saveProgress({ itemId, jobType }: ItemRef, token: string, sections: unknown): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE processing_queue SET lease_until = now() + ${LEASE}::interval, sections = ${JSON.stringify(sections)}::jsonb, updated_at = now()
    WHERE id = ${itemId}::uuid AND job_type = ${jobType}::job_type AND claim_token = ${token}::uuid AND status = 'processing'
    RETURNING id`);
  return rows.length > 0;
}

/** Locks the item this token holds, so that what follows in the transaction is fenced by it. */
export async function lockItem(db: Raw, { itemId, jobType }: ItemRef, token: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM processing_queue
    WHERE id = ${itemId}::uuid AND job_type = ${jobType}::job_type AND claim_token = ${token}::uuid AND status = 'processing'
    FOR UPDATE`);
  return rows.length > 0;
}

/** Ends an item as completed, and its job when it was the last. */
export async function completeItem(
  db: Raw,
  { itemId, jobType }: ItemRef,
  token: string,
  { note = null, tokensIn = 0, tokensOut = 0 }: { note?: string | null; tokensIn?: number; tokensOut?: number },
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue SET status = 'completed', completed_at = now(), claim_token = NULL, lease_until = NULL,
        sections = NULL, error = NULL, note = ${note}, tokens_in = tokens_in + ${tokensIn}::int,
        tokens_out = tokens_out + ${tokensOut}::int, updated_at = now()
      WHERE id = ${itemId}::uuid AND job_type = ${jobType}::job_type AND claim_token = ${token}::uuid AND status = 'processing'
      RETURNING id, job_id, status),
    job AS (${jobEnd(COUNTS)})
    SELECT id FROM item`);
  return rows.length > 0;
}

export type Setback = {
  error: string;
  /** `retry` is an attempt, `wait` is not, `stop` ends the item at once. */
  kind: "retry" | "wait" | "stop";
  delaySeconds: number;
};

/**
 * A try that failed: back to waiting, or failed for good when the retries (or the hour of waiting) are used up, or
 * cancelled when the person asked for it meanwhile. Answers what became of it; undefined when the token is stale.
 */
export async function setItemBack({ itemId, jobType }: ItemRef, token: string, { error, kind, delaySeconds }: Setback) {
  const [row] = await prisma.$queryRaw<
    { status: "pending" | "failed" | "cancelled"; dispatchSeq: number; userId: string; jobId: string }[]
  >(Prisma.sql`
    WITH held AS (
      SELECT q.id, q.job_type, j.cancel_requested_at IS NOT NULL AS cancelled,
        (CASE ${kind}::text WHEN 'retry' THEN q.retry_count < q.max_retries
          WHEN 'wait' THEN q.waited_seconds + ${delaySeconds}::int <= ${MAX_WAIT_SECONDS}::int ELSE false END) AS again
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE q.id = ${itemId}::uuid AND q.job_type = ${jobType}::job_type AND q.claim_token = ${token}::uuid AND q.status = 'processing'
      FOR UPDATE OF q),
    item AS (
      UPDATE processing_queue q SET
        status = (CASE WHEN NOT h.again THEN 'failed' WHEN h.cancelled THEN 'cancelled' ELSE 'pending' END)::processing_status,
        retry_count = q.retry_count + (h.again AND ${kind}::text = 'retry')::int,
        waited_seconds = q.waited_seconds + CASE WHEN h.again AND ${kind}::text = 'wait' THEN ${delaySeconds}::int ELSE 0 END,
        not_before = now() + make_interval(secs => ${delaySeconds}::int), error = ${error},
        claim_token = NULL, lease_until = NULL, dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, updated_at = now(),
        completed_at = CASE WHEN h.again AND NOT h.cancelled THEN NULL ELSE now() END
      FROM held h WHERE q.id = h.id AND q.job_type = h.job_type
      RETURNING q.job_id, q.user_id, q.status, q.dispatch_seq),
    job AS (${jobEnd(COUNTS)})
    SELECT status::text AS status, dispatch_seq AS "dispatchSeq", user_id AS "userId", job_id AS "jobId" FROM item`);
  return row;
}

/** Leases that have run out: each costs an attempt, so that a poison item ends. Answers how many were freed. */
export async function freeLostItems(userId: string | null): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>(Prisma.sql`
    WITH lost AS (
      SELECT q.id, q.job_type, q.retry_count < q.max_retries AS again, j.cancel_requested_at IS NOT NULL AS cancelled
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE q.status = 'processing' AND q.lease_until <= now() AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
      ORDER BY q.job_id, q.id FOR UPDATE OF q SKIP LOCKED),
    item AS (
      UPDATE processing_queue q SET
        status = (CASE WHEN NOT lost.again THEN 'failed' WHEN lost.cancelled THEN 'cancelled' ELSE 'pending' END)::processing_status,
        retry_count = q.retry_count + lost.again::int, error = 'The work stopped before it was done.',
        claim_token = NULL, lease_until = NULL, not_before = NULL, dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL,
        updated_at = now(), completed_at = CASE WHEN lost.again AND NOT lost.cancelled THEN NULL ELSE now() END
      FROM lost WHERE q.id = lost.id AND q.job_type = lost.job_type RETURNING q.job_id, q.status),
    job AS (${jobEnd(COUNTS)})
    SELECT count(*)::int AS count FROM item`);
  return row?.count ?? 0;
}

export type WaitingItem = {
  itemId: string;
  jobType: JobType;
  jobId: string;
  userId: string;
  dispatchSeq: number;
  /** Milliseconds since 1970 before which it is not to begin; null: at once. */
  notBefore: number | null;
};

const NOT_BEFORE = Prisma.sql`CASE WHEN q.not_before > now() THEN floor(extract(epoch FROM q.not_before) * 1000)::float8 END AS "notBefore"`;

/**
 * Waiting items that nobody will come for: never handed to the engine for `graceSeconds`, or handed over that long ago
 * while nothing of their owner is being worked on (the engine lost its memory). The latter get a new dispatch number,
 * since the engine remembers event ids for a day. Without a grace every such item counts, also one that waits for its
 * next try: its event went with the engine.
 */
export function selectStranded(userId: string | null, graceSeconds: number | null, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    WITH stranded AS (
      SELECT q.id, q.job_type FROM processing_queue q
      WHERE q.status = 'pending' AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
        AND (${graceSeconds}::int IS NULL
          OR greatest(q.dispatched_at, q.not_before, q.updated_at) <= now() - make_interval(secs => ${graceSeconds}::int))
        AND (q.dispatched_at IS NULL OR NOT EXISTS (
          SELECT 1 FROM processing_queue b WHERE b.user_id = q.user_id AND b.status = 'processing' AND b.lease_until > now()))
      ORDER BY q.created_at, q.id LIMIT ${limit}::int FOR UPDATE OF q SKIP LOCKED)
    UPDATE processing_queue q SET dispatch_seq = q.dispatch_seq + (q.dispatched_at IS NOT NULL)::int, dispatched_at = NULL
    FROM stranded s WHERE q.id = s.id AND q.job_type = s.job_type
    RETURNING q.id AS "itemId", q.job_type::text AS "jobType", q.job_id AS "jobId", q.user_id AS "userId",
      q.dispatch_seq AS "dispatchSeq", ${NOT_BEFORE}`);
}

/** Items of a job not handed to the engine yet, oldest first. */
export function selectUndispatched(jobId: string, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    SELECT id AS "itemId", job_type::text AS "jobType", job_id AS "jobId", user_id AS "userId", dispatch_seq AS "dispatchSeq",
      ${NOT_BEFORE}
    FROM processing_queue q WHERE job_id = ${jobId}::uuid AND status = 'pending' AND dispatched_at IS NULL
    ORDER BY created_at, id LIMIT ${limit}::int`);
}

/** Remembers that these were handed to the engine, each under the number it was sent with. */
export async function markDispatched(items: Pick<WaitingItem, "itemId" | "jobType" | "dispatchSeq">[]): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET dispatched_at = now()
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS sent ("itemId" uuid, "jobType" job_type, "dispatchSeq" int)
    WHERE q.id = sent."itemId" AND q.job_type = sent."jobType" AND q.dispatch_seq = sent."dispatchSeq" AND q.status = 'pending'`);
}

/** The person ends a live job: what waits is cancelled now, what runs ends by itself. Undefined: no such live job. */
export async function cancelJob(userId: string, jobId: string): Promise<number | undefined> {
  const [row] = await prisma.$queryRaw<{ live: number; cancelled: number }[]>(Prisma.sql`
    WITH asked AS (
      SELECT id FROM processing_jobs WHERE id = ${jobId}::uuid AND user_id = ${userId}::uuid AND completed_at IS NULL),
    item AS (
      UPDATE processing_queue q SET status = 'cancelled', completed_at = now(), updated_at = now()
      FROM asked WHERE q.job_id = asked.id AND q.status = 'pending' RETURNING q.job_id, q.status),
    ended AS (
      SELECT asked.id AS job_id, 0 AS completed, 0 AS failed, (SELECT count(*)::int FROM item) AS cancelled FROM asked),
    job AS (
      UPDATE processing_jobs j SET cancel_requested_at = coalesce(j.cancel_requested_at, now()),
        cancelled_items = j.cancelled_items + d.cancelled, revision = j.revision + 1, updated_at = now(),
        status = (CASE WHEN j.completed_items + j.failed_items + j.cancelled_items + d.cancelled < j.total_items THEN j.status::text
          WHEN j.cancelled_items + d.cancelled > 0 THEN 'cancelled' WHEN j.completed_items > 0 THEN 'completed' ELSE 'failed' END)::processing_status,
        completed_at = CASE WHEN j.completed_items + j.failed_items + j.cancelled_items + d.cancelled < j.total_items THEN NULL ELSE now() END
      FROM ended d WHERE j.id = d.job_id)
    SELECT (SELECT count(*)::int FROM asked) AS live, (SELECT count(*)::int FROM item) AS cancelled`);
  return row && row.live > 0 ? row.cancelled : undefined;
}

/** The failed items of an ended job wait again, with all their retries. Undefined: no such ended job with failed items. */
export async function retryJob(userId: string, jobId: string): Promise<number | undefined> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = 'pending', retry_count = 0, waited_seconds = 0, error = NULL, note = NULL,
        not_before = NULL, completed_at = NULL, dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, updated_at = now()
      FROM processing_jobs j WHERE j.id = ${jobId}::uuid AND j.user_id = ${userId}::uuid AND j.completed_at IS NOT NULL
        AND q.job_id = j.id AND q.status = 'failed' RETURNING q.job_id),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', completed_at = NULL, cancel_requested_at = NULL,
        failed_items = j.failed_items - d.count, revision = j.revision + 1, updated_at = now()
      FROM (SELECT job_id, count(*)::int AS count FROM item GROUP BY job_id) d WHERE j.id = d.job_id)
    SELECT count(*)::int AS count FROM item`);
  return row && row.count > 0 ? row.count : undefined;
}

/** A piece that is deleted takes its live items out of their jobs. First statement of the deleting transaction. */
export function cancelItemsOfPieceStatement(userId: string, contentId: string): Prisma.Sql {
  return Prisma.sql`
    WITH item AS (
      UPDATE processing_queue SET status = 'cancelled', completed_at = now(), claim_token = NULL, lease_until = NULL, updated_at = now()
      WHERE content_piece_id = ${contentId}::uuid AND user_id = ${userId}::uuid AND completed_at IS NULL RETURNING job_id, status),
    job AS (${jobEnd(COUNTS)})
    SELECT count(*)::int AS count FROM item`;
}

export type QueueTotals = {
  jobType: JobType;
  jobs: QueueStatus["total"]["jobs"];
  items: QueueStatus["total"]["jobs"];
  /** Of the items. */
  processing: number;
  completed: number;
};

type StatusRow = {
  now: string;
  jobs: unknown[];
  outlineQueue: unknown[];
  contentQueue: unknown[];
  totals: QueueTotals[];
};

/**
 * One statement, so that all of it is of one moment: live jobs, the newest `rows` that are done and the newest `rows` that
 * were cancelled, so that neither pushes the other out; of each queue the oldest live and the newest other items; and the
 * numbers of all from the jobs' counters (a recount of the items would read every row of a long history).
 */
export async function selectQueueStatus(userId: string, rows: number): Promise<StatusRow> {
  const [status] = await prisma.$queryRaw<StatusRow[]>(Prisma.sql`
    WITH mine AS (SELECT * FROM processing_jobs WHERE user_id = ${userId}::uuid),
    shown AS (SELECT * FROM mine WHERE completed_at IS NULL
      UNION ALL (SELECT * FROM mine WHERE status <> 'cancelled' AND completed_at IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)
      UNION ALL (SELECT * FROM mine WHERE status = 'cancelled' AND completed_at IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${rows}::int)),
    job AS (SELECT j.id, j.user_id AS "userId", j.project_id AS "projectId", j.topic_id AS "topicId", t.name AS "topicName", j.job_type AS "jobType", j.status,
        j.total_items AS "totalItems", j.completed_items AS "completedItems", j.failed_items AS "failedItems",
        j.cancelled_items AS "cancelledItems", ${moment("j.cancel_requested_at")} AS "cancelRequestedAt",
        ${moment("j.started_at")} AS "startedAt", ${moment("j.completed_at")} AS "completedAt",
        ${moment("j.created_at")} AS "createdAt", ${moment("j.updated_at")} AS "updatedAt"
      FROM shown j JOIN topics t ON t.id = j.topic_id)
    SELECT ${moment("now()")} AS now,
      (SELECT coalesce(json_agg(job ORDER BY job."completedAt" IS NOT NULL, job."createdAt" DESC, job.id DESC), '[]') FROM job) AS jobs,
      ${itemsOf(userId, "outline_generation", rows)} AS "outlineQueue",
      ${itemsOf(userId, "content_generation", rows)} AS "contentQueue",
      (SELECT coalesce(json_agg(x), '[]') FROM (
        SELECT j.job_type AS "jobType", sum(j.completed_items) AS completed,
          json_build_object('live', count(*) FILTER (WHERE j.completed_at IS NULL),
            'finished', count(*) FILTER (WHERE j.completed_at IS NOT NULL AND j.status <> 'cancelled'),
            'cancelled', count(*) FILTER (WHERE j.completed_at IS NOT NULL AND j.status = 'cancelled')) AS jobs,
          json_build_object(
            'live', sum(j.total_items - j.completed_items - j.failed_items - j.cancelled_items),
            'finished', sum(j.completed_items + j.failed_items), 'cancelled', sum(j.cancelled_items)) AS items,
          (SELECT count(*) FROM processing_queue q
           WHERE q.user_id = ${userId}::uuid AND q.status = 'processing' AND q.job_type = j.job_type) AS processing
        FROM mine j GROUP BY j.job_type) x) AS totals`);
  if (!status) throw new Error("The queues' statement answered no row.");
  return status;
}

function itemsOf(userId: string, jobType: JobType, rows: number): Prisma.Sql {
  const mine = Prisma.sql`user_id = ${userId}::uuid AND job_type = ${jobType}::job_type`;
  return Prisma.sql`(
    SELECT coalesce(json_agg(i ORDER BY i."completedAt" NULLS FIRST, i."createdAt", i.id) FILTER (WHERE i."completedAt" IS NULL), '[]')::jsonb
      || coalesce(json_agg(i ORDER BY i."completedAt" DESC, i.id DESC) FILTER (WHERE i."completedAt" IS NOT NULL), '[]')::jsonb
    FROM (SELECT q.id, q.job_id AS "jobId", q.user_id AS "userId", q.topic_id AS "topicId",
        q.content_piece_id AS "contentPieceId", q.status, q.retry_count AS "retryCount", q.max_retries AS "maxRetries", q.error, q.note,
        ${moment("q.started_at")} AS "startedAt", ${moment("q.completed_at")} AS "completedAt",
        ${moment("q.created_at")} AS "createdAt", ${moment("q.updated_at")} AS "updatedAt"
      FROM (
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NULL ORDER BY created_at, id LIMIT ${rows}::int)
        UNION ALL
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NOT NULL AND status <> 'cancelled'
         ORDER BY completed_at DESC, id DESC LIMIT ${rows}::int)
        UNION ALL
        (SELECT * FROM processing_queue WHERE ${mine} AND completed_at IS NOT NULL AND status = 'cancelled'
         ORDER BY completed_at DESC, id DESC LIMIT ${rows}::int)) q) i)`;
}

/** A moment inside JSON as ISO 8601 in UTC; null stays null. `column` is never a caller's. */
function moment(column: string): Prisma.Sql {
  return Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}
