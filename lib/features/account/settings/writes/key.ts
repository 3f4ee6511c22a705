import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { seal } from "@/lib/crypto/secret-box";
import type { Db } from "@/lib/db/prisma";
import { providerKeyChanged } from "@/lib/events/catalogue";
import { sendEvents } from "@/lib/events/send";
import { keyHint } from "@/lib/features/account/settings/rules";
import type { SettingsInput } from "@/lib/features/account/settings/schema";
import { log } from "@/lib/log";

/** Saves the provider's key: absent or empty leaves it, null removes it. Returns whether it changed; then call announceKey. */
export async function changeKey(
  db: Db,
  { userId, context }: Actor,
  { openaiApiKey: key }: SettingsInput,
): Promise<boolean> {
  if (key === undefined || key === "") return false;
  const data =
    key === null
      ? { openaiApiKey: null, openaiApiKeyHint: null }
      : { openaiApiKey: seal(key, { owner: userId, field: "openaiApiKey" }), openaiApiKeyHint: keyHint(key) };
  await db.user.update({ where: { id: userId }, data, select: { id: true } });
  await auditIn(db, { userId, context, action: "settings.api_key_changed", detail: { removed: key === null } });
  return true;
}

/** Resumes items held for the old key; if the event is lost, the next sweep does. */
export async function announceKey(userId: string): Promise<void> {
  await sendEvents(providerKeyChanged.create({ userId })).catch((error: unknown) => {
    log.warn({ err: error }, "could not announce the new key; the sweep will find it");
  });
}
