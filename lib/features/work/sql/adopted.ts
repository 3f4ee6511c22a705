import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { advanceJob, SET_ENDED, statusAfter } from "@/lib/features/work/sql/moves";
import { secondsLeftSql } from "@/lib/lease/lease";

/** How many are taken over at once; each may have 10,000 items. */
const MAX_ADOPTED = 10;

/**
 * Takes over publishing jobs of the release before, which keeps them in tables of their own: those that it does not work on now,
 * and those that have ended there. Returns how many. Goes with those tables.
 */
export function adoptJobs(): Promise<number> {
  return transaction(async (db) => {
    const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      SELECT o.id FROM publishing_jobs o
      WHERE ${secondsLeftSql("bulk", Prisma.sql`o.id::text`)} = 0
        AND NOT EXISTS (SELECT 1 FROM processing_jobs j WHERE j.job_type = 'publishing' AND j.subject = 'project:' || o.project_id
          AND j.completed_at IS NULL AND o.completed_at IS NULL)
      ORDER BY o.completed_at IS NOT NULL, o.created_at LIMIT ${MAX_ADOPTED}::int FOR UPDATE OF o SKIP LOCKED`);
    if (rows.length === 0) return 0;
    const adopted = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      INSERT INTO processing_jobs (id, user_id, project_id, job_type, status, total_items, completed_items, failed_items, cancelled_items,
        tries, not_before, error, error_type, input, cancel_requested_at, started_at, completed_at, created_at)
      SELECT o.id, o.user_id, o.project_id, 'publishing', o.status, count(i.*), count(*) FILTER (WHERE i.status = 'completed'),
        count(*) FILTER (WHERE i.status = 'failed'), count(*) FILTER (WHERE i.status = 'cancelled'), o.tries, o.not_before, o.error,
        o.error_type, jsonb_build_object('verb', o.verb), o.cancel_requested_at, o.started_at, o.completed_at, o.created_at
      FROM publishing_jobs o LEFT JOIN publishing_items i ON i.job_id = o.id
      WHERE o.id = ANY(${rows.map(({ id }) => id)}::uuid[]) GROUP BY o.id
      -- A call may have opened a job of the project at this moment.
      ON CONFLICT (job_type, subject) WHERE completed_at IS NULL DO NOTHING RETURNING id`);
    const ids = adopted.map(({ id }) => id);
    await db.$executeRaw(Prisma.sql`
      INSERT INTO processing_queue (job_type, job_id, user_id, content_piece_id, position, status, error, result, completed_at, created_at)
      SELECT 'publishing', o.id, o.user_id, i.content_piece_id, i.position,
        CASE WHEN i.status = 'processing' THEN 'pending' ELSE i.status END, i.error,
        jsonb_strip_nulls(jsonb_build_object('title', i.title, 'categoryId', i.category_id, 'type', i.error_type, 'detail', i.detail,
          'wpPostId', i.post_id, 'wpPermalink', i.permalink, 'wpPostStatus', i.site_status, 'wpPostDate', i.site_date,
          'isWritten', CASE WHEN NOT i.is_unchanged AND (i.status = 'completed' OR i.post_id IS NOT NULL) THEN true END)),
        CASE WHEN i.status NOT IN ('pending', 'processing') THEN coalesce(o.completed_at, now()) END, o.created_at
      FROM publishing_items i JOIN publishing_jobs o ON o.id = i.job_id WHERE o.id = ANY(${ids}::uuid[])`);
    await endLeftOver(db, ids);
    await db.$executeRaw(Prisma.sql`DELETE FROM publishing_jobs WHERE id = ANY(${ids}::uuid[])`);
    return ids.length;
  });
}

/** Is the job still in the tables of the release before? */
export async function isLeftToAdopt(jobId: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>(Prisma.sql`SELECT 1 FROM publishing_jobs WHERE id = ${jobId}::uuid`);
  return rows.length > 0;
}

/** Has the project a live job in the tables of the release before, which works on it? */
export async function isBusyBefore(projectId: number): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM publishing_jobs WHERE project_id = ${projectId}::int AND completed_at IS NULL`);
  return rows.length > 0;
}

/** The release before leaves it to a job's next look to cancel what waits, and to end the job after its last item. */
async function endLeftOver(db: Pick<Db, "$executeRaw">, ids: string[]): Promise<void> {
  const isTaken = Prisma.sql`j.id = ANY(${ids}::uuid[]) AND j.completed_at IS NULL`;
  await db.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED} FROM processing_jobs j
      WHERE ${isTaken} AND j.cancel_requested_at IS NOT NULL AND q.job_id = j.id AND q.completed_at IS NULL RETURNING q.job_id)
    ${advanceJob(Prisma.sql`(
      SELECT j.id AS job_id, 0 AS completed, 0 AS failed, (SELECT count(*)::int FROM item WHERE item.job_id = j.id) AS cancelled
      FROM processing_jobs j WHERE ${isTaken})`)}`);
}
