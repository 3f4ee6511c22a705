import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { lockedPiecesSql, pieceExistsSql, unwrittenPiecesSql } from "@/lib/features/content/sql/shared";
import { JOB_FIELDS } from "@/lib/features/work/rules";
import type { JobType } from "@/lib/features/work/schema";
import {
  advanceJob,
  canMove,
  ENDED_COUNTS,
  HAS_RUN,
  isAtWork,
  latestSending,
  SET_ENDED,
  statusAfter,
} from "@/lib/features/work/sql/moves";

/**
 * Creates a job with its items. Undefined: nothing to write. Throws a unique violation while a job of this topic and type is
 * live. Locks the pieces, so that a concurrent deletion either comes first or finds the item.
 */
export async function insertJob(userId: string, topicId: number, jobType: JobType) {
  const [row] = await prisma.$queryRaw<{ id: string; totalItems: number }[]>(Prisma.sql`
    WITH piece AS (
      ${unwrittenPiecesSql(userId, topicId, JOB_FIELDS[jobType])} FOR KEY SHARE),
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

/** Takes back a job that nobody has begun. */
export async function deleteJob(jobId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM processing_jobs WHERE id = ${jobId}::uuid AND started_at IS NULL`);
}

/**
 * Cancels a live job, if there is one. What waits or is between two calls ends at once; a call under way ends its item when it
 * saves. Locks those too, so that an item that gives its claim back is found without one.
 */
export async function cancelJob(userId: string, jobId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    WITH asked AS (
      SELECT id FROM processing_jobs WHERE id = ${jobId}::uuid AND user_id = ${userId}::uuid AND completed_at IS NULL),
    live AS (
      SELECT q.id, q.job_type, q.claim_token FROM processing_queue q JOIN asked ON q.job_id = asked.id
      WHERE q.completed_at IS NULL ORDER BY q.id FOR UPDATE OF q),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED}
      FROM live WHERE q.id = live.id AND q.job_type = live.job_type AND live.claim_token IS NULL RETURNING q.id)
    ${advanceJob(
      Prisma.sql`(SELECT asked.id AS job_id, 0 AS completed, 0 AS failed, (SELECT count(*)::int FROM item) AS cancelled FROM asked)`,
      { cancels: true },
    )}`);
}

/**
 * Requeues failed items whose pieces still exist, as new work: all retries, and the text as it is now. What is heard later of their
 * former runs is no longer about them. `which` is an SQL condition of item `q`. Spares jobs that are being cancelled. Returns
 * their jobs, and how many of each.
 */
export function retryItems(userId: string, which: Prisma.Sql): Promise<{ jobId: string; count: number }[]> {
  return prisma.$queryRaw<{ jobId: string; count: number }[]>(Prisma.sql`
    WITH piece AS (
      ${lockedPiecesSql(userId, Prisma.sql`SELECT q.content_piece_id FROM processing_queue q WHERE ${which}`)}),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter("retry")}, retry_count = 0, error = NULL, note = NULL, result = q.result - 'section',
        not_before = NULL, completed_at = NULL, dismissed_at = NULL, base_text_version = NULL, run_id = NULL, sent_at = NULL,
        sends = ${latestSending} + 1, dispatched_at = NULL, dispatch_seq = ${latestSending} + 1, updated_at = now()
      FROM processing_jobs j, piece WHERE j.id = q.job_id AND j.user_id = ${userId}::uuid AND ${which}
        AND (j.completed_at IS NOT NULL OR j.cancel_requested_at IS NULL)
        AND q.content_piece_id = piece.id AND ${canMove("retry")} RETURNING q.job_id),
    retried AS (SELECT job_id, count(*)::int AS count FROM item GROUP BY job_id),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', completed_at = NULL, cancel_requested_at = NULL, tries = 0, error = NULL,
        error_type = NULL, not_before = NULL, failed_items = j.failed_items - d.count, revision = j.revision + 1, updated_at = now()
      FROM retried d WHERE j.id = d.job_id)
    SELECT job_id AS "jobId", count FROM retried`);
}

/** See retryItems: those of a job. Undefined: there are none. */
export async function retryJob(userId: string, jobId: string): Promise<number | undefined> {
  const [job] = await retryItems(userId, Prisma.sql`q.job_id = ${jobId}::uuid`);
  return job?.count;
}

/** Cancels what nobody works on any more of deleted pieces and cancelled jobs. Returns whose it was. */
export async function cancelOrphans(userId: string | null): Promise<string[]> {
  const [{ userIds }] = await prisma.$queryRaw<[{ userIds: string[] }]>(Prisma.sql`
    WITH orphan AS (
      SELECT q.id, q.job_type FROM processing_queue q
      WHERE ${HAS_RUN} AND q.completed_at IS NULL AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
        AND (NOT ${pieceExistsSql(Prisma.sql`q.content_piece_id`)} OR (NOT ${isAtWork}
          AND EXISTS (SELECT 1 FROM processing_jobs j WHERE j.id = q.job_id AND j.cancel_requested_at IS NOT NULL)))
      ORDER BY q.id FOR UPDATE OF q SKIP LOCKED),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED}
      FROM orphan o WHERE q.id = o.id AND q.job_type = o.job_type RETURNING q.job_id, q.status, q.user_id),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT coalesce(array_agg(DISTINCT user_id), '{}') AS "userIds" FROM item`);
  return userIds;
}
