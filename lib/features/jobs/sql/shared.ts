import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { pieceExistsSql } from "@/lib/features/content/sql/shared";
import {
  advanceJob,
  type ClaimRef,
  canMove,
  ENDED_COUNTS,
  holdsClaim,
  SET_ENDED,
  statusAfter,
} from "@/lib/features/jobs/sql/moves";

/** What other features use of jobs: parts of their statements, and writes inside their transactions. */

export type ClaimedItem = {
  id: string;
  jobId: string;
  userId: string;
  contentPieceId: string;
  /** The version of the text that its first paid answer was made from; null before that, and fixed after. */
  baseTextVersion: number | null;
  retryCount: number;
  /** The seconds it has waited for the provider's limits. */
  waitedSeconds: number;
  /** The claim's fencing token. */
  token: string;
};

export type Claim = { item: ClaimedItem; ref: ClaimRef };

/** Closes a paid call whose answer was saved. `base` is the version of the text it was made from; false for a stale token. */
export async function settleAttempt(db: Pick<Db, "$executeRaw">, ref: ClaimRef, base: number): Promise<boolean> {
  const rows = await db.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET is_try_open = false, base_text_version = coalesce(q.base_text_version, ${base}::int), updated_at = now()
    WHERE ${holdsClaim(ref)}`);
  return rows > 0;
}

/** SQL condition: no queue has the piece, waiting or in progress. */
export function noLiveItemSql(pieceId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = ${pieceId} AND q.completed_at IS NULL)`;
}

/** Cancels the user's live items whose pieces are deleted. Returns the ids of their runs. */
export async function cancelItemsOfDeleted(db: Pick<Db, "$queryRaw">, userId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ runId: string | null }[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED}
      WHERE q.user_id = ${userId}::uuid AND q.completed_at IS NULL AND ${canMove("cancel")}
        AND NOT ${pieceExistsSql(Prisma.sql`q.content_piece_id`)}
      RETURNING q.job_id, q.status, q.run_id),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT run_id AS "runId" FROM item`);
  return rows.flatMap(({ runId }) => runId ?? []);
}

/**
 * Locks the user's live items, or a piece's. It comes before the deletion of what the queue writes to: the queue locks an item
 * before its piece.
 */
export function lockLiveItems(db: Pick<Db, "$queryRaw">, userId: string, { pieceId }: { pieceId?: string }) {
  const ofPiece = pieceId === undefined ? Prisma.empty : Prisma.sql`AND content_piece_id = ${pieceId}::uuid`;
  return db.$queryRaw(Prisma.sql`
    SELECT 1 FROM processing_queue WHERE user_id = ${userId}::uuid AND completed_at IS NULL ${ofPiece} ORDER BY id FOR UPDATE`);
}
