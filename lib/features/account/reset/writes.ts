import "server-only";
import { randomBytes } from "node:crypto";
import { audit, auditIn } from "@/lib/audit/audit";
import type { RequestContext } from "@/lib/auth/actor";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { hashPassword } from "@/lib/auth/password";
import { addressLimitSubject, unknownDeviceLimits } from "@/lib/auth/password-attempts";
import { hashToken } from "@/lib/auth/sessions";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { passwordChangedMail, resetMail } from "@/lib/email/account-mails";
import { isMailEnabled, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { ResetConfirmInput, ResetInput } from "@/lib/features/account/reset/schema";
import { claimReset, findReset, insertReset, lockResetAccount } from "@/lib/features/account/reset/sql";
import type { MessageOut } from "@/lib/features/account/schema";
import { rejectCommonPassword } from "@/lib/features/account/writes";
import { consumeLimits, resetLimits } from "@/lib/limits/rate-limits";
import { afterResponse } from "@/lib/transport/after-response";

/**
 * The response never reveals whether an account has this address: the lookup happens after it. Throws
 * SERVICE_UNAVAILABLE when no mail can be sent, RATE_LIMITED with or without an account.
 */
export async function requestReset({ email }: ResetInput, context: RequestContext): Promise<MessageOut> {
  if (!isMailEnabled) {
    throw new AppError("SERVICE_UNAVAILABLE", { message: "Password reset by e-mail is not set up on this server." });
  }
  // Address first: an address over its limit does not use up the account's.
  const asker = await addressLimitSubject(context);
  await consumeLimits({ name: "resetAddress", subject: asker }, { name: "resetAccount", subject: email });
  afterResponse("password reset mail", () => sendResetLink(email, context));
  return { message: "If an account has this address, an e-mail with a link to set a new password is on its way." };
}

/** Invalidates earlier links and mails a new one; does nothing when the account is missing or disabled. */
export async function sendResetLink(email: string, context: RequestContext): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const user = await transaction(async (db) => {
    const found = await lockResetAccount(db, email);
    if (!found) return undefined;
    await db.passwordReset.deleteMany({ where: { userId: found.id } });
    await insertReset(db, { userId: found.id, tokenHash: hashToken(token) });
    await auditIn(db, { userId: found.id, context, action: "password.reset_requested" });
    return found;
  });
  if (!user) return;
  // In the fragment, which browsers send to no server: it appears in no log and no Referer.
  const link = `${env.APP_URL}/auth/reset#token=${token}`;
  await sendMail(resetMail({ to: email, username: user.username, link }));
}

/**
 * Sets a new password and ends every session. The link also proves the address; see `setPassword`. A rejected password
 * does not use up the link. Throws VALIDATION_ERROR for an invalid link.
 */
export async function confirmReset(
  { token, password }: ResetConfirmInput,
  context: RequestContext,
): Promise<Confirmed> {
  rejectCommonPassword(password);
  // Checked first: a valid link is never rejected for others' invalid ones, and those cost no hash.
  const found = await findReset(hashToken(token));
  if (!found?.isValid) {
    await consumeLimits({ name: "resetConfirmAddress", subject: context.address });
    if (found) await audit({ userId: found.userId, context, action: "password.reset_refused" });
    throw invalidLink();
  }
  const hash = await hashPassword(password);
  const user = await transaction(async (db) => {
    const userId = await claimReset(db, hashToken(token));
    if (!userId) return undefined;
    await auditIn(db, { userId, context, action: "password.reset" });
    return setPassword(db, userId, hash);
  });
  if (!user) throw invalidLink();
  await forgiveSignIns(user, context);
  const { email: to, username, disconnected } = user;
  const facts = { username, disconnected, by: "link" as const, at: new Date(), signIn: `${env.APP_URL}/auth` };
  if (to) afterResponse("password changed mail", () => sendMail(passwordChangedMail({ to, ...facts })));
  const device = await rememberDevice(context, { id: user.id, password: hash });
  return { message: "Your password was changed. Sign in with the new one.", device };
}

/** `device`: the link proved their identity, so others' failed sign-ins must not lock this browser out. */
type Confirmed = MessageOut & { device: string };

function invalidLink(): AppError {
  return new AppError("VALIDATION_ERROR", { message: INVALID_LINK, fields: { token: [INVALID_LINK] } });
}

const INVALID_LINK =
  "This link is no longer valid: it was used, has expired, or was replaced by a newer one. Please request a new link.";

/**
 * Sets the password, ends all sessions and marks the address verified. Sign-in methods linked before the address was
 * verified are removed: a squatter may have registered somebody else's address.
 */
async function setPassword(db: Db, id: string, password: string) {
  const before = await db.user.findUniqueOrThrow({ where: { id }, select: { emailVerified: true, firebaseUid: true } });
  const proof = before.emailVerified ? {} : { emailVerified: new Date(), firebaseUid: null };
  const { username, email } = await db.user.update({
    where: { id },
    data: { password, ...proof },
    select: { username: true, email: true },
  });
  const accounts = before.emailVerified ? 0 : (await db.account.deleteMany({ where: { userId: id } })).count;
  await db.session.deleteMany({ where: { userId: id } });
  const disconnected = accounts > 0 || (!before.emailVerified && before.firebaseUid !== null);
  return { id, username, email, disconnected };
}

/** Earlier wrong passwords must not lock out the owner of the new one. */
async function forgiveSignIns(
  user: { id: string; username: string; email: string | null },
  { address }: RequestContext,
) {
  const names = [user.id, user.username.toLowerCase(), ...(user.email ? [user.email] : [])];
  const hits = names.flatMap((name) => unknownDeviceLimits(name, { address }));
  await resetLimits(...hits.filter(({ name }) => name !== "loginAddress"));
}
