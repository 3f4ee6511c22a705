import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/work/schema";
import { heldBySql } from "@/lib/lease/lease";

export type WaitingItem = { itemId: string; jobType: JobType; jobId: string; userId: string; dispatch: string };

const WAITING = Prisma.sql`q.id AS "itemId", q.job_type::text AS "jobType", q.job_id AS "jobId", q.user_id AS "userId",
  q.id || '-' || q.dispatch_seq AS dispatch`;

const isWaiting = Prisma.sql`q.status = 'pending' AND NOT q.is_held`;
const isOf = (userId: string | null) => Prisma.sql`(${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)`;

/** A job's items that were not sent to the engine yet, oldest first. */
export function selectUndispatched(jobId: string, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    SELECT ${WAITING} FROM processing_queue q WHERE q.job_id = ${jobId}::uuid AND ${isWaiting} AND q.dispatched_at IS NULL
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/** Items that should have been sent to the engine this long ago. */
export function selectUnsent(userId: string | null, graceSeconds: number, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    SELECT ${WAITING} FROM processing_queue q WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NULL
      AND q.updated_at <= now() - make_interval(secs => ${graceSeconds}::int)
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/** Records that items were sent to the engine, with its ids of their events. */
export async function markDispatched(items: { itemId: string; dispatch: string; eventRef: string | undefined }[]) {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET dispatched_at = now(), event_ref = sent."eventRef"
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS sent ("itemId" uuid, dispatch text, "eventRef" text)
    WHERE q.id = sent."itemId" AND q.id || '-' || q.dispatch_seq = sent.dispatch AND q.dispatched_at IS NULL`);
}

/** The engine knows an item's run by its id, or by its event's until it starts. */
export type OverdueItem = { itemId: string; runId: string | null; eventRef: string | null; isLongOverdue: boolean };

/**
 * Items sent to the engine whose runs should have claimed them `graceSeconds` ago, oldest first. Leaves out users with an item
 * in progress: their other items wait for it. Without a grace period it selects every item sent to the engine.
 */
export function selectOverdue(userId: string | null, graceSeconds: number | null, longSeconds: number, limit: number) {
  const due = Prisma.sql`greatest(q.dispatched_at, q.not_before, q.updated_at)`;
  return prisma.$queryRaw<OverdueItem[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.run_id AS "runId", q.event_ref AS "eventRef",
      ${graceSeconds}::int IS NOT NULL AND ${due} <= now() - make_interval(secs => ${longSeconds}::int) AS "isLongOverdue"
    FROM processing_queue q
    WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NOT NULL
      AND (${graceSeconds}::int IS NULL OR (${due} <= now() - make_interval(secs => ${graceSeconds}::int)
        AND NOT EXISTS (SELECT 1 FROM processing_queue b WHERE b.user_id = q.user_id AND b.status = 'processing'
          AND ${heldBySql("writing", Prisma.sql`b.content_piece_id::text`, Prisma.sql`b.claim_token`)})))
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/** Gives items that were sent to the engine a new dispatch, so that their old runs find nothing. Returns how many. */
export async function supersedeDispatches(
  userId: string | null,
  itemIds: string[] | "all",
  limit: number,
): Promise<number> {
  const ids = itemIds === "all" ? null : itemIds;
  return prisma.$executeRaw(Prisma.sql`
    WITH taken AS (
      SELECT q.id, q.job_type FROM processing_queue q
      WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NOT NULL AND (${ids}::uuid[] IS NULL OR q.id = ANY(${ids}::uuid[]))
      ORDER BY q.created_at, q.id LIMIT ${limit}::int FOR UPDATE OF q SKIP LOCKED)
    UPDATE processing_queue q SET dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, run_id = NULL, event_ref = NULL
    FROM taken WHERE q.id = taken.id AND q.job_type = taken.job_type`);
}
