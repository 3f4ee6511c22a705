import "server-only";
import { randomUUID } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { type PieceToPublish, pieceToPublish } from "@/lib/features/publishing/reads";
import { holdPublishing, publishingLease, recordRemote } from "@/lib/features/publishing/sql";
import { expire, type Lease, release } from "@/lib/lease/lease";

/** A piece that this call alone may publish for now. */
export type Held = {
  actor: Actor;
  piece: PieceToPublish;
  lease: Lease;
  /**
   * A creation went unanswered, in this call or one before it: a post of the piece may exist that it knows nothing of. The
   * next creation looks for it first, whatever comes in between.
   */
  mayExist: boolean;
};

/** One at a time on a piece; a second caller gets ALREADY_RUNNING. The piece is read after the place is taken. */
export async function holding<T>(actor: Actor, id: string, work: (held: Held) => Promise<T>): Promise<T> {
  const lease = publishingLease(id, randomUUID());
  const taken = await holdPublishing(actor.userId, id, lease.token);
  if (!taken) return refuse(actor, id);
  const held: Held = { actor, lease, piece: await pieceToPublish(actor, id), mayExist: taken.abandoned };
  try {
    return await work(held);
  } finally {
    await (held.mayExist ? expire(lease) : release(lease));
  }
}

/** Keeps what was learnt, and in the same transaction its event and what `also` does. Throws when the piece is no longer held, or no more. */
export async function record(
  { actor, piece, lease }: Held,
  learnt: Parameters<typeof recordRemote>[1],
  action?: AuditAction,
  also?: (db: Pick<Db, "$executeRaw">) => Promise<void>,
): Promise<void> {
  const { userId, origin } = actor;
  const isRecorded = await recordRemote(lease, learnt, async (db) => {
    if (action) await auditIn(db, { userId, origin, action, subject: piece.id });
    await also?.(db);
  });
  if (!isRecorded) await refuse(actor, piece.id);
}

async function refuse(actor: Actor, id: string): Promise<never> {
  await pieceToPublish(actor, id);
  throw new AppError("ALREADY_RUNNING", {
    message: "This piece is being published already. Wait a moment, then look again.",
  });
}
