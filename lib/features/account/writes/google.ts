import "server-only";
import { audit, auditIn } from "@/lib/audit/audit";
import type { Actor, Origin } from "@/lib/auth/actor";
import type { GoogleIdentity } from "@/lib/auth/google";
import type { Intent } from "@/lib/auth/intent";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { googleChangedMail } from "@/lib/email/account-mails";
import { isMailOn, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { signInMethods } from "@/lib/features/account/reads";
import type { ProofInput, SignInMethods } from "@/lib/features/account/schema";
import { joinGoogleAccount } from "@/lib/features/account/sql";
import { holdAccount, proveIdentity } from "@/lib/features/account/writes/account";
import { countHits } from "@/lib/limits/limits";
import { afterAnswer } from "@/lib/utils/after";
import { isUniqueViolation } from "@/lib/utils/database";
import type { SignInFailure } from "@/lib/utils/sign-in-failure";

/** Who comes back from Google: the session this browser has, and what a signed-in person went there for. */
export type Visit = {
  origin: Origin;
  actor: Actor | undefined;
  token: string | undefined;
  intent: Intent | undefined;
};

/**
 * May this Google account sign in, or be connected? Answers what stands against it, undefined when nothing does; by then
 * the account is connected where it had to be. The session this browser has stays: a sign-in can still fail.
 */
export async function admitGoogle(google: GoogleIdentity, visit: Visit): Promise<SignInFailure | undefined> {
  const owner = await ownerOf(google);
  if (owner?.disabledAt) {
    await audit({ userId: owner.id, origin: visit.origin, action: "session.sign_in_failed" });
    return "Disabled";
  }
  if (visit.intent) {
    // The session may have ended, or become another person's, while they were at Google.
    if (visit.actor?.userId !== visit.intent.userId) return "SessionEnded";
    if (visit.intent.purpose === "connect") return connect(google, visit.actor, owner?.id);
    if (owner?.id !== visit.actor.userId) {
      await audit({ userId: visit.actor.userId, origin: visit.origin, action: "account.proof_refused" });
      return "AnotherAccount";
    }
  } else if (!owner) {
    const failure = await joinOrLetCreate(google, visit.origin);
    if (failure) return failure;
  }
  return undefined;
}

async function ownerOf({ subject }: GoogleIdentity) {
  const account = await prisma.account.findUnique({
    where: { provider_providerAccountId: { provider: "google", providerAccountId: subject } },
    select: { user: { select: { id: true, disabledAt: true } } },
  });
  return account?.user;
}

async function connect({ subject }: GoogleIdentity, actor: Actor, ownerId: string | undefined) {
  if (ownerId === actor.userId) return undefined;
  if (ownerId) return "ConnectedElsewhere";
  const account = { userId: actor.userId, type: "oauth", provider: "google", providerAccountId: subject };
  const connecting = transaction(async (db): Promise<SignInFailure | undefined> => {
    if ((await holdAccount(db, actor)).isGoogleConnected) return "ConnectedAlready";
    await db.account.create({ data: account, select: { id: true } });
    await auditIn(db, { userId: actor.userId, origin: actor.origin, action: "account.identity_connected" });
    return undefined;
  });
  const failure = await connecting.catch((error: unknown): SignInFailure => {
    if (isUniqueViolation(error)) return "ConnectedElsewhere";
    throw error;
  });
  if (!failure) await mailChange(actor.userId, "connected");
  return failure;
}

/** A Google account nobody has here: joined to the account with its address, or a new account, which next-auth makes. */
async function joinOrLetCreate({ subject, email, isEmailVerified }: GoogleIdentity, origin: Origin) {
  if (!email || !isEmailVerified) return "Unconfirmed";
  const known = await prisma.user.findUnique({ where: { email }, select: { id: true } });
  if (known) {
    const userId = await transaction(async (db) => {
      const joined = await joinGoogleAccount(db, { subject, email });
      if (joined) await auditIn(db, { userId: joined, origin, action: "account.identity_connected" });
      return joined;
    });
    if (!userId) {
      await audit({ userId: known.id, origin, action: "session.sign_in_failed" });
      return "Exists";
    }
    await mailChange(userId, "connected");
    return undefined;
  }
  try {
    await countHits({ name: "registerAddress", subject: origin.address });
  } catch (error) {
    if (error instanceof AppError) return "TooMany";
    throw error;
  }
  return undefined;
}

/** Takes Google away as a way in. Throws VALIDATION_ERROR without a password, which would be the last one. */
export async function disconnectGoogle(
  actor: Actor,
  token: string | undefined,
  { currentPassword }: ProofInput,
): Promise<SignInMethods> {
  if (!(await signInMethods(actor)).hasPassword) {
    throw new AppError("VALIDATION_ERROR", {
      message: "Set a password first: without it nobody could sign in to this account once Google is disconnected.",
    });
  }
  const proved = await proveIdentity(actor, token, currentPassword, "currentPassword");
  const { userId, origin } = actor;
  const count = await transaction(async (db) => {
    const { password } = await holdAccount(db, actor);
    if (password === null || password !== proved) return 0;
    const deleted = await db.account.deleteMany({ where: { userId, provider: "google" } });
    if (deleted.count > 0) await auditIn(db, { userId, origin, action: "account.identity_disconnected" });
    return deleted.count;
  });
  if (count > 0) await mailChange(userId, "disconnected");
  return signInMethods(actor);
}

/** By mail, where the account has an address: its owner learns of what somebody else did. */
async function mailChange(userId: string, became: "connected" | "disconnected"): Promise<void> {
  const user = await prisma.user.findUnique({ where: { id: userId }, select: { username: true, email: true } });
  const { username, email: to } = user ?? {};
  if (!isMailOn || !username || !to) return;
  const mail = googleChangedMail({ to, username, at: new Date(), became, settings: `${env.APP_URL}/settings` });
  afterAnswer("google changed mail", () => sendMail(mail));
}
