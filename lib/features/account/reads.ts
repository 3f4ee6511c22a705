import "server-only";
import { createHash } from "node:crypto";
import { recentEvents } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { isGoogleOn } from "@/lib/auth/google";
import { listSessions } from "@/lib/auth/sessions";
import { open, SecretBoxError } from "@/lib/crypto/secret-box";
import { type Db, prisma } from "@/lib/db/prisma";
import { isMailOn } from "@/lib/email/mailer";
import { AppError, CALL_MESSAGES } from "@/lib/errors";
import { type SignInMethods, type UserOut, userOut } from "@/lib/features/account/schema";
import { selectKey } from "@/lib/features/account/sql";
import { maxStoredBytes, type StorageUse, storageUse } from "@/lib/limits/usage";
import { isBlank } from "@/lib/utils/text";

/** The account as the browser may see it. The session's own statement has read it already. */
export async function currentUser(actor: Actor): Promise<UserOut> {
  return actor.user ? visible(actor.user) : readAccount(actor);
}

/** The account as it stands in the database now: after a change, or without a session. */
export async function readAccount(actor: Actor, db: Db = prisma): Promise<UserOut> {
  const user = await db.user.findUnique({
    where: { id: actor.userId },
    omit: { openaiApiKey: false, wordpressPassword: false },
  });
  if (!user) throw new AppError("UNAUTHENTICATED");
  return visible({
    ...user,
    hasOpenaiApiKey: user.openaiApiKey !== null,
    hasWordpressPassword: user.wordpressPassword !== null,
  });
}

/** The person's open sessions; `token` is the one that asks. */
export function openSessions(actor: Actor, token: string | undefined) {
  return listSessions(actor.userId, token);
}

/** How the person can sign in. */
export async function signInMethods({ userId }: Actor): Promise<SignInMethods> {
  const user = await prisma.user.findUnique({
    where: { id: userId },
    select: {
      password: true,
      emailVerified: true,
      accounts: { where: { provider: "google" }, select: { id: true } },
    },
  });
  if (!user) throw new AppError("UNAUTHENTICATED");
  return {
    hasPassword: user.password !== null,
    isGoogleOn,
    isGoogleConnected: user.accounts.length > 0,
    isEmailVerified: user.emailVerified !== null,
  };
}

/** What happened to the account of late, newest first; failures as one entry of each kind. */
export function recentActivity(actor: Actor) {
  return recentEvents(actor.userId, SHOWN_EVENTS);
}

const SHOWN_EVENTS = 50;

/** How much the person stores, and how much they may. */
export function readStorage({ userId }: Actor): Promise<StorageUse> {
  return storageUse(userId);
}

/** Parsed by its own schema, so that no other column goes along. */
function visible(user: unknown): UserOut {
  return userOut.parse(user);
}

/** Can a link to set a new password be mailed from this server? For the sign-in page. */
export function canMailResets(): boolean {
  return isMailOn;
}

/** Can one sign in with Google on this server? For the sign-in page. */
export function canUseGoogle(): boolean {
  return isGoogleOn;
}

/**
 * The person's own provider key in clear text, for one call. Throws MISSING_API_KEY with the sentence of the call, and
 * STORAGE_FULL: what would have no room is not paid for.
 */
export async function openaiKeyOf(actor: Actor, message: string = CALL_MESSAGES.writingNeedsKey): Promise<string> {
  const row = await selectKey(actor.userId);
  if (!row?.sealed) throw new AppError("MISSING_API_KEY", { message });
  const key = openSecret(row.sealed, actor, "openaiApiKey", new AppError("MISSING_API_KEY", { message }));
  if (row.storedBytes >= maxStoredBytes()) throw new AppError("STORAGE_FULL");
  return key;
}

/** Tells whether the person's key is still the one something was said of; tells nothing of the key. */
export async function keyFingerprint(userId: string): Promise<string> {
  const row = await selectKey(userId);
  return createHash("sha256")
    .update(row?.sealed ?? "")
    .digest("base64url");
}

export type SiteCredentials = { url: string; username: string; password: string };

/** The address of the person's site, and the REST root that was found there; null where there is none or nobody looked. */
export type PresentSite = { wordpressUrl: string | null; wordpressSite: string | null };

/** The person's site as it stands in the database now, without a look at it. */
export async function presentSite({ userId }: Actor): Promise<PresentSite> {
  const select = { wordpressUrl: true, wordpressSite: true };
  const row = await prisma.user.findUnique({ where: { id: userId }, select });
  return row ?? { wordpressUrl: null, wordpressSite: null };
}

/** Address, user name and password of the person's site. Throws MISSING_CREDENTIALS when one of the three is missing. */
export async function siteCredentialsOf(actor: Actor): Promise<SiteCredentials> {
  const row = await prisma.user.findUnique({
    where: { id: actor.userId },
    select: { wordpressUrl: true, wordpressUsername: true, wordpressPassword: true },
  });
  const missing = new AppError("MISSING_CREDENTIALS");
  if (!row?.wordpressUrl || !row.wordpressUsername || isBlank(row.wordpressPassword)) throw missing;
  const sealed = row.wordpressPassword ?? "";
  const password = openSecret(sealed, actor, "wordpressPassword", missing);
  return { url: row.wordpressUrl, username: row.wordpressUsername, password };
}

/** A secret that cannot be opened (its key was taken out of the ring) is as good as missing: it must be typed again. */
function openSecret(sealed: string, actor: Actor, field: string, missing: AppError): string {
  try {
    return open(sealed, { owner: actor.userId, field });
  } catch (error) {
    if (error instanceof SecretBoxError) throw missing;
    throw error;
  }
}
