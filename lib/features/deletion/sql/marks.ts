import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { deletePiecesSql } from "@/lib/features/content/sql/shared";
import { deleteProjectsSql } from "@/lib/features/projects/sql/shared";
import { deleteTopicsSql } from "@/lib/features/topics/sql/shared";

/** What is deleted of a user: one of these with everything below it, or, without any, all that they have. */
export type Scope = { projectId?: number; topicId?: number; pieceId?: string };

/** A deletion gives up when it waits longer than this for a lock: whoever waits behind it would wait too. */
const LOCK_TIMEOUT = "2s";

/** Lets the transaction fail with SERVICE_UNAVAILABLE when it has to wait long for a lock. */
export async function limitLockWaits(db: Pick<Db, "$executeRaw">): Promise<void> {
  await db.$executeRaw(Prisma.sql`SELECT set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`);
}

/** Marks what is in the scope as deleted, with one time for all, and returns how many pieces there were. */
export function markDeleted(db: Pick<Db, "$executeRaw">, userId: string, scope: Scope): Promise<number> {
  const { topicId, pieceId } = scope;
  const pieces = deletePiecesSql(userId, scope);
  if (pieceId !== undefined) return db.$executeRaw(pieces);
  const topics = Prisma.sql`topic AS (${deleteTopicsSql(userId, scope)})`;
  if (topicId !== undefined) return db.$executeRaw(Prisma.sql`WITH ${topics} ${pieces}`);
  return db.$executeRaw(Prisma.sql`WITH project AS (${deleteProjectsSql(userId, scope)}), ${topics} ${pieces}`);
}
