import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor, Origin } from "@/lib/auth/actor";
import type { GoogleIdentity } from "@/lib/auth/google";
import type { Intent } from "@/lib/auth/intent";
import { endSession } from "@/lib/auth/sessions";
import { prisma } from "@/lib/db/prisma";
import { googleChangedMail } from "@/lib/email/account-mails";
import { isMailOn, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { signInMethods } from "@/lib/features/account/reads";
import type { ProofInput, SignInMethods } from "@/lib/features/account/schema";
import { joinGoogleAccount } from "@/lib/features/account/sql";
import { proveIdentity } from "@/lib/features/account/writes/account";
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
 * the account is connected where it had to be, and the session this browser had has ended (except when connecting).
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
  if (visit.token) await endSession(visit.token);
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
  if ((await signInMethods(actor)).isGoogleConnected) return "ConnectedAlready";
  const account = { userId: actor.userId, type: "oauth", provider: "google", providerAccountId: subject };
  try {
    await prisma.account.create({ data: account, select: { id: true } });
  } catch (error) {
    if (isUniqueViolation(error)) return "ConnectedElsewhere";
    throw error;
  }
  await tell(actor.userId, actor.origin, "connected");
  return undefined;
}

/** A Google account nobody has here: joined to the account with its address, or a new account, which next-auth makes. */
async function joinOrLetCreate({ subject, email, isEmailVerified }: GoogleIdentity, origin: Origin) {
  if (!email || !isEmailVerified) return "Unconfirmed";
  const known = await prisma.user.findUnique({ where: { email }, select: { id: true } });
  if (known) {
    const userId = await joinGoogleAccount(prisma, { subject, email });
    if (!userId) {
      await audit({ userId: known.id, origin, action: "session.sign_in_failed" });
      return "Exists";
    }
    await tell(userId, origin, "connected");
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
  const { count } = await prisma.account.deleteMany({
    where: { provider: "google", user: { id: actor.userId, password: proved } },
  });
  if (count > 0) await tell(actor.userId, actor.origin, "disconnected");
  return signInMethods(actor);
}

/** In the trail, and by mail where the account has an address: whoever did not do it learns of it. */
async function tell(userId: string, origin: Origin, became: "connected" | "disconnected"): Promise<void> {
  await audit({ userId, origin, action: `account.identity_${became}` });
  const user = await prisma.user.findUnique({ where: { id: userId }, select: { username: true, email: true } });
  const { username, email: to } = user ?? {};
  if (!isMailOn || !username || !to) return;
  const mail = googleChangedMail({ to, username, at: new Date(), became, settings: `${env.APP_URL}/settings` });
  afterAnswer("google changed mail", () => sendMail(mail));
}
