import "server-only";
import { randomUUID } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import type { Publication } from "@/lib/features/content/sql/shared";
import { type PieceToPublish, pieceToPublish } from "@/lib/features/publishing/reads";
import { acquirePublishing, publishingLease, saveUnderLease } from "@/lib/features/publishing/sql";
import { expire, type Lease, release } from "@/lib/lease/lease";

/** A piece whose publishing lease this call holds. */
export type LeasedPiece = {
  actor: Actor;
  piece: PieceToPublish;
  lease: Lease;
  /** A creation went unanswered, now or earlier, so the site may have a post that the piece does not know. */
  mayExist: boolean;
};

/** Runs `work` under the piece's publishing lease; the piece is read after it is acquired. Throws ALREADY_RUNNING. */
export async function withPublishingLease<T>(
  actor: Actor,
  id: string,
  work: (leased: LeasedPiece) => Promise<T>,
): Promise<T> {
  const lease = publishingLease(id, randomUUID());
  const acquired = await acquirePublishing(actor.userId, id, lease.token);
  if (!acquired) return throwBusy(actor, id);
  const piece = await pieceToPublish(actor, id);
  const leased: LeasedPiece = { actor, piece, lease, mayExist: acquired.abandoned };
  try {
    return await work(leased);
  } finally {
    await (leased.mayExist ? expire(lease) : release(lease));
  }
}

/** Saves what was learnt of the post, its audit event and `also` in one transaction. Throws when the lease or the piece is gone. */
export async function recordPublication(
  { actor, piece, lease }: LeasedPiece,
  publication: Publication,
  action?: AuditAction,
  also?: (db: Pick<Db, "$executeRaw">) => Promise<void>,
): Promise<void> {
  const { userId, context } = actor;
  const isSaved = await saveUnderLease(lease, publication, async (db) => {
    if (action) await auditIn(db, { userId, context, action, subject: piece.id });
    await also?.(db);
  });
  if (!isSaved) await throwBusy(actor, piece.id);
}

async function throwBusy(actor: Actor, id: string): Promise<never> {
  await pieceToPublish(actor, id);
  throw new AppError("ALREADY_RUNNING", {
    message: "This piece is being published already. Wait a moment, then look again.",
  });
}
