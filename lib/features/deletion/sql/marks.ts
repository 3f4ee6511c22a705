import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { deletePiecesSql } from "@/lib/features/content/sql/shared";
import { deleteProjectsSql } from "@/lib/features/projects/sql/shared";
import { deleteTopicsSql } from "@/lib/features/topics/sql/shared";
import { endLeasesOfSql } from "@/lib/lease/lease";

/** What is deleted of a user: one of these with everything below it, or, without any, all that they have. */
export type Scope = { projectId?: number; topicId?: number; pieceId?: string };

/** A deletion that has waited this long for a lock gives up, since other calls queue up behind it. */
const LOCK_TIMEOUT = "2s";

/** Lets the transaction fail with SERVICE_UNAVAILABLE when it has to wait long for a lock. */
export async function limitLockWaits(db: Pick<Db, "$executeRaw">): Promise<void> {
  await db.$executeRaw(Prisma.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`));
}

/** Marks what is in the scope as deleted, with one time for all, and ends the leases on its pieces. Returns how many there were. */
export async function markDeleted(db: Pick<Db, "$queryRaw">, userId: string, scope: Scope): Promise<number> {
  const { topicId, pieceId } = scope;
  const topics = Prisma.sql`topic AS (${deleteTopicsSql(userId, scope)}),`;
  const projects = Prisma.sql`project AS (${deleteProjectsSql(userId, scope)}),`;
  const [row] = await db.$queryRaw<[{ pieces: number }]>(Prisma.sql`
    WITH ${topicId === undefined && pieceId === undefined ? projects : Prisma.empty} ${pieceId === undefined ? topics : Prisma.empty}
    piece AS (${deletePiecesSql(userId, scope)} RETURNING id),
    lease AS (${endLeasesOfSql(Prisma.sql`SELECT id FROM piece`)})
    SELECT count(*)::int AS pieces FROM piece`);
  return row.pieces;
}
