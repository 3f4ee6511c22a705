import "server-only";
import { type Db, Prisma, type Prisma as PrismaTypes } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { acquire, fence, type Lease } from "@/lib/lease/lease";
import { againAfterDeadlock } from "@/lib/utils/database";
import { storableUpTo } from "@/lib/utils/text";

/** The place to publish a piece: one publish, update, unpublish or sync at a time. */
export const publishingLease = (id: string, token: string): Lease => ({ kind: "publishing", subject: id, token });

/**
 * Takes that place. `abandoned`: an earlier holder never let go, so a post of the piece may exist that it knows nothing of.
 * Undefined: someone holds it now, or the piece is not this owner's.
 */
export function holdPublishing(userId: string, id: string, token: string) {
  // Locked: a piece that is just being deleted is waited for, and then is none.
  const owned = Prisma.sql`
    SELECT id::text, user_id, id, NULL::uuid FROM content_pieces
    WHERE id = ${id}::uuid AND user_id = ${userId}::uuid FOR KEY SHARE`;
  return againAfterDeadlock(() => acquire("publishing", owned, token));
}

/**
 * Writes what was learnt from the site, in one transaction with the lease it was learnt under and with what is kept
 * `beside` it; false when the lease is another holder's by now. Not a change of text: the version stays. A site may say
 * anything: what it says must not keep the piece from knowing what became of its post.
 */
export function recordRemote(
  lease: Lease,
  learnt: PrismaTypes.ContentPieceUpdateManyMutationInput,
  beside?: (db: Db) => Promise<void>,
): Promise<boolean> {
  const data = Object.fromEntries(
    Object.entries(learnt).map(([field, value]) => [
      field,
      typeof value === "string" ? storableUpTo(value, LEARNT_MAX) : value,
    ]),
  );
  return transaction(async (db) => {
    if (!(await fence(db, lease))) return false;
    await db.contentPiece.updateMany({ where: { id: lease.subject }, data });
    await beside?.(db);
    return true;
  });
}

/** Addresses have no more (see lib/wordpress/schema.ts), and no sentence comes near it. */
const LEARNT_MAX = 2_000;
