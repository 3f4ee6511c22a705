import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { pieceExistsSql } from "@/lib/features/content/sql/shared";
import { advanceJob, canMove, ENDED_COUNTS, HAS_RUN, SET_ENDED, statusAfter } from "@/lib/features/work/sql/moves";

/** What other features use of jobs: parts of their statements, and writes inside their transactions. */

/** SQL values of an item: the id of its piece, and of its owner. */
export type ItemSql = { pieceId: Prisma.Sql; userId: Prisma.Sql };

/** SQL condition: no queue of the AI has the piece, waiting or in progress. */
export function noLiveItemSql(pieceId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = ${pieceId} AND q.completed_at IS NULL AND ${HAS_RUN})`;
}

/** Cancels the user's live items whose pieces are deleted. What a job's own run has claimed ends with its save. */
export async function cancelItemsOfDeleted(db: Pick<Db, "$executeRaw">, userId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED}
      WHERE q.user_id = ${userId}::uuid AND q.completed_at IS NULL AND ${canMove("cancel")} AND (${HAS_RUN} OR q.claim_token IS NULL)
        AND NOT ${pieceExistsSql(Prisma.sql`q.content_piece_id`)}
      RETURNING q.job_id, q.status)
    ${advanceJob(ENDED_COUNTS)}`);
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
