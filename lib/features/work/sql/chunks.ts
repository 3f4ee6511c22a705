import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { projectExistsSql, projectTitleSql } from "@/lib/features/projects/sql/shared";
import type { ChunkType } from "@/lib/features/work/schema";
import { advanceJob, CLEAR_CLAIM, canMove, ENDED_COUNTS, SET_ENDED, statusAfter } from "@/lib/features/work/sql/moves";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";
import { secondsLeftSql } from "@/lib/lease/lease";

/** Jobs with one run each, which works on their items in chunks under the job's lease. */

/** `input` and `facts` are as the job's type has them. */
export type ChunkedJob = {
  id: string;
  userId: string;
  projectId: number;
  projectTitle: string;
  input: unknown;
  facts: unknown;
  status: ProcessingStatus;
  tries: number;
  waitSeconds: number;
  error: string | null;
  errorType: string | null;
  cancelRequestedAt: Date | null;
  startedAt: Date | null;
  completedAt: Date | null;
  createdAt: Date;
  totalItems: number;
  completedItems: number;
  failedItems: number;
  cancelledItems: number;
};

/** SQL condition: item `q` belongs to the job. */
const isOf = (jobId: string, type: ChunkType) =>
  Prisma.sql`q.job_id = ${jobId}::uuid AND q.job_type = ${type}::job_type`;

type Which = { id?: string | null; projectId?: number | null; userId: string | null };

/** The newest job that matches; see selectChunkedJobs. */
export async function selectChunkedJob(
  type: ChunkType,
  which: Which,
  facts?: Prisma.Sql,
): Promise<ChunkedJob | undefined> {
  const [job] = await selectChunkedJobs(type, which, facts, 1);
  return job;
}

/**
 * The newest jobs that match, of projects that are not deleted. `facts` is an SQL aggregate of a job's items `q`; without a user
 * they may be anybody's, as a job's own run needs it.
 */
export function selectChunkedJobs(
  type: ChunkType,
  { id = null, projectId = null, userId }: Which,
  facts: Prisma.Sql | undefined,
  limit: number,
): Promise<ChunkedJob[]> {
  return prisma.$queryRaw<ChunkedJob[]>(Prisma.sql`
    SELECT j.id, j.user_id AS "userId", j.project_id AS "projectId", ${projectTitleSql(Prisma.sql`j.project_id`)} AS "projectTitle", j.input, j.status::text AS status, j.tries,
      greatest(0, ceil(extract(epoch FROM j.not_before - now())))::int AS "waitSeconds", j.error, j.error_type AS "errorType",
      j.cancel_requested_at AS "cancelRequestedAt", j.started_at AS "startedAt", j.completed_at AS "completedAt",
      j.created_at AS "createdAt", j.total_items AS "totalItems", j.completed_items AS "completedItems",
      j.failed_items AS "failedItems", j.cancelled_items AS "cancelledItems",
      ${facts ? Prisma.sql`(SELECT ${facts} FROM processing_queue q WHERE q.job_id = j.id AND q.job_type = j.job_type)` : Prisma.sql`NULL`} AS facts
    FROM processing_jobs j WHERE j.job_type = ${type}::job_type AND (${id}::uuid IS NULL OR j.id = ${id}::uuid)
      AND (${projectId}::int IS NULL OR j.project_id = ${projectId}::int)
      AND (${userId}::uuid IS NULL OR j.user_id = ${userId}::uuid) AND ${projectExistsSql("j.project_id")}
    ORDER BY j.created_at DESC, j.id DESC LIMIT ${limit}::int`);
}

export type ChunkItem = {
  position: number;
  contentId: string;
  status: ProcessingStatus;
  error: string | null;
  result: unknown;
};

/** The job's items after a position, in order. */
export function selectChunkItems(
  type: ChunkType,
  jobId: string,
  { status, after = -1, limit }: { status?: ProcessingStatus | undefined; after?: number | undefined; limit: number },
): Promise<ChunkItem[]> {
  const only = status ? Prisma.sql`AND q.status = ${status}::processing_status` : Prisma.empty;
  return prisma.$queryRaw<ChunkItem[]>(Prisma.sql`
    SELECT q.position, q.content_piece_id AS "contentId", q.status::text AS status, q.error, q.result
    FROM processing_queue q WHERE ${isOf(jobId, type)} AND q.position > ${after}::int ${only}
    ORDER BY q.position LIMIT ${limit}::int`);
}

export type OpenedJob = { id: string; input: unknown; isCancelled: boolean; isNew: boolean };

/**
 * Opens a job of the project, or finds the live one, and locks it with its live items. Undefined: that one has just ended.
 */
export async function openChunkedJob(
  db: Pick<Db, "$queryRaw">,
  type: ChunkType,
  { userId, projectId, input }: { userId: string; projectId: number; input: object },
): Promise<OpenedJob | undefined> {
  const [made] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    INSERT INTO processing_jobs (user_id, project_id, job_type, input, total_items)
    VALUES (${userId}::uuid, ${projectId}::int, ${type}::job_type, ${JSON.stringify(input)}::jsonb, 0)
    ON CONFLICT (job_type, subject) WHERE completed_at IS NULL DO NOTHING RETURNING id`);
  const isLive = Prisma.sql`j.project_id = ${projectId}::int AND j.job_type = ${type}::job_type
    AND j.user_id = ${userId}::uuid AND j.completed_at IS NULL`;
  // A run that saves locks items before the job, too.
  await db.$queryRaw(Prisma.sql`
    SELECT 1 FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id AND j.job_type = q.job_type
    WHERE ${isLive} AND q.completed_at IS NULL ORDER BY q.id FOR UPDATE OF q`);
  const [job] = await db.$queryRaw<OpenedJob[]>(Prisma.sql`
    SELECT j.id, j.input, j.cancel_requested_at IS NOT NULL AS "isCancelled", ${made !== undefined}::boolean AS "isNew"
    FROM processing_jobs j WHERE ${isLive} FOR UPDATE`);
  return job;
}

/** `input` is merged into what the item's result says. */
export type NewItem = { contentId: string; input: object };

/**
 * Adds pieces to a job that openChunkedJob has locked. A new item takes the place of one that has ended, unless it completed and
 * `isDone`, SQL about item `q` and its job `j`, holds. What is at work waits again afterwards: it may have been read before it
 * changed. Of what waits, the input is brought up to date.
 */
export async function addItems(
  db: Pick<Db, "$executeRaw" | "$queryRaw">,
  jobId: string,
  { type, items, isDone }: { type: ChunkType; items: NewItem[]; isDone: Prisma.Sql },
): Promise<void> {
  // Joined here: the database does not know how many there are, and may compare each with each.
  const known = await db.$queryRaw<KnownItem[]>(Prisma.sql`
    SELECT q.id, q.content_piece_id AS "contentId", q.status::text AS status, q.position, q.result,
      q.completed_at IS NOT NULL AND NOT (q.status = 'completed' AND ${isDone}) AS "isOver"
    FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE ${isOf(jobId, type)} ORDER BY q.position`);
  const byPiece = new Map(known.map((item) => [item.contentId, item]));
  const asked = items.map((item) => ({ ...item, known: byPiece.get(item.contentId) }));
  const live = asked.filter((item) => item.known && !isEnded(item.known.status));
  await db.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET updated_at = now(),
      result = q.result || x.input || CASE WHEN q.status = 'processing' THEN '{"isAskedAgain": true}'::jsonb ELSE '{}' END
    FROM jsonb_to_recordset(${JSON.stringify(live.map((item) => ({ id: item.known?.id, input: item.input })))}::jsonb)
      AS x (id uuid, input jsonb) WHERE q.id = x.id AND q.job_type = ${type}::job_type`);
  const over = asked.flatMap((item) => (item.known?.isOver ? [item.known] : []));
  await db.$executeRaw(Prisma.sql`
    DELETE FROM processing_queue q WHERE q.id = ANY(${over.map(({ id }) => id)}::uuid[]) AND q.job_type = ${type}::job_type`);
  let position = (known.at(-1)?.position ?? -1) + 1;
  const added = asked
    .filter((item) => !item.known || item.known.isOver)
    .map((item) => ({
      contentId: item.contentId,
      position: item.known?.position ?? position++,
      result: { ...item.known?.result, ...item.input },
    }));
  await db.$executeRaw(Prisma.sql`
    INSERT INTO processing_queue (job_type, job_id, user_id, content_piece_id, position, result)
    SELECT j.job_type, j.id, j.user_id, x."contentId", x.position, x.result
    FROM processing_jobs j, jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS x ("contentId" uuid, position int, result jsonb)
    WHERE j.id = ${jobId}::uuid`);
  const ended = (status: ProcessingStatus) => over.filter((item) => item.status === status).length;
  await db.$executeRaw(Prisma.sql`
    UPDATE processing_jobs SET revision = revision + 1, updated_at = now(), total_items = total_items + ${added.length - over.length}::int,
      completed_items = completed_items - ${ended("completed")}::int, failed_items = failed_items - ${ended("failed")}::int,
      cancelled_items = cancelled_items - ${ended("cancelled")}::int WHERE id = ${jobId}::uuid`);
}

type KnownItem = {
  id: string;
  contentId: string;
  status: ProcessingStatus;
  position: number;
  result: object;
  isOver: boolean;
};

/** A job under the lease of this token. */
export type HeldJob = { jobId: string; type: ChunkType; token: string };

/** SQL condition: item `q` is claimed under this lease. */
const isClaimed = ({ jobId, type, token }: HeldJob) =>
  Prisma.sql`${isOf(jobId, type)} AND q.claim_token = ${token}::uuid`;

export type ChunkedClaim = { contentId: string; result: unknown };

/** Claims the next pending items in order; none when the job was cancelled or has ended. */
export async function claimChunk({ jobId, type, token }: HeldJob, size: number): Promise<ChunkedClaim[]> {
  const rows = await prisma.$queryRaw<(ChunkedClaim & { position: number })[]>(Prisma.sql`
    WITH job AS (
      UPDATE processing_jobs SET status = 'processing', started_at = coalesce(started_at, now()), revision = revision + 1, updated_at = now()
      WHERE id = ${jobId}::uuid AND completed_at IS NULL AND cancel_requested_at IS NULL RETURNING id),
    next AS (
      SELECT q.id FROM processing_queue q JOIN job ON job.id = q.job_id WHERE ${isOf(jobId, type)} AND ${canMove("claim")}
      ORDER BY q.position LIMIT ${size}::int FOR UPDATE OF q SKIP LOCKED)
    UPDATE processing_queue q SET status = ${statusAfter("claim")}, claim_token = ${token}::uuid, claimed_at = now(),
      started_at = coalesce(q.started_at, now()), updated_at = now(), result = q.result - 'isAskedAgain'
    FROM next WHERE q.id = next.id AND q.job_type = ${type}::job_type
    RETURNING q.content_piece_id AS "contentId", q.result, q.position`);
  return rows.sort((one, other) => one.position - other.position);
}

/** `result` is merged into what the item's result says. */
export type ChunkResult = { contentId: string; isOk: boolean; error: string | null; result: object };

/** Saves the results of claimed items, and ends the job after its last one. */
export function saveChunk(job: HeldJob, results: ChunkResult[]): Promise<void> {
  return transaction(async (db) => {
    const isCancelled = await lockItems(db, job, isClaimed(job));
    const isAgain = Prisma.sql`(q.result ? 'isAskedAgain')`;
    const again = isCancelled ? statusAfter("cancel") : statusAfter("requeue");
    await db.$executeRaw(Prisma.sql`
      WITH item AS (
        UPDATE processing_queue q SET ${CLEAR_CLAIM}, completed_at = CASE WHEN ${isCancelled}::boolean OR NOT ${isAgain} THEN now() END,
          status = CASE WHEN ${isAgain} THEN ${again} WHEN x."isOk" THEN ${statusAfter("complete")} ELSE ${statusAfter("fail")} END,
          error = CASE WHEN NOT ${isAgain} THEN x.error END, result = q.result || x.result
        FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS x ("contentId" uuid, "isOk" boolean, error text, result jsonb)
        WHERE ${isClaimed(job)} AND q.content_piece_id = x."contentId" RETURNING q.job_id, q.status)
      ${advanceJob(ENDED_COUNTS)}`);
  });
}

/**
 * Locks items and then their job, so that a cancellation either comes first or finds them without a claim; returns whether it
 * came first. These are statements of their own: in one, PostgreSQL 18.4 crashes where it has waited for the job.
 */
async function lockItems(db: Pick<Db, "$queryRaw">, { jobId }: HeldJob, items: Prisma.Sql): Promise<boolean> {
  await db.$queryRaw(Prisma.sql`SELECT 1 FROM processing_queue q WHERE ${items} ORDER BY q.id FOR UPDATE`);
  const [job] = await db.$queryRaw<{ isCancelled: boolean }[]>(Prisma.sql`
    SELECT cancel_requested_at IS NOT NULL AS "isCancelled" FROM processing_jobs WHERE id = ${jobId}::uuid FOR UPDATE`);
  // If there is no row, the project was deleted.
  return job?.isCancelled ?? true;
}

/** Gives back what is claimed: it waits again, or ends with a cancelled job. */
export function giveBackChunk(job: HeldJob): Promise<void> {
  return giveBackItems(job, isClaimed(job), null);
}

/**
 * Gives back what an earlier holder of the lease never did. It counts as an attempt, and fails the item with `error` if that was
 * the last.
 */
export function giveBackLost(job: HeldJob, error: string): Promise<void> {
  const isLost = Prisma.sql`q.status = 'processing' AND q.claim_token IS DISTINCT FROM ${job.token}::uuid`;
  return giveBackItems(job, Prisma.sql`${isOf(job.jobId, job.type)} AND ${isLost}`, error);
}

function giveBackItems(job: HeldJob, items: Prisma.Sql, lostError: string | null): Promise<void> {
  const isLost = lostError !== null;
  return transaction(async (db) => {
    const isCancelled = await lockItems(db, job, items);
    const isOver = Prisma.sql`(${isCancelled}::boolean OR (${isLost}::boolean AND q.retry_count >= q.max_retries))`;
    const end = isCancelled ? statusAfter("cancel") : statusAfter("fail");
    await db.$executeRaw(Prisma.sql`
      WITH item AS (
        UPDATE processing_queue q SET ${CLEAR_CLAIM}, status = CASE WHEN ${isOver} THEN ${end} ELSE ${statusAfter("requeue")} END,
          completed_at = CASE WHEN ${isOver} THEN now() END, error = CASE WHEN ${isOver} THEN ${isCancelled ? null : lostError} END,
          retry_count = q.retry_count + (${isLost}::boolean AND NOT ${isOver})::int
        WHERE ${items} RETURNING q.job_id, q.status)
      ${advanceJob(ENDED_COUNTS)}`);
  });
}

/** What the job needs cannot be reached: it waits. */
export async function noteUnreachable(
  jobId: string,
  { error, errorType, waitSeconds }: { error: string; errorType: string; waitSeconds: number },
): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_jobs SET tries = tries + 1, error = ${error}, error_type = ${errorType}, revision = revision + 1,
      updated_at = now(), not_before = now() + make_interval(secs => ${waitSeconds}::int)
    WHERE id = ${jobId}::uuid AND completed_at IS NULL`);
}

/** Fails what is pending of a job, which then ends. */
export async function failPending(
  { jobId, type }: HeldJob,
  { error, result }: { error: string; result: object },
): Promise<void> {
  await retryOnDeadlock(() =>
    prisma.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("giveUp")}, ${SET_ENDED}, error = ${error},
        result = q.result || ${JSON.stringify(result)}::jsonb
      WHERE ${isOf(jobId, type)} AND q.status = 'pending' RETURNING q.job_id, q.status)
    ${advanceJob(ENDED_COUNTS)}`),
  );
}

/** It is reached again. */
export async function noteReached(jobId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_jobs SET tries = 0, error = NULL, error_type = NULL, not_before = NULL
    WHERE id = ${jobId}::uuid`);
}

/** Live jobs that nobody works on, such as those whose event or process was lost. */
export function selectIdleJobs(type: ChunkType, graceSeconds: number, limit: number) {
  return prisma.$queryRaw<{ id: string; userId: string }[]>(Prisma.sql`
    SELECT j.id, j.user_id AS "userId" FROM processing_jobs j
    WHERE j.completed_at IS NULL AND j.job_type = ${type}::job_type AND j.created_at < now() - make_interval(secs => ${graceSeconds}::int)
      AND (j.not_before IS NULL OR j.not_before <= now()) AND ${secondsLeftSql("bulk", Prisma.sql`j.id::text`)} = 0
    ORDER BY random() LIMIT ${limit}::int`);
}
