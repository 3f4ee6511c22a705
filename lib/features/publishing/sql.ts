import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { leasablePieceSql, type Publication, savePublication } from "@/lib/features/content/sql/shared";
import { acquire, fence, type Lease } from "@/lib/lease/lease";
import { storableUpTo } from "@/lib/utils/text";

/** One publish, update, unpublish or sync of a piece at a time. */
export const publishingLease = (id: string, token: string): Lease => ({ kind: "publishing", subject: id, token });

/** False: someone else holds it, or the piece is not the user's. */
export function acquirePublishing(userId: string, id: string, token: string): Promise<boolean> {
  // The row lock waits for a concurrent deletion.
  const owned = Prisma.sql`${leasablePieceSql(userId, id)} FOR KEY SHARE`;
  return retryOnDeadlock(() => acquire("publishing", owned, token));
}

/**
 * Saves what was learnt of a piece's post on a site, in one transaction with `also` and behind the lease; false when the lease
 * is lost. Texts of the site are cut to what the database can store, so that they cannot make this fail.
 */
export function saveUnderLease(
  lease: Lease,
  siteId: string,
  publication: Publication,
  also?: (db: Db) => Promise<void>,
): Promise<boolean> {
  const storable = Object.fromEntries(
    Object.entries(publication).map(([field, value]) => [
      field,
      typeof value === "string" ? storableUpTo(value, MAX_REMOTE_TEXT) : value,
    ]),
  );
  return transaction(async (db) => {
    if (!(await fence(db, lease))) return false;
    await savePublication(db, lease.subject, siteId, storable);
    await also?.(db);
    return true;
  });
}

/** Longer than any address (see lib/wordpress/schema.ts) or error message. */
const MAX_REMOTE_TEXT = 2_000;
