import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/work/schema";
import { HAS_RUN, isAtWork, isAtWorkSql, latestSending } from "@/lib/features/work/sql/moves";
import { isHeldSql } from "@/lib/features/work/sql/waits";

export type SentItem = { itemId: string; jobType: JobType; jobId: string; userId: string; sends: number };

const isOf = (userId: string | null) => Prisma.sql`(${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)`;

/** SQL conditions: the item waits for a run, and none is at work on it. */
const isOpen = Prisma.sql`${HAS_RUN} AND q.completed_at IS NULL AND NOT ${isAtWork}`;

/** SQL condition: its time has come. */
const isDue = (seconds = 0) =>
  Prisma.sql`(q.not_before IS NULL OR q.not_before <= now() - make_interval(secs => ${seconds}::int))`;

/** Marks the items that `next` (id, job_type) selects as sent and returns them, oldest first. */
async function markSent(next: Prisma.Sql, isProbe = false): Promise<SentItem[]> {
  // The release before knows an item's latest event by dispatch_seq.
  return prisma.$queryRaw<SentItem[]>(Prisma.sql`
    WITH next AS (${next}),
    sent AS (
      UPDATE processing_queue q SET sent_at = now(), sends = ${latestSending} + 1,
        dispatched_at = now(), dispatch_seq = ${latestSending} + 1, is_held = false,
        probed_at = CASE WHEN ${isProbe}::boolean THEN now() END
      FROM next WHERE q.id = next.id AND q.job_type = next.job_type
      RETURNING q.id AS "itemId", q.job_type::text AS "jobType", q.job_id AS "jobId", q.user_id AS "userId", q.sends, q.created_at)
    SELECT "itemId", "jobType", "jobId", "userId", sends FROM sent ORDER BY created_at, "itemId"`);
}

/** Marks items that no run comes for as sent, oldest first: of a job, of a user or of all. Spares those of the last `graceSeconds`. */
export function takeUnsent(
  { jobId = null, userId = null }: { jobId?: string | null; userId?: string | null },
  graceSeconds: number,
  limit: number,
): Promise<SentItem[]> {
  return markSent(Prisma.sql`
    SELECT q.id, q.job_type FROM processing_queue q
    WHERE ${isOpen} AND q.sent_at IS NULL AND ${isOf(userId)} AND (${jobId}::uuid IS NULL OR q.job_id = ${jobId}::uuid)
      AND q.updated_at <= now() - make_interval(secs => ${graceSeconds}::int) AND NOT ${isHeldSql}
    ORDER BY q.created_at, q.id LIMIT ${limit}::int FOR UPDATE OF q SKIP LOCKED`);
}

/** Marks one item as sent once more, if it waits and may begin. */
export function takeItem(itemId: string): Promise<SentItem[]> {
  return markSent(Prisma.sql`
    SELECT q.id, q.job_type FROM processing_queue q WHERE q.id = ${itemId}::uuid AND ${isOpen} AND NOT ${isHeldSql} FOR UPDATE OF q`);
}

/** The engine did not take these events. */
export async function markUnsent(items: SentItem[]): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET sent_at = NULL, probed_at = NULL
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS x ("itemId" uuid, sends int)
    WHERE q.id = x."itemId" AND q.sends = x.sends AND q.completed_at IS NULL`);
}

/** How long the answer to a probe is waited for; then the engine is asked once more. */
const PROBE_COUNTS = Prisma.sql`interval '1 day'`;

/**
 * Sends the oldest due item of each user and kind again whose items wait although none was claimed for `quietSeconds`: are they
 * lost, or does the engine have no room? The answer is a claim of that item (see markLost). It does so once;
 * an engine that `hasForgotten` the app is probed again, even while something is at work.
 */
export function takeProbes(
  userId: string | null,
  { quietSeconds, hasForgotten = false }: { quietSeconds: number; hasForgotten?: boolean },
  limit: number,
): Promise<SentItem[]> {
  const since = Prisma.sql`now() - make_interval(secs => ${quietSeconds}::int)`;
  const isSame = Prisma.sql`b.user_id = q.user_id AND b.job_type = q.job_type`;
  return markSent(
    Prisma.sql`
    SELECT q.id, q.job_type FROM processing_queue q
    WHERE (q.id, q.job_type) IN (
      SELECT DISTINCT ON (q.user_id, q.job_type) q.id, q.job_type FROM processing_queue q
      WHERE ${isOpen} AND q.sent_at <= ${since} AND ${isDue(quietSeconds)} AND ${isOf(userId)} AND NOT ${isHeldSql}
        AND NOT EXISTS (SELECT 1 FROM provider_waits w WHERE w.user_id = q.user_id AND w.not_before > ${since})
        AND (${hasForgotten}::boolean OR NOT EXISTS (SELECT 1 FROM processing_queue b WHERE ${isSame} AND b.completed_at IS NULL
          AND (b.claimed_at > ${since} OR b.probed_at > now() - ${PROBE_COUNTS} OR ${isAtWorkSql(Prisma.sql`b`)})))
        AND NOT EXISTS (SELECT 1 FROM processing_queue b WHERE ${isSame} AND b.completed_at > ${since} AND b.claimed_at > ${since})
      ORDER BY q.user_id, q.job_type, q.created_at, q.id LIMIT ${limit}::int)
    FOR UPDATE OF q SKIP LOCKED`,
    true,
  );
}

/** A probe was claimed: what was sent before it and still waits is lost, and is to be sent again. */
export async function markLost(userId: string, jobType: JobType, probedAt: string): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET sent_at = NULL
    WHERE q.user_id = ${userId}::uuid AND q.job_type = ${jobType}::job_type AND ${isOpen} AND ${isDue()}
      AND q.sent_at < ${probedAt}::timestamptz`);
}
