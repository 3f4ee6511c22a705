import "server-only";
import type { Db } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { leasablePiecesSql, showPosts } from "@/lib/features/content/sql/shared";
import { type KnownPost, type PostChange, savePosts } from "@/lib/features/sites/sql/shared";
import { acquireMany, fenceMany } from "@/lib/lease/lease";
import { storableUpTo } from "@/lib/utils/text";

/** Allows one publish, update, unpublish or sync of a piece at a time. Returns those of the user's pieces that are free. */
export function acquirePublishing(userId: string, ids: string[], token: string): Promise<string[]> {
  // The row locks wait for a concurrent deletion.
  return retryOnDeadlock(() => acquireMany("publishing", leasablePiecesSql(userId, ids), token));
}

/**
 * Saves what was learnt of pieces' posts on a site, in one transaction with `also` and behind the leases of `token`; returns
 * the pieces it was saved of, which leaves out those whose lease is lost. Texts of the site are cut to what the database can
 * store, so that they cannot make this fail.
 */
export function saveUnderLeases(
  token: string,
  siteId: string,
  changes: PostChange[],
  also?: (db: Db, saved: Set<string>) => Promise<void>,
): Promise<Set<string>> {
  const storable = changes.map(({ id, change }) => ({ id, change: storableFields(change) }));
  return transaction(async (db) => {
    const subjects = changes.map(({ id }) => id);
    const held = await fenceMany(db, { kind: "publishing", subjects, token });
    const kept = storable.filter(({ id }) => held.has(id));
    await savePosts(db, siteId, kept);
    await showPosts(db, siteId, kept);
    await also?.(db, held);
    return held;
  });
}

/** This is longer than any address (see lib/wordpress/schema.ts) or error message. */
const MAX_REMOTE_TEXT = 2_000;

function storableFields(change: Partial<KnownPost>): Partial<KnownPost> {
  return Object.fromEntries(
    Object.entries(change).map(([field, value]) => [
      field,
      typeof value === "string" ? storableUpTo(value, MAX_REMOTE_TEXT) : value,
    ]),
  );
}
