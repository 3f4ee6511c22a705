import "server-only";
import { createHash } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { open, SecretBoxError } from "@/lib/crypto/secret-box";
import { env } from "@/lib/env";
import { AppError, CALL_MESSAGES } from "@/lib/errors";
import { selectAccess } from "@/lib/features/account/settings/sql";
import type { SealedAccess } from "@/lib/features/account/settings/sql/shared";
import { assertRoom, storageQuotaBytes } from "@/lib/limits/storage-quota";

/**
 * The user's API key in clear text, for one call. Throws MISSING_API_KEY with the call's message, and STORAGE_FULL:
 * nobody should pay for text that cannot be saved.
 */
export async function openaiKeyOf(actor: Actor, message?: string): Promise<string> {
  return openedKey(actor, await selectAccess(actor.userId), message);
}

/** As openaiKeyOf, of a row that was read already. */
export async function openedKey(
  actor: Actor,
  row: SealedAccess | undefined,
  message: string = CALL_MESSAGES.writingNeedsKey,
): Promise<string> {
  if (!row?.sealed) throw new AppError("MISSING_API_KEY", { message });
  const key = openSecret(row.sealed, actor, "openaiApiKey", new AppError("MISSING_API_KEY", { message }));
  if (row.countedBytes >= storageQuotaBytes()) await assertRoom(actor.userId);
  return key;
}

/** Changes with the user's API key, the provider's address and the model, and reveals nothing about the key. */
export async function aiAccessFingerprint(userId: string): Promise<string> {
  return fingerprintOf(await selectAccess(userId));
}

/** As aiAccessFingerprint, of a row that was read already. */
export function fingerprintOf(row: SealedAccess | undefined): string {
  const access = [env.OPENAI_BASE_URL, env.OPENAI_MODEL, row?.sealed ?? ""];
  return createHash("sha256").update(access.join("\n")).digest("base64url");
}

/** A secret that no longer opens (its encryption key was removed) counts as missing: it must be entered again. */
export function openSecret(sealed: string, actor: Actor, field: string, missing: AppError): string {
  try {
    return open(sealed, { owner: actor.userId, field });
  } catch (error) {
    if (error instanceof SecretBoxError) throw missing;
    throw error;
  }
}
