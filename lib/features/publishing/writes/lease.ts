import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { pieceNotFound } from "@/lib/features/content/reads";
import { type PieceToPublish, piecesToPublish, type StoredPost } from "@/lib/features/publishing/reads";
import { acquirePublishing } from "@/lib/features/publishing/sql/leases";
import { LEASE_SECONDS, releaseMany, renewMany } from "@/lib/lease/lease";

/** Who works on pieces, for which site, and the token of their leases. */
type Holder = { actor: Actor; site: { id: string }; token: string };

/** A piece on its way to or from a site, under a lease. */
export type LeasedPiece = {
  piece: PieceToPublish;
  /** What is known of its post on this site. */
  here: Partial<StoredPost>;
  /** Its posts on other sites. */
  elsewhere: StoredPost[];
};

/** What became of a piece: what the work on it returned, or what stopped it. */
export type Outcome<Done> = { ok: true; done: Done } | { ok: false; error: unknown };

/**
 * Does some work on each piece that is free, under its lease; the pieces are read after the leases are acquired. Each has an
 * outcome of its own: NOT_FOUND, ALREADY_RUNNING, or the work's. `onEnded` is given each as soon as it is known.
 */
export async function withPublishingLeases<Done>(
  holder: Holder,
  ids: string[],
  work: (leased: LeasedPiece) => Promise<Done>,
  onEnded: (id: string, outcome: Outcome<Done>) => Promise<void> = async () => undefined,
): Promise<Map<string, Outcome<Done>>> {
  const { actor, site, token } = holder;
  const acquired = await acquirePublishing(actor.userId, ids, token);
  const renewing = setInterval(
    () => void renewMany("publishing", acquired, token).catch(() => undefined),
    (1000 * LEASE_SECONDS.publishing) / 3,
  ).unref();
  try {
    const free = new Set(acquired);
    const found = new Map((await piecesToPublish(actor, ids)).map((piece) => [piece.id, piece]));
    const outcomes = new Map<string, Outcome<Done>>();
    const workOn = async (id: string) => {
      const piece = found.get(id);
      const refusal = piece ? (free.has(id) ? undefined : busy()) : pieceNotFound();
      const outcome = piece && !refusal ? await outcomeOf(work(leased(piece, site.id))) : failed(refusal);
      outcomes.set(id, outcome);
      await onEnded(id, outcome);
    };
    // Nothing is under way any more when the leases are released.
    const ended = await Promise.allSettled(ids.map(workOn));
    for (const each of ended) if (each.status === "rejected") throw each.reason;
    return outcomes;
  } finally {
    clearInterval(renewing);
    await releaseMany("publishing", acquired, token);
  }
}

function outcomeOf<Done>(work: Promise<Done>): Promise<Outcome<Done>> {
  return work.then((done) => ({ ok: true, done }), failed);
}

function failed(error: unknown): { ok: false; error: unknown } {
  return { ok: false, error };
}

/** Does the work on one piece, and throws what stops it. */
export async function underLease<Done>(
  holder: Holder,
  id: string,
  work: (leased: LeasedPiece) => Promise<Done>,
): Promise<Done> {
  const outcome = (await withPublishingLeases(holder, [id], work)).get(id);
  if (!outcome?.ok) throw outcome?.error;
  return outcome.done;
}

function leased(piece: PieceToPublish, siteId: string): LeasedPiece {
  return {
    piece,
    here: piece.posts.find((post) => post.siteId === siteId) ?? {},
    elsewhere: piece.posts.filter((post) => post.siteId !== siteId && post.postId !== null),
  };
}

export function busy(): AppError {
  return new AppError("ALREADY_RUNNING", {
    message: "This piece is being published already. Wait a moment, then look again.",
  });
}
