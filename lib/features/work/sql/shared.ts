import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { advanceJob, canMove, ENDED_COUNTS, SET_ENDED, statusAfter } from "@/lib/features/work/sql/moves";

/** What other features use of jobs: parts of their statements, and writes inside their transactions. */

/** SQL values of an item: the id of its piece, and of its owner. */
export type ItemSql = { pieceId: Prisma.Sql; userId: Prisma.Sql };

/** SQL condition: no queue has the piece, waiting or in progress. */
export function noLiveItemSql(pieceId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = ${pieceId} AND q.completed_at IS NULL)`;
}

/** Cancels a piece's live items before it is deleted. */
export async function cancelItemsOfPiece(
  db: Pick<Db, "$executeRaw">,
  userId: string,
  contentId: string,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("cancel")}, ${SET_ENDED}
      WHERE q.content_piece_id = ${contentId}::uuid AND q.user_id = ${userId}::uuid AND ${canMove("cancel")}
      RETURNING q.job_id, q.status)
    ${advanceJob(ENDED_COUNTS)}`);
}

/** Locks a user's queue items; must come first in a transaction that deletes what the queue writes to. */
export function lockLiveItems(db: Pick<Db, "$queryRaw">, userId: string) {
  return db.$queryRaw(Prisma.sql`
    SELECT 1 FROM processing_queue WHERE user_id = ${userId}::uuid AND completed_at IS NULL ORDER BY id FOR UPDATE`);
}
