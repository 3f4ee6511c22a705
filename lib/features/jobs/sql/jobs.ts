import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/jobs/schema";
import { after, COUNTS, ENDED, jobEnd, may } from "@/lib/features/jobs/sql/moves";

/** What a job of this type still has to do in a topic. */
function todo(jobType: JobType): Prisma.Sql {
  return jobType === "outline_generation"
    ? Prisma.sql`NOT p.has_outline`
    : Prisma.sql`p.has_outline AND NOT p.has_body`;
}

export async function countTodo(userId: string, topicId: number, jobType: JobType): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    SELECT count(*)::int AS count FROM content_pieces p
    WHERE p.topic_id = ${topicId}::int AND p.user_id = ${userId}::uuid AND ${todo(jobType)}`);
  return count;
}

/**
 * A job and its items in one statement. No row: nothing to do. A live job of the same topic and type: unique violation.
 * The pieces are locked, so that one deleted at this moment has no item, or its deletion finds the item.
 */
export async function insertJob(userId: string, topicId: number, jobType: JobType) {
  const [row] = await prisma.$queryRaw<{ id: string; totalItems: number }[]>(Prisma.sql`
    WITH piece AS (
      SELECT p.id, p.project_id, p.created_at FROM content_pieces p
      WHERE p.topic_id = ${topicId}::int AND p.user_id = ${userId}::uuid AND ${todo(jobType)} FOR KEY SHARE),
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

/** The names of runs whose items have just been cancelled: see lib/events/catalogue.ts. */
const DISPATCHES = Prisma.sql`(SELECT coalesce(array_agg(id || '-' || dispatch_seq), '{}') FROM item WHERE dispatched_at IS NOT NULL)`;

/**
 * The person ends a live job: what waits is cancelled now, what runs ends by itself. Undefined: no such live job. Called
 * twice: what was just being put back when the job was marked is found waiting the second time.
 */
export async function cancelJob(userId: string, jobId: string): Promise<{ dispatches: string[] } | undefined> {
  const [{ live, dispatches }] = await prisma.$queryRaw<[{ live: number; dispatches: string[] }]>(Prisma.sql`
    WITH asked AS (
      SELECT id FROM processing_jobs WHERE id = ${jobId}::uuid AND user_id = ${userId}::uuid AND completed_at IS NULL),
    item AS (
      UPDATE processing_queue q SET status = ${after("cancel")}, ${ENDED}
      FROM asked WHERE q.job_id = asked.id AND q.status = 'pending'
      RETURNING q.id, q.job_id, q.status, q.dispatch_seq, q.dispatched_at),
    job AS (${jobEnd(
      Prisma.sql`(SELECT asked.id AS job_id, 0 AS completed, 0 AS failed, (SELECT count(*)::int FROM item) AS cancelled FROM asked)`,
      { cancels: true },
    )})
    SELECT (SELECT count(*)::int FROM asked) AS live, ${DISPATCHES} AS dispatches`);
  return live > 0 ? { dispatches } : undefined;
}

/**
 * The failed items of an ended job whose pieces are still there wait again, with all their retries and as new work: an edit
 * made since is what they begin with. Undefined: no such ended job with such items.
 */
export async function retryJob(userId: string, jobId: string): Promise<number | undefined> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH piece AS (
      SELECT p.id FROM content_pieces p JOIN processing_queue q ON q.content_piece_id = p.id
      WHERE q.job_id = ${jobId}::uuid AND p.user_id = ${userId}::uuid FOR KEY SHARE OF p),
    item AS (
      UPDATE processing_queue q SET status = ${after("retry")}, retry_count = 0, waited_seconds = 0, error = NULL, note = NULL,
        not_before = NULL, completed_at = NULL, base_text_version = NULL, run_id = NULL, event_ref = NULL,
        dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, updated_at = now()
      FROM processing_jobs j, piece WHERE j.id = ${jobId}::uuid AND j.user_id = ${userId}::uuid AND j.completed_at IS NOT NULL
        AND q.job_id = j.id AND q.content_piece_id = piece.id AND ${may("retry")} RETURNING q.job_id),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', completed_at = NULL, cancel_requested_at = NULL,
        failed_items = j.failed_items - d.count, revision = j.revision + 1, updated_at = now()
      FROM (SELECT job_id, count(*)::int AS count FROM item GROUP BY job_id) d WHERE j.id = d.job_id)
    SELECT count(*)::int AS count FROM item`);
  return count > 0 ? count : undefined;
}

/** A piece that is deleted takes its live items out of their jobs. Answers their runs' names. */
export async function cancelItemsOfPiece(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  contentId: string,
): Promise<string[]> {
  const [{ dispatches }] = await db.$queryRaw<[{ dispatches: string[] }]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${after("cancel")}, ${ENDED}
      WHERE q.content_piece_id = ${contentId}::uuid AND q.user_id = ${userId}::uuid AND ${may("cancel")}
      RETURNING q.id, q.job_id, q.status, q.dispatch_seq, q.dispatched_at),
    job AS (${jobEnd(COUNTS)})
    SELECT ${DISPATCHES} AS dispatches`);
  return dispatches;
}

/** Items that no run will work on: their piece is gone, or they wait in a job that was cancelled. Answers how many ended. */
export async function cancelOrphans(userId: string | null): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH orphan AS (
      SELECT q.id, q.job_type FROM processing_queue q
      WHERE q.completed_at IS NULL AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
        AND (NOT EXISTS (SELECT 1 FROM content_pieces p WHERE p.id = q.content_piece_id)
          OR (q.status = 'pending' AND EXISTS (SELECT 1 FROM processing_jobs j WHERE j.id = q.job_id AND j.cancel_requested_at IS NOT NULL)))
      ORDER BY q.id FOR UPDATE OF q SKIP LOCKED),
    item AS (
      UPDATE processing_queue q SET status = ${after("cancel")}, ${ENDED}
      FROM orphan o WHERE q.id = o.id AND q.job_type = o.job_type RETURNING q.job_id, q.status),
    job AS (${jobEnd(COUNTS)})
    SELECT count(*)::int AS count FROM item`);
  return count;
}

/** The condition that no queue works on a piece or is about to; `piece` is the alias of its row. */
export function noLiveItem(piece: string): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = ${Prisma.raw(`"${piece}".id`)} AND q.completed_at IS NULL)`;
}
