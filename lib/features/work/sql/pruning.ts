import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { KEPT_FAILED_DAYS, KEPT_JOBS, KEPT_JOBS_OF_SUBJECT } from "@/lib/features/work/rules";

/** Items that one statement removes at most, if no single job has more. */
const MAX_ITEMS = 20_000;

/**
 * Removes ended jobs that are beyond the newest of each subject and of the user and have not failed lately. What they counted is
 * added to the user's totals. Looks at users who have had work within the last day, and returns how many jobs went.
 */
export async function pruneJobs(): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH ranked AS (
      SELECT j.id, j.total_items, row_number() OVER (PARTITION BY j.user_id ORDER BY j.created_at DESC, j.id DESC) AS nth,
        row_number() OVER (PARTITION BY j.job_type, j.subject ORDER BY j.created_at DESC, j.id DESC) AS nth_of_subject,
        j.status = 'failed' AND j.completed_at > now() - make_interval(days => ${KEPT_FAILED_DAYS}::int) AS is_kept
      FROM processing_jobs j WHERE j.completed_at IS NOT NULL
        AND j.user_id IN (SELECT r.user_id FROM processing_jobs r WHERE r.created_at > now() - interval '1 day')),
    old AS (
      SELECT id, sum(total_items) OVER (ORDER BY id) - total_items AS items_before FROM ranked
      WHERE (nth > ${KEPT_JOBS}::int OR nth_of_subject > ${KEPT_JOBS_OF_SUBJECT}::int) AND NOT is_kept),
    gone AS (
      DELETE FROM processing_jobs j USING old WHERE j.id = old.id AND old.items_before < ${MAX_ITEMS}::int AND j.completed_at IS NOT NULL
      RETURNING j.*),
    total AS (
      INSERT INTO work_totals AS t (user_id, job_type, finished_jobs, cancelled_jobs, completed_items, failed_items, cancelled_items)
      SELECT user_id, job_type, count(*) FILTER (WHERE status <> 'cancelled'), count(*) FILTER (WHERE status = 'cancelled'),
        sum(completed_items), sum(failed_items), sum(cancelled_items) FROM gone GROUP BY user_id, job_type ORDER BY user_id, job_type
      ON CONFLICT (user_id, job_type) DO UPDATE SET finished_jobs = t.finished_jobs + excluded.finished_jobs,
        cancelled_jobs = t.cancelled_jobs + excluded.cancelled_jobs, completed_items = t.completed_items + excluded.completed_items,
        failed_items = t.failed_items + excluded.failed_items, cancelled_items = t.cancelled_items + excluded.cancelled_items)
    SELECT count(*)::int AS count FROM gone`);
  return count;
}

/** Removes items that never began and went with the cancellation of their job a day ago; the job goes on counting them. */
export async function pruneUnbegun(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM processing_queue q WHERE (q.id, q.job_type) IN (
      SELECT c.id, c.job_type FROM processing_jobs j JOIN processing_queue c ON c.job_id = j.id
      WHERE j.status = 'cancelled' AND j.job_type <> 'publishing' AND j.completed_at < now() - interval '1 day'
        AND c.status = 'cancelled' AND c.started_at IS NULL LIMIT ${MAX_ITEMS}::int)`);
}
