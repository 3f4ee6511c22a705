import "server-only";
import { Prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/jobs/schema";
import { ITEM_MOVES, type ItemMove, JOB_ENDS, type JobCondition } from "@/lib/features/jobs/states";

/** A queue item's address: the table is partitioned by type, so both are needed. */
export type ItemRef = { itemId: string; jobType: JobType };

export function isItem({ itemId, jobType }: ItemRef): Prisma.Sql {
  return Prisma.sql`q.id = ${itemId}::uuid AND q.job_type = ${jobType}::job_type`;
}

/** The condition that item `q` may make this move. */
export function may(move: ItemMove): Prisma.Sql {
  return Prisma.raw(`q.status IN (${ITEM_MOVES[move].from.map((status) => `'${status}'`).join(", ")})`);
}

/** The status an item has after a move. */
export function after(move: ItemMove): Prisma.Sql {
  return Prisma.raw(`'${ITEM_MOVES[move].to}'::processing_status`);
}

/** What an item loses that nobody works on any more. */
export const LET_GO = Prisma.sql`claim_token = NULL, is_try_open = false, updated_at = now()`;
/** The same of one that has ended. */
export const ENDED = Prisma.sql`${LET_GO}, completed_at = now(), is_held = false, not_before = NULL`;

/** The numbers of a CTE `item` of (job_id, status) whose rows have just ended, by job. */
export const COUNTS = Prisma.sql`(SELECT job_id, count(*) FILTER (WHERE status = 'completed')::int AS completed,
  count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
  FROM item GROUP BY job_id ORDER BY job_id)`;

/**
 * The end of items and of their job in one statement: the counters change here alone, and the last item ends the job.
 * `ended` is a table of (job_id, completed, failed, cancelled) with the numbers that ended now; `cancels`: the person asks
 * for the job's end with it. Lock order: item, lease, job.
 */
export function jobEnd(ended: Prisma.Sql, { cancels = false } = {}): Prisma.Sql {
  const all = Prisma.sql`j.completed_items + j.failed_items + j.cancelled_items + d.completed + d.failed + d.cancelled`;
  return Prisma.sql`
    UPDATE processing_jobs j SET
      completed_items = j.completed_items + d.completed, failed_items = j.failed_items + d.failed,
      cancelled_items = j.cancelled_items + d.cancelled, revision = j.revision + 1, updated_at = now(),
      cancel_requested_at = CASE WHEN ${cancels}::boolean THEN coalesce(j.cancel_requested_at, now()) ELSE j.cancel_requested_at END,
      status = (CASE WHEN ${all} < j.total_items THEN j.status::text ${jobStatus(cancels)} END)::processing_status,
      completed_at = CASE WHEN ${all} < j.total_items THEN NULL ELSE now() END
    FROM ${ended} d WHERE j.id = d.job_id`;
}

/** The WHENs of a job's end, from JOB_ENDS. */
function jobStatus(cancels: boolean): Prisma.Sql {
  const conditions: Record<JobCondition, string> = {
    cancelRequested: cancels ? "true" : "j.cancel_requested_at IS NOT NULL",
    anyCancelled: "j.cancelled_items + d.cancelled > 0",
    anyCompleted: "j.completed_items + d.completed > 0",
    anyFailed: "j.failed_items + d.failed > 0",
  };
  const lines = JOB_ENDS.map(({ status, when }) =>
    when.length === 0
      ? `ELSE '${status}'`
      : `WHEN ${when.map((condition) => conditions[condition]).join(" AND ")} THEN '${status}'`,
  );
  return Prisma.raw(lines.join(" "));
}
