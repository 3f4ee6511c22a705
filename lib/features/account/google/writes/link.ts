import "server-only";
import { audit, auditIn } from "@/lib/audit/audit";
import type { Actor, RequestContext } from "@/lib/auth/actor";
import type { GoogleIdentity } from "@/lib/auth/google";
import type { Intent } from "@/lib/auth/google-intent";
import type { SignInFailure } from "@/lib/auth/sign-in-failure";
import { isUniqueViolation } from "@/lib/db/errors";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { googleChangedMail } from "@/lib/email/account-mails";
import { isMailEnabled, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { signInMethods } from "@/lib/features/account/google/reads";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import { linkGoogleAccount } from "@/lib/features/account/google/sql";
import type { ReauthenticationInput } from "@/lib/features/account/schema";
import { lockOwnAccount, reauthenticate } from "@/lib/features/account/writes";
import { consumeLimits } from "@/lib/limits/rate-limits";
import { afterResponse } from "@/lib/transport/after-response";

/** A request in the Google flow: this browser's session and why its owner went to Google. */
export type OAuthVisit = {
  context: RequestContext;
  actor: Actor | undefined;
  token: string | undefined;
  intent: Intent | undefined;
};

/**
 * Decides whether this Google account may sign in or be linked, and links it. Returns what prevents it. The browser's
 * current session stays, since the sign-in can still fail.
 */
export async function acceptGoogleIdentity(
  google: GoogleIdentity,
  visit: OAuthVisit,
): Promise<SignInFailure | undefined> {
  const owner = await ownerOf(google);
  if (owner?.disabledAt) {
    await audit({ userId: owner.id, context: visit.context, action: "session.sign_in_failed" });
    return "Disabled";
  }
  if (visit.intent) {
    // The session may have ended or changed while they were at Google.
    if (visit.actor?.userId !== visit.intent.userId) return "SessionEnded";
    if (visit.intent.purpose === "connect") return connect(google, visit.actor, owner?.id);
    if (owner?.id !== visit.actor.userId) {
      await audit({ userId: visit.actor.userId, context: visit.context, action: "account.proof_refused" });
      return "AnotherAccount";
    }
  } else if (!owner) {
    const failure = await linkOrLetCreate(google, visit.context);
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
    if ((await lockOwnAccount(db, actor)).isGoogleConnected) return "ConnectedAlready";
    await db.account.create({ data: account, select: { id: true } });
    await auditIn(db, { userId: actor.userId, context: actor.context, action: "account.identity_connected" });
    return undefined;
  });
  const failure = await connecting.catch((error: unknown): SignInFailure => {
    if (isUniqueViolation(error)) return "ConnectedElsewhere";
    throw error;
  });
  if (!failure) await mailChange(actor.userId, "connected");
  return failure;
}

/** An unknown Google account: links it to the account with its address, or lets next-auth create one. */
async function linkOrLetCreate({ subject, email, isEmailVerified }: GoogleIdentity, context: RequestContext) {
  if (!email || !isEmailVerified) return "Unconfirmed";
  const known = await prisma.user.findUnique({ where: { email, ...LIVE }, select: { id: true } });
  if (known) {
    const userId = await transaction(async (db) => {
      const linked = await linkGoogleAccount(db, { subject, email });
      if (linked) await auditIn(db, { userId: linked, context, action: "account.identity_connected" });
      return linked;
    });
    if (!userId) {
      await audit({ userId: known.id, context, action: "session.sign_in_failed" });
      return "Exists";
    }
    await mailChange(userId, "connected");
    return undefined;
  }
  try {
    await consumeLimits({ name: "registerAddress", subject: context.address });
  } catch (error) {
    if (error instanceof AppError) return "TooMany";
    throw error;
  }
  return undefined;
}

/** Throws VALIDATION_ERROR without a password: nobody could sign in any more. */
export async function unlinkGoogle(
  actor: Actor,
  token: string | undefined,
  { currentPassword }: ReauthenticationInput,
): Promise<SignInMethods> {
  if (!(await signInMethods(actor)).hasPassword) {
    throw new AppError("VALIDATION_ERROR", {
      message: "Set a password first: without it nobody could sign in to this account once Google is disconnected.",
    });
  }
  const proved = await reauthenticate(actor, token, currentPassword, "currentPassword");
  const { userId, context } = actor;
  const count = await transaction(async (db) => {
    const { password } = await lockOwnAccount(db, actor);
    if (password === null || password !== proved) return 0;
    const deleted = await db.account.deleteMany({ where: { userId, provider: "google" } });
    if (deleted.count > 0) await auditIn(db, { userId, context, action: "account.identity_disconnected" });
    return deleted.count;
  });
  if (count > 0) await mailChange(userId, "disconnected");
  return signInMethods(actor);
}

/** Tells the owner, who may not have done it. */
async function mailChange(userId: string, became: "connected" | "disconnected"): Promise<void> {
  const user = await prisma.user.findUnique({
    where: { id: userId, ...LIVE },
    select: { username: true, email: true },
  });
  const { username, email: to } = user ?? {};
  if (!isMailEnabled || !username || !to) return;
  const mail = googleChangedMail({ to, username, at: new Date(), became, settings: `${env.APP_URL}/settings` });
  afterResponse("google changed mail", () => sendMail(mail));
}
