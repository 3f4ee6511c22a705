import "server-only";
import { Prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/work/schema";
import { ITEM_MOVES, type ItemMove, JOB_ENDS, type JobCondition } from "@/lib/features/work/states";
import { heldBySql } from "@/lib/lease/lease";

/** A queue item's key: the table is partitioned by type. */
export type ItemRef = { itemId: string; jobType: JobType };

/** SQL condition: item `q` has a run of its own. */
export const HAS_RUN = Prisma.sql`q.job_type <> 'publishing'`;

export function isItem({ itemId, jobType }: ItemRef): Prisma.Sql {
  return Prisma.sql`q.id = ${itemId}::uuid AND q.job_type = ${jobType}::job_type`;
}

/** A claimed item, as its holder names it. */
export type ClaimRef = ItemRef & { token: string };

/** SQL condition: this token holds item `q`. A check of the table allows a token only on items in progress. */
export function holdsClaim(ref: ClaimRef): Prisma.Sql {
  return Prisma.sql`${isItem(ref)} AND q.claim_token = ${ref.token}::uuid`;
}

/** SQL condition: a call of the item is under way, as far as its lease tells. */
export const isAtWorkSql = (item: Prisma.Sql) =>
  heldBySql("writing", Prisma.sql`${item}.content_piece_id::text`, Prisma.sql`${item}.claim_token`);
export const isAtWork = isAtWorkSql(Prisma.sql`q`);

/** SQL condition: item `q` may make this move. */
export function canMove(move: ItemMove): Prisma.Sql {
  return Prisma.raw(`q.status IN (${ITEM_MOVES[move].from.map((status) => `'${status}'`).join(", ")})`);
}

export function statusAfter(move: ItemMove): Prisma.Sql {
  return Prisma.raw(`'${ITEM_MOVES[move].to}'::processing_status`);
}

/** SQL value: the number of the item's latest event, which may be the release before's. */
export const latestSending = Prisma.sql`greatest(q.sends, q.dispatch_seq)`;

/** SQL assignments: nobody works on the item any more. */
export const CLEAR_CLAIM = Prisma.sql`claim_token = NULL, is_try_open = false, updated_at = now()`;
export const SET_ENDED = Prisma.sql`${CLEAR_CLAIM}, completed_at = now(), not_before = NULL, probed_at = NULL`;

/** SQL table: the items that a CTE `item` (job_id, status) has ended, counted by job. */
export const ENDED_COUNTS = Prisma.sql`(SELECT job_id, count(*) FILTER (WHERE status = 'completed')::int AS completed,
  count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
  FROM item GROUP BY job_id ORDER BY job_id)`;

/**
 * SQL that adds the items in `ended` (job_id, completed, failed, cancelled) to their jobs' counters; nothing else changes
 * those, and the last item ends the job. `cancels`: the user cancels the job as well. Lock order: item, lease, job.
 */
export function advanceJob(ended: Prisma.Sql, { cancels = false } = {}): Prisma.Sql {
  const all = Prisma.sql`j.completed_items + j.failed_items + j.cancelled_items + d.completed + d.failed + d.cancelled`;
  return Prisma.sql`
    UPDATE processing_jobs j SET
      completed_items = j.completed_items + d.completed, failed_items = j.failed_items + d.failed,
      cancelled_items = j.cancelled_items + d.cancelled, revision = j.revision + 1, updated_at = now(),
      cancel_requested_at = CASE WHEN ${cancels}::boolean THEN coalesce(j.cancel_requested_at, now()) ELSE j.cancel_requested_at END,
      status = (CASE WHEN ${all} < j.total_items THEN j.status::text ${endStatus(cancels)} END)::processing_status,
      completed_at = CASE WHEN ${all} < j.total_items THEN NULL ELSE now() END
    FROM ${ended} d WHERE j.id = d.job_id`;
}

/** JOB_ENDS as the WHENs of a CASE. */
function endStatus(cancels: boolean): Prisma.Sql {
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
