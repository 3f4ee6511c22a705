import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { seal } from "@/lib/crypto/secret-box";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { providerKeyChanged } from "@/lib/events/catalogue";
import { sendEvents } from "@/lib/events/send";
import { readAccount } from "@/lib/features/account/reads";
import { keyHint, normalizeSiteUrl } from "@/lib/features/account/rules";
import type { SettingsInput, UserOut } from "@/lib/features/account/schema";
import { holdAccount } from "@/lib/features/account/writes/account";
import { log } from "@/lib/log";
import { isBlank } from "@/lib/utils/text";

/**
 * Saves provider key and site. Secrets: absent or empty is unchanged, null removes. A site at another address needs its
 * password in the same call, so that a stored password is never sent to a site it was not typed for.
 */
export async function saveSettings(actor: Actor, input: SettingsInput): Promise<UserOut> {
  const isKeyNew = await transaction(async (db) => {
    await holdAccount(db, actor);
    const data = { ...keyChange(actor, input), ...siteChange(actor, input, await readAccount(actor, db)) };
    if (Object.keys(data).length === 0) return false;
    await db.user.update({ where: { id: actor.userId }, data, select: { id: true } });
    await auditSettings(db, actor, data);
    return "openaiApiKey" in data;
  });
  if (isKeyNew) await announceKey(actor.userId);
  return readAccount(actor);
}

/** What was held for the old key goes on; if this does not reach the engine, with the next sweep. */
async function announceKey(userId: string): Promise<void> {
  await sendEvents(providerKeyChanged.create({ userId })).catch((error: unknown) => {
    log.warn({ err: error }, "the new key was not announced; the sweep will find it");
  });
}

function keyChange(actor: Actor, { openaiApiKey: key }: SettingsInput): Prisma.UserUpdateInput {
  if (key === undefined || key === "") return {};
  if (key === null) return { openaiApiKey: null, openaiApiKeyHint: null };
  return { openaiApiKey: seal(key, { owner: actor.userId, field: "openaiApiKey" }), openaiApiKeyHint: keyHint(key) };
}

function siteChange(actor: Actor, input: SettingsInput, stored: UserOut): Prisma.UserUpdateInput {
  const data: Prisma.UserUpdateInput = {};
  if (input.wordpressUrl !== undefined) {
    if (isBlank(input.wordpressUrl)) return NO_SITE;
    const url = normalizeSiteUrl(input.wordpressUrl ?? "");
    // What was found at the old address is not known of the new one.
    if (url !== stored.wordpressUrl) Object.assign(data, { wordpressUrl: url, wordpressSite: null });
    if (data.wordpressUrl && stored.hasWordpressPassword && isBlank(input.wordpressPassword)) {
      const sentence = "Enter the password of the new site: the stored one belongs to the old address.";
      throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { wordpressPassword: [sentence] } });
    }
  }
  const username = input.wordpressUsername || null;
  if (input.wordpressUsername !== undefined && username !== stored.wordpressUsername) data.wordpressUsername = username;
  if (input.wordpressPassword === null) data.wordpressPassword = null;
  else if (!isBlank(input.wordpressPassword)) {
    data.wordpressPassword = seal(input.wordpressPassword ?? "", { owner: actor.userId, field: "wordpressPassword" });
  }
  return data;
}

const NO_SITE = { wordpressUrl: null, wordpressSite: null, wordpressUsername: null, wordpressPassword: null };

/** Remembers the REST root that was found at this address, unless the person has entered another one meanwhile. */
export async function rememberSite({ userId }: Actor, wordpressUrl: string, wordpressSite: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE users SET wordpress_site = ${wordpressSite}
    WHERE id = ${userId}::uuid AND wordpress_url = ${wordpressUrl} AND wordpress_site IS DISTINCT FROM ${wordpressSite}`);
}

async function auditSettings(db: Db, { userId, origin }: Actor, data: Prisma.UserUpdateInput): Promise<void> {
  if ("openaiApiKey" in data) {
    const detail = { removed: data.openaiApiKey === null };
    await auditIn(db, { userId, origin, action: "settings.api_key_changed", detail });
  }
  if ("wordpressUrl" in data || "wordpressUsername" in data || "wordpressPassword" in data) {
    const detail = { removed: data.wordpressUrl === null };
    await auditIn(db, { userId, origin, action: "settings.site_changed", detail });
  }
}
