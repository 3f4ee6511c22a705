import "server-only";
import { audit, auditIn } from "@/lib/audit/audit";
import type { RequestContext } from "@/lib/auth/actor";
import { type Identity, RefusedToken, verifyIdToken } from "@/lib/auth/id-token";
import { createWithFreeUsername } from "@/lib/auth/new-user";
import { isUniqueViolation } from "@/lib/db/errors";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import type { IdTokenInput } from "@/lib/features/account/sign-in/schema";
import { type SignedIn, startSession } from "@/lib/features/account/sign-in/writes/sign-in";
import { consumeLimits } from "@/lib/limits/rate-limits";

/**
 * Signs in with an ID token and creates the account the first time. Only the token identifies the user; the body may
 * add a name and a picture. Throws UNAUTHENTICATED, DUPLICATE when the address belongs to an account that must not be
 * linked, RATE_LIMITED, or SERVICE_UNAVAILABLE.
 */
export async function signInWithIdToken(
  authorization: string | null,
  input: IdTokenInput,
  context: RequestContext,
): Promise<SignedIn> {
  const identity = await verified(authorization, context);
  await rejectOtherAccount(identity, input, context);
  const { userId: id, isNew } = await accountOf(identity, input, context);
  const { password } = await prisma.user.findUniqueOrThrow({ where: { id, ...LIVE }, select: { password: true } });
  return startSession({ id, password }, context, isNew ? "account.registered" : "session.signed_in");
}

/**
 * Only invalid tokens count, and only after the check: a valid one is cheap and never rejected for others' failures.
 */
async function verified(authorization: string | null, context: RequestContext): Promise<Identity> {
  try {
    return await verifyIdToken(authorization);
  } catch (error) {
    if (error instanceof AppError && error.type === "UNAUTHENTICATED") {
      await consumeLimits({ name: "idTokenAddress", subject: context.address });
    }
    const uid = error instanceof RefusedToken ? error.uid : undefined;
    return auditAndThrow(uid && (await ownerOf(uid))?.id, context, error);
  }
}

async function rejectOtherAccount(
  { uid, email }: Identity,
  input: IdTokenInput,
  context: RequestContext,
): Promise<void> {
  const isOther = (input.firebaseUid && input.firebaseUid !== uid) || (input.email && input.email !== email);
  if (!isOther) return;
  const message = "Your ID token belongs to another account.";
  await auditAndThrow((await ownerOf(uid))?.id, context, new AppError("UNAUTHENTICATED", { message }));
}

/** Audits the failure on the account it concerns, if any. */
async function auditAndThrow(userId: string | undefined, context: RequestContext, error: unknown): Promise<never> {
  if (userId) await audit({ userId, context, action: "session.sign_in_failed" });
  throw error;
}

function ownerOf(firebaseUid: string) {
  return prisma.user.findUnique({ where: { firebaseUid, ...LIVE }, select: { id: true, disabledAt: true } });
}

type Found = { userId: string; isNew: boolean };

async function accountOf(identity: Identity, input: IdTokenInput, context: RequestContext): Promise<Found> {
  const userId = (await existingAccount(identity, context)) ?? (await linkedAccount(identity, context));
  if (!userId) return createAccount(identity, input, context);
  await fillIn(userId, input);
  return { userId, isNew: false };
}

async function existingAccount({ uid }: Pick<Identity, "uid">, context: RequestContext): Promise<string | undefined> {
  const user = await ownerOf(uid);
  if (user?.disabledAt) return auditAndThrow(user.id, context, new AppError("UNAUTHENTICATED", { message: DISABLED }));
  return user?.id;
}

const DISABLED = "This account has been disabled. Ask the operator of this server.";

const EXISTS = "An account with this e-mail exists: sign in with your password and connect Google in Settings";

/**
 * Links the account with this address, if both the provider and we have verified it and no other identity is linked.
 */
async function linkedAccount(
  { uid, email, emailVerified }: Identity,
  context: RequestContext,
): Promise<string | undefined> {
  if (!email) return undefined;
  const user = await prisma.user.findUnique({
    where: { email, ...LIVE },
    select: { id: true, emailVerified: true, disabledAt: true, firebaseUid: true },
  });
  if (!user) return undefined;
  // A concurrent first sign-in created or linked it.
  if (user.firebaseUid === uid) return existingAccount({ uid }, context);
  const exists = new AppError("DUPLICATE", { message: EXISTS });
  if (!emailVerified || !user.emailVerified) return auditAndThrow(user.id, context, exists);
  if (user.disabledAt) return auditAndThrow(user.id, context, new AppError("UNAUTHENTICATED", { message: DISABLED }));
  // The write checks again: the address may have changed since.
  const where = { id: user.id, email, emailVerified: { not: null }, firebaseUid: null, disabledAt: null, ...LIVE };
  const isLinked = await transaction(async (db) => {
    const { count } = await db.user.updateMany({ where, data: { firebaseUid: uid } });
    if (count > 0) await auditIn(db, { userId: user.id, context, action: "account.identity_connected" });
    return count > 0;
  });
  return isLinked ? user.id : ((await existingAccount({ uid }, context)) ?? auditAndThrow(user.id, context, exists));
}

async function createAccount(identity: Identity, input: IdTokenInput, context: RequestContext): Promise<Found> {
  const { uid, email, emailVerified } = identity;
  await consumeLimits({ name: "registerAddress", subject: context.address });
  try {
    const userId = await createWithFreeUsername({
      email,
      emailVerified: emailVerified ? new Date() : null,
      displayName: input.displayName || null,
      photoURL: input.photoURL || null,
      firebaseUid: uid,
    });
    return { userId, isNew: true };
  } catch (error) {
    // A concurrent first sign-in created it, or took the address.
    if (!isUniqueViolation(error)) throw error;
    const userId = (await existingAccount(identity, context)) ?? (await linkedAccount(identity, context));
    if (!userId) throw error;
    return { userId, isNew: false };
  }
}

/** Fills in name and picture only where the user has none. */
async function fillIn(id: string, { displayName, photoURL }: IdTokenInput): Promise<void> {
  if (displayName) await prisma.user.updateMany({ where: { id, displayName: null }, data: { displayName } });
  if (photoURL) await prisma.user.updateMany({ where: { id, photoURL: null }, data: { photoURL } });
}
