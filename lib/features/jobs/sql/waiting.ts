import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import type { JobType } from "@/lib/features/jobs/schema";

export type WaitingItem = { itemId: string; jobType: JobType; jobId: string; userId: string; dispatch: string };

const WAITING = Prisma.sql`q.id AS "itemId", q.job_type::text AS "jobType", q.job_id AS "jobId", q.user_id AS "userId",
  q.id || '-' || q.dispatch_seq AS dispatch`;

const isWaiting = Prisma.sql`q.status = 'pending' AND NOT q.is_held`;
const isOf = (userId: string | null) => Prisma.sql`(${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)`;

/** Items of a job not handed to the engine yet, oldest first. */
export function selectUndispatched(jobId: string, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    SELECT ${WAITING} FROM processing_queue q WHERE q.job_id = ${jobId}::uuid AND ${isWaiting} AND q.dispatched_at IS NULL
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/** Items that were to be handed over this long ago and were not. */
export function selectUnsent(userId: string | null, graceSeconds: number, limit: number) {
  return prisma.$queryRaw<WaitingItem[]>(Prisma.sql`
    SELECT ${WAITING} FROM processing_queue q WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NULL
      AND q.updated_at <= now() - make_interval(secs => ${graceSeconds}::int)
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/** Remembers that these were handed to the engine, with its own ids of their events. */
export async function markDispatched(items: { itemId: string; dispatch: string; eventRef: string | undefined }[]) {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET dispatched_at = now(), event_ref = sent."eventRef"
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS sent ("itemId" uuid, dispatch text, "eventRef" text)
    WHERE q.id = sent."itemId" AND q.id || '-' || q.dispatch_seq = sent.dispatch AND q.dispatched_at IS NULL`);
}

/** Where an item's run should be known: by its own id, or by its event's while it has not begun. */
export type Suspect = { itemId: string; runId: string | null; eventRef: string | null; isLongOverdue: boolean };

/**
 * Items in the engine's hands, oldest first, that their runs should have come for `graceSeconds` ago, of people with
 * nothing under way: where something is, the others wait for their turn. Without a grace every item in the
 * engine's hands.
 */
export function selectSuspects(userId: string | null, graceSeconds: number | null, longSeconds: number, limit: number) {
  const due = Prisma.sql`greatest(q.dispatched_at, q.not_before, q.updated_at)`;
  return prisma.$queryRaw<Suspect[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.run_id AS "runId", q.event_ref AS "eventRef",
      ${graceSeconds}::int IS NOT NULL AND ${due} <= now() - make_interval(secs => ${longSeconds}::int) AS "isLongOverdue"
    FROM processing_queue q
    WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NOT NULL
      AND (${graceSeconds}::int IS NULL OR (${due} <= now() - make_interval(secs => ${graceSeconds}::int)
        AND NOT EXISTS (SELECT 1 FROM processing_queue b JOIN leases l ON l.kind = 'writing' AND l.token = b.claim_token
          WHERE b.user_id = q.user_id AND b.status = 'processing' AND l.subject = b.content_piece_id::text AND l.until > now())))
    ORDER BY q.created_at, q.id LIMIT ${limit}::int`);
}

/**
 * Takes items out of the engine's hands, these or all that wait there: they are handed over again under another name, and
 * what comes for the old one is superseded. Answers the old names.
 */
export async function takeBack(userId: string | null, itemIds: string[] | "all", limit: number): Promise<string[]> {
  const ids = itemIds === "all" ? null : itemIds;
  const rows = await prisma.$queryRaw<{ superseded: string }[]>(Prisma.sql`
    WITH taken AS (
      SELECT q.id, q.job_type, q.id || '-' || q.dispatch_seq AS superseded FROM processing_queue q
      WHERE ${isWaiting} AND ${isOf(userId)} AND q.dispatched_at IS NOT NULL AND (${ids}::uuid[] IS NULL OR q.id = ANY(${ids}::uuid[]))
      ORDER BY q.created_at, q.id LIMIT ${limit}::int FOR UPDATE OF q SKIP LOCKED)
    UPDATE processing_queue q SET dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, run_id = NULL, event_ref = NULL
    FROM taken WHERE q.id = taken.id AND q.job_type = taken.job_type RETURNING taken.superseded`);
  return rows.map(({ superseded }) => superseded);
}
