import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db, Prisma } from "@/lib/db/prisma";
import { readAccount } from "@/lib/features/account/reads";
import type { UserOut } from "@/lib/features/account/schema";
import type { SettingsInput } from "@/lib/features/account/settings/schema";
import { announceKey, changeKey } from "@/lib/features/account/settings/writes/key";
import { selectSite } from "@/lib/features/sites/sql";
import { writingSites } from "@/lib/features/sites/writes/along";
import { DISCONNECTED, loginChange } from "@/lib/features/sites/writes/manage";
import { isBlank } from "@/lib/utils/text";

/**
 * Saves the provider's key and the default site. Secrets: absent or empty leaves them, null removes them; a blank URL disconnects the
 * site. Throws VALIDATION_ERROR.
 */
export async function saveSettings(actor: Actor, input: SettingsInput): Promise<UserOut> {
  const isKeyNew = await writingSites(actor, async (db) => {
    await changeDefaultSite(db, actor, input);
    return changeKey(db, actor, input);
  });
  if (isKeyNew) await announceKey(actor.userId);
  return readAccount(actor);
}

async function changeDefaultSite(db: Db, { userId, context }: Actor, input: SettingsInput): Promise<void> {
  const known = await selectSite(userId, {}, db);
  if (!known && SITE_FIELDS.every((field) => isBlank(input[field]))) return;
  const site = known ?? (await insertDefault(db, userId));
  const data = siteChange(site, input);
  if (Object.keys(data).length === 0) return;
  await db.site.update({ where: { id: site.id }, data, select: { id: true } });
  const detail = { removed: data.url === null };
  await auditIn(db, { userId, context, action: "settings.site_changed", detail });
}

const SITE_FIELDS = ["wordpressUrl", "wordpressUsername", "wordpressPassword"] as const;

async function insertDefault(db: Db, userId: string) {
  return db.site.create({
    data: { userId, isDefault: true },
    select: { id: true, url: true, username: true, password: true },
  });
}

function siteChange(site: Parameters<typeof loginChange>[0], input: SettingsInput): Prisma.SiteUpdateInput {
  const { wordpressUrl, wordpressUsername: username, wordpressPassword: password } = input;
  if (wordpressUrl !== undefined && isBlank(wordpressUrl)) return DISCONNECTED;
  return loginChange(site, { url: wordpressUrl ?? undefined, username, password }, "wordpressPassword");
}
