import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { lockOwnAccount } from "@/lib/features/account/writes";
import { type KnownSite, makeDefaultSite, moveLinks, saveSite } from "@/lib/features/sites/sql";

export type FoundSite = {
  /** Where it was found, as the user typed it. */
  url: string;
  apiRoot: string;
  home: string;
  place: string;
  /** The known site at this place, or the one that has moved here. */
  before: KnownSite | undefined;
};

/**
 * Saves the site found at this URL and makes it the default site, unless the user has entered another URL meanwhile; then runs
 * `onDefault`. Returns the site's id.
 */
export function rememberSite(
  actor: Actor,
  { url, apiRoot, home, place, before }: FoundSite,
  onDefault: (db: Db, siteId: string) => Promise<void>,
): Promise<string> {
  const { userId } = actor;
  return transaction(async (db) => {
    await lockOwnAccount(db, actor);
    const { id, isDefault } = await saveSite(db, userId, { place, apiRoot, movedId: before?.id });
    if (before) await moveLinks(db, id, { from: before.place, to: home });
    const isCurrent = await db.$executeRaw(Prisma.sql`
      UPDATE users SET wordpress_site = ${apiRoot} WHERE id = ${userId}::uuid AND wordpress_url = ${url}`);
    if (isCurrent === 0 || isDefault) return id;
    await makeDefaultSite(db, userId, id);
    await onDefault(db, id);
    return id;
  });
}
