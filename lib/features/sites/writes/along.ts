import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { openPassword, sealForSettings } from "@/lib/crypto/site-password";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { lockOwnAccount } from "@/lib/features/account/writes";
import { selectSite, writeSettings, writesSites } from "@/lib/features/sites/sql";

/**
 * Runs `work` in a transaction that changes the actor's sites, one after the other. The release before looks for the default site in
 * its owner's row, so it is written there too.
 */
export function writingSites<T>(actor: Actor, work: (db: Db) => Promise<T>): Promise<T> {
  return transaction(async (db) => {
    await lockOwnAccount(db, actor);
    await writesSites(db);
    const result = await work(db);
    const site = await selectSite(actor.userId, {}, db);
    const opened = site && openPassword(actor.userId, site);
    const password = opened ? sealForSettings(actor.userId, opened.password) : null;
    await writeSettings(db, actor.userId, site && { ...site, password });
    return result;
  });
}
