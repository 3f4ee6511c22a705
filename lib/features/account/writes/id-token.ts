import "server-only";
import { audit, auditIn } from "@/lib/audit/audit";
import type { Origin } from "@/lib/auth/actor";
import { type Identity, RefusedToken, verifyIdToken } from "@/lib/auth/id-token";
import { createWithFreeUsername } from "@/lib/auth/new-user";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import type { IdTokenInput } from "@/lib/features/account/schema";
import { type SignedIn, startSession } from "@/lib/features/account/writes/sign-in";
import { countHits } from "@/lib/limits/limits";
import { isUniqueViolation } from "@/lib/utils/database";

/**
 * Signs in with a verified ID token, creating the account at the first one. The token alone decides who it is; the body
 * may add a name and a picture. Throws UNAUTHENTICATED, DUPLICATE when the address belongs to an account that must not be
 * joined, RATE_LIMITED, or SERVICE_UNAVAILABLE.
 */
export async function signInWithIdToken(
  authorization: string | null,
  input: IdTokenInput,
  origin: Origin,
): Promise<SignedIn> {
  const identity = await verified(authorization, origin);
  await refuseAnother(identity, input, origin);
  const { userId: id, isNew } = await accountOf(identity, input, origin);
  const { password } = await prisma.user.findUniqueOrThrow({ where: { id }, select: { password: true } });
  return startSession({ id, password }, origin, isNew ? "account.registered" : "session.signed_in");
}

/** A token that is not good is counted after the look at it: a good one costs little and is never refused for others'. */
async function verified(authorization: string | null, origin: Origin): Promise<Identity> {
  try {
    return await verifyIdToken(authorization);
  } catch (error) {
    if (error instanceof AppError && error.type === "UNAUTHENTICATED") {
      await countHits({ name: "idTokenAddress", subject: origin.address });
    }
    const uid = error instanceof RefusedToken ? error.uid : undefined;
    return refuse(uid && (await ownerOf(uid))?.id, origin, error);
  }
}

async function refuseAnother({ uid, email }: Identity, input: IdTokenInput, origin: Origin): Promise<void> {
  const isAnother = (input.firebaseUid && input.firebaseUid !== uid) || (input.email && input.email !== email);
  if (!isAnother) return;
  const message = "Your ID token belongs to another account.";
  await refuse((await ownerOf(uid))?.id, origin, new AppError("UNAUTHENTICATED", { message }));
}

/** Into the trail of the account that it concerns, where there is one. */
async function refuse(userId: string | undefined, origin: Origin, error: unknown): Promise<never> {
  if (userId) await audit({ userId, origin, action: "session.sign_in_failed" });
  throw error;
}

function ownerOf(firebaseUid: string) {
  return prisma.user.findUnique({ where: { firebaseUid }, select: { id: true, disabledAt: true } });
}

type Found = { userId: string; isNew: boolean };

async function accountOf(identity: Identity, input: IdTokenInput, origin: Origin): Promise<Found> {
  const userId = (await knownAccount(identity, origin)) ?? (await joinedAccount(identity, origin));
  if (!userId) return createAccount(identity, input, origin);
  await fillIn(userId, input);
  return { userId, isNew: false };
}

async function knownAccount({ uid }: Pick<Identity, "uid">, origin: Origin): Promise<string | undefined> {
  const user = await ownerOf(uid);
  if (user?.disabledAt) return refuse(user.id, origin, new AppError("UNAUTHENTICATED", { message: DISABLED }));
  return user?.id;
}

const DISABLED = "This account has been disabled. Ask whoever runs this server.";
const EXISTS = "An account with this e-mail exists: sign in with your password and connect Google in Settings";

/** The account with this address, if provider and we have both verified it and it is not another identity's already. */
async function joinedAccount({ uid, email, emailVerified }: Identity, origin: Origin): Promise<string | undefined> {
  if (!email) return undefined;
  const user = await prisma.user.findUnique({
    where: { email },
    select: { id: true, emailVerified: true, disabledAt: true, firebaseUid: true },
  });
  if (!user) return undefined;
  // Made or joined by another first sign-in since the account was looked for.
  if (user.firebaseUid === uid) return knownAccount({ uid }, origin);
  const exists = new AppError("DUPLICATE", { message: EXISTS });
  if (!emailVerified || !user.emailVerified) return refuse(user.id, origin, exists);
  if (user.disabledAt) return refuse(user.id, origin, new AppError("UNAUTHENTICATED", { message: DISABLED }));
  // Asked again where it is written: the address may have changed since it was read.
  const where = { id: user.id, email, emailVerified: { not: null }, firebaseUid: null, disabledAt: null };
  const isJoined = await transaction(async (db) => {
    const { count } = await db.user.updateMany({ where, data: { firebaseUid: uid } });
    if (count > 0) await auditIn(db, { userId: user.id, origin, action: "account.identity_connected" });
    return count > 0;
  });
  return isJoined ? user.id : ((await knownAccount({ uid }, origin)) ?? refuse(user.id, origin, exists));
}

async function createAccount(identity: Identity, input: IdTokenInput, origin: Origin): Promise<Found> {
  const { uid, email, emailVerified } = identity;
  await countHits({ name: "registerAddress", subject: origin.address });
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
    // Two first sign-ins at once: the other one made it, or has taken the address.
    if (!isUniqueViolation(error)) throw error;
    const userId = (await knownAccount(identity, origin)) ?? (await joinedAccount(identity, origin));
    if (!userId) throw error;
    return { userId, isNew: false };
  }
}

/** Name and picture where there is none yet: what stands there is the person's own. */
async function fillIn(id: string, { displayName, photoURL }: IdTokenInput): Promise<void> {
  if (displayName) await prisma.user.updateMany({ where: { id, displayName: null }, data: { displayName } });
  if (photoURL) await prisma.user.updateMany({ where: { id, photoURL: null }, data: { photoURL } });
}
