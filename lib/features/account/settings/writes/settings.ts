import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { seal } from "@/lib/crypto/secret-box";
import type { Db, Prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { providerKeyChanged } from "@/lib/events/catalogue";
import { sendEvents } from "@/lib/events/send";
import { readAccount } from "@/lib/features/account/reads";
import type { UserOut } from "@/lib/features/account/schema";
import { keyHint, normalizeSiteUrl } from "@/lib/features/account/settings/rules";
import type { SettingsInput } from "@/lib/features/account/settings/schema";
import { lockOwnAccount } from "@/lib/features/account/writes";
import { log } from "@/lib/log";
import { isBlank } from "@/lib/utils/text";

/**
 * Secrets: absent or empty leaves them, null removes them. A new site URL needs its password in the same call, so that
 * a stored password never goes to a site it was not entered for.
 */
export async function saveSettings(actor: Actor, input: SettingsInput): Promise<UserOut> {
  const isKeyNew = await transaction(async (db) => {
    await lockOwnAccount(db, actor);
    const data = { ...keyChange(actor, input), ...siteChange(actor, input, await readAccount(actor, db)) };
    if (Object.keys(data).length === 0) return false;
    await db.user.update({ where: { id: actor.userId }, data, select: { id: true } });
    await auditSettings(db, actor, data);
    return "openaiApiKey" in data;
  });
  if (isKeyNew) await announceKey(actor.userId);
  return readAccount(actor);
}

/** Resumes items held for the old key; if the event is lost, the next sweep does. */
async function announceKey(userId: string): Promise<void> {
  await sendEvents(providerKeyChanged.create({ userId })).catch((error: unknown) => {
    log.warn({ err: error }, "could not announce the new key; the sweep will find it");
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
    // The REST root belongs to the old URL.
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

async function auditSettings(db: Db, { userId, context }: Actor, data: Prisma.UserUpdateInput): Promise<void> {
  if ("openaiApiKey" in data) {
    const detail = { removed: data.openaiApiKey === null };
    await auditIn(db, { userId, context, action: "settings.api_key_changed", detail });
  }
  if ("wordpressUrl" in data || "wordpressUsername" in data || "wordpressPassword" in data) {
    const detail = { removed: data.wordpressUrl === null };
    await auditIn(db, { userId, context, action: "settings.site_changed", detail });
  }
}
