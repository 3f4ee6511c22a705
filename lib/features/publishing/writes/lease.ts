import "server-only";
import { randomUUID } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import { auditEachIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { AppError, isAppError } from "@/lib/errors";
import { pieceNotFound } from "@/lib/features/content/reads";
import { type PieceToPublish, piecesToPublish, type StoredPost } from "@/lib/features/publishing/reads";
import { acquirePublishing, saveUnderLeases } from "@/lib/features/publishing/sql/leases";
import type { Site } from "@/lib/features/publishing/writes/site";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import { LEASE_SECONDS, releaseMany, renewMany } from "@/lib/lease/lease";
import { countWrites } from "@/lib/telemetry/meters";
import type { WriteOutcome } from "@/lib/wordpress/batch-writes";
import { WordPressWriteError } from "@/lib/wordpress/failures";

/** Pieces on their way to or from a site, each with a publishing lease under the same token. */
export type Held = {
  actor: Actor;
  site: Site;
  token: string;
  /** What stopped a piece, by its id; the others go on. */
  failures: Map<string, unknown>;
};

export type LeasedPiece = {
  piece: PieceToPublish;
  /** What is known of it on this site; follows what is recorded. */
  here: Partial<StoredPost>;
  /** Its posts on other sites. */
  elsewhere: StoredPost[];
};

/**
 * Runs `work` under the leases of those pieces that are free, which are read after they are acquired. Returns what stopped a
 * piece: ALREADY_RUNNING and NOT_FOUND, and what `work` adds.
 */
export async function withPublishingLeases(
  site: Site,
  actor: Actor,
  ids: string[],
  work: (held: Held, pieces: LeasedPiece[]) => Promise<void>,
): Promise<Map<string, unknown>> {
  const held: Held = { actor, site, token: randomUUID(), failures: new Map() };
  const acquired = await acquirePublishing(actor.userId, ids, held.token);
  const renewing = setInterval(
    () => void renewMany("publishing", acquired, held.token).catch(() => undefined),
    (1000 * LEASE_SECONDS.publishing) / 3,
  ).unref();
  try {
    const found = new Map((await piecesToPublish(actor, ids)).map((piece) => [piece.id, piece]));
    const free = new Set(acquired);
    const pieces = ids.flatMap((id) => {
      const piece = found.get(id);
      if (piece && free.has(id)) return [leased(piece, site)];
      held.failures.set(id, piece ? busy() : pieceNotFound());
      return [];
    });
    await work(held, pieces);
  } finally {
    clearInterval(renewing);
    await releaseMany("publishing", acquired, held.token);
  }
  return held.failures;
}

function leased(piece: PieceToPublish, site: Site): LeasedPiece {
  return {
    piece,
    here: piece.posts.find(({ siteId }) => siteId === site.id) ?? {},
    elsewhere: piece.posts.filter(({ siteId, postId }) => siteId !== site.id && postId !== null),
  };
}

function busy(): AppError {
  return new AppError("ALREADY_RUNNING", {
    message: "This piece is being published already. Wait a moment, then look again.",
  });
}

/** Does something about each piece; one that fails is out, and the others are returned. */
export async function forEachPiece<Item extends LeasedPiece>(
  held: Held,
  items: Item[],
  work: (item: Item) => Promise<void> | void,
): Promise<Item[]> {
  await Promise.all(
    items.map(async (item) => {
      try {
        await work(item);
      } catch (error) {
        held.failures.set(item.piece.id, error);
      }
    }),
  );
  return items.filter(({ piece }) => !held.failures.has(piece.id));
}

/** Does what `forEachPiece` does, for work that is done for all at once, and fails for all. */
export async function forAllPieces<Item extends LeasedPiece>(
  held: Held,
  items: Item[],
  work: () => Promise<void>,
): Promise<Item[]> {
  const once = items.length > 0 ? work() : Promise.resolve();
  return forEachPiece(held, items, () => once);
}

/**
 * Saves what was learnt of the posts, an audit event of each and `also`, in one transaction. A piece whose lease is lost or
 * that was deleted fails; the others are returned.
 */
export async function recordPublications<Item extends LeasedPiece>(
  held: Held,
  items: Item[],
  publicationOf: (item: Item) => Partial<KnownPost>,
  { action, also }: { action?: AuditAction; also?: (db: Db, saved: Item[]) => Promise<void> } = {},
): Promise<Item[]> {
  if (items.length === 0) return [];
  const { actor, site, token } = held;
  const rows = items.map((item) => ({ id: item.piece.id, change: publicationOf(item) }));
  const saved = await saveUnderLeases(token, site.id, rows, async (db, kept) => {
    if (action) await auditEachIn(db, { userId: actor.userId, context: actor.context, action }, [...kept]);
    await also?.(
      db,
      items.filter(({ piece }) => kept.has(piece.id)),
    );
  });
  const lost = items.filter(({ piece }) => !saved.has(piece.id)).map(({ piece }) => piece.id);
  const there = lost.length > 0 ? new Set((await piecesToPublish(actor, lost)).map(({ id }) => id)) : new Set();
  for (const id of lost) held.failures.set(id, there.has(id) ? busy() : pieceNotFound());
  const left = items.filter(({ piece }) => saved.has(piece.id));
  for (const item of left) Object.assign(item.here, rows.find(({ id }) => id === item.piece.id)?.change);
  return left;
}

/** How many unanswered texts of a post are known again. */
const MAX_UNANSWERED = 12;

/** What a write that was answered leaves: an earlier one that was not may still arrive, and stays open. */
export type Answered = Pick<Partial<KnownPost>, "unansweredSince" | "unansweredHashes">;
/** A piece that is recorded as on its way to the site, and what to record once its write is answered. */
export type Marked<Item> = { item: Item; answered: Answered };
export type Sent<Item> = Marked<Item> & { outcome: WriteOutcome };

/**
 * Records that a write of each piece is on its way to the site, with the hashes of its text: to be committed before it is sent.
 * Pieces whose lease is lost are left out.
 */
export async function markWrites<Item extends LeasedPiece>(
  held: Held,
  items: Item[],
  hashesOf: (item: Item) => string[],
): Promise<Marked<Item>[]> {
  const answeredOf = new Map(items.map((item) => [item, answered(item.here)]));
  const marked = await recordPublications(held, items, (item) => pendingWrite(item, hashesOf(item)));
  return marked.map((item) => ({ item, answered: answeredOf.get(item) ?? {} }));
}

/** What markWrites records of a piece. */
export function pendingWrite({ here }: LeasedPiece, hashes: string[]): Partial<KnownPost> {
  return {
    unansweredSince: new Date(),
    unansweredHashes: [...(here.unansweredHashes ?? []), ...hashes].slice(-MAX_UNANSWERED),
  };
}

/**
 * Sends a write of each marked piece to the site. It stays open until it is answered: `answered` is to be recorded with its
 * result. Writes that were refused are recorded here, and nothing of them stays open.
 */
export async function sendWrites<Item extends LeasedPiece>(
  held: Held,
  marked: Marked<Item>[],
  write: (items: Item[]) => Promise<WriteOutcome[]>,
): Promise<Sent<Item>[]> {
  if (marked.length === 0) return [];
  const outcomes = await write(marked.map(({ item }) => item));
  countWrites(outcomes);
  const sent = marked.flatMap((each, at) => {
    const outcome = outcomes[at];
    return outcome ? [{ ...each, outcome }] : [];
  });
  const refused = sent.filter(({ outcome }) => !outcome.ok && !isUnanswered(outcome.error));
  const answeredOf = new Map(refused.map(({ item, answered }) => [item, answered]));
  await recordPublications(
    held,
    refused.map(({ item }) => item),
    (item) => answeredOf.get(item) ?? {},
  );
  return sent;
}

function answered({ unansweredSince = null }: Partial<StoredPost>): Answered {
  return unansweredSince ? {} : { unansweredSince: null, unansweredHashes: [] };
}

/** May the site have done a write although it failed for us? */
export function isUnanswered(error: unknown): boolean {
  return error instanceof WordPressWriteError ? error.outcome === "unknown" : !isAppError(error);
}
