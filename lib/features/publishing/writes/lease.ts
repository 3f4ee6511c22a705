import "server-only";
import { randomUUID } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { AppError, isAppError } from "@/lib/errors";
import type { Publication } from "@/lib/features/content/sql/shared";
import { type PieceToPublish, pieceToPublish, type StoredPost } from "@/lib/features/publishing/reads";
import { acquirePublishing, publishingLease, saveUnderLease } from "@/lib/features/publishing/sql";
import type { Site } from "@/lib/features/publishing/writes/site";
import { type Lease, release } from "@/lib/lease/lease";
import { WordPressWriteError } from "@/lib/wordpress/failures";

/** A piece whose publishing lease this call holds. */
export type LeasedPiece = {
  actor: Actor;
  site: Site;
  piece: PieceToPublish;
  lease: Lease;
  /** What is known of it on this site; follows what this call records. */
  here: Partial<StoredPost>;
  /** Its posts on other sites. */
  elsewhere: StoredPost[];
};

/** Runs `work` under the piece's publishing lease; the piece is read after it is acquired. Throws ALREADY_RUNNING. */
export async function withPublishingLease<T>(
  site: Site,
  actor: Actor,
  id: string,
  work: (leased: LeasedPiece) => Promise<T>,
): Promise<T> {
  const lease = publishingLease(id, randomUUID());
  if (!(await acquirePublishing(actor.userId, id, lease.token))) return throwBusy(actor, id);
  try {
    const piece = await pieceToPublish(actor, id);
    const here = piece.posts.find(({ siteId }) => siteId === site.id) ?? {};
    const elsewhere = piece.posts.filter(({ siteId, postId }) => siteId !== site.id && postId !== null);
    return await work({ actor, site, piece, lease, here, elsewhere });
  } finally {
    await release(lease);
  }
}

/** Saves what was learnt of the post, its audit event and `also` in one transaction. Throws when the lease or the piece is gone. */
export async function recordPublication(
  leased: LeasedPiece,
  publication: Publication,
  action?: AuditAction,
  also?: (db: Pick<Db, "$executeRaw">) => Promise<void>,
): Promise<void> {
  const { actor, site, piece, lease } = leased;
  const { userId, context } = actor;
  const isSaved = await saveUnderLease(lease, site.id, publication, async (db) => {
    if (action) await auditIn(db, { userId, context, action, subject: piece.id });
    await also?.(db);
  });
  if (!isSaved) await throwBusy(actor, piece.id);
  Object.assign(leased.here, publication);
}

/** At most this many unanswered texts of a post are known again. */
const MAX_UNANSWERED = 12;

/** What a write that was answered leaves: an earlier one that was not may still arrive, and stays open. */
export type Answered = Pick<Publication, "unansweredSince" | "unansweredHashes">;

/**
 * Sends a write to the site. That it is on its way, with the hashes of its text, is committed before, and stays so until the
 * write is answered: `Answered` is to be recorded with its result. A refused write leaves nothing open.
 */
export async function sendWrite<T>(
  leased: LeasedPiece,
  hashes: string[],
  write: () => Promise<T>,
): Promise<{ result: T; answered: Answered }> {
  const { unansweredSince = null, unansweredHashes = [] } = leased.here;
  const answered = unansweredSince ? {} : { unansweredSince: null, unansweredHashes: [] };
  await recordPublication(leased, {
    unansweredSince: new Date(),
    unansweredHashes: [...unansweredHashes, ...hashes].slice(-MAX_UNANSWERED),
  });
  try {
    return { result: await write(), answered };
  } catch (error) {
    if (!isUnanswered(error)) await recordPublication(leased, answered);
    throw error;
  }
}

/** May the site have done a write although it failed for us? */
export function isUnanswered(error: unknown): boolean {
  return error instanceof WordPressWriteError ? error.outcome === "unknown" : !isAppError(error);
}

async function throwBusy(actor: Actor, id: string): Promise<never> {
  await pieceToPublish(actor, id);
  throw new AppError("ALREADY_RUNNING", {
    message: "This piece is being published already. Wait a moment, then look again.",
  });
}
