import "server-only";
import { randomBytes } from "node:crypto";
import { audit, auditIn } from "@/lib/audit/audit";
import type { RequestContext } from "@/lib/auth/actor";
import { deviceNonces, hasSignedInBefore, rememberDevice } from "@/lib/auth/device-cookie";
import { hashPassword } from "@/lib/auth/password";
import { addressLimitSubject, unknownDeviceLimits } from "@/lib/auth/password-attempts";
import { deleteOtherSessions, hashToken } from "@/lib/auth/sessions";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { passwordChangedMail, resetMail } from "@/lib/email/account-mails";
import { isMailEnabled, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError, isAppError } from "@/lib/errors";
import type { ResetConfirmInput, ResetInput } from "@/lib/features/account/reset/schema";
import {
  claimReset,
  findReset,
  findResetAccount,
  insertReset,
  lockResetAccount,
} from "@/lib/features/account/reset/sql";
import type { MessageOut } from "@/lib/features/account/schema";
import { rejectCommonPassword } from "@/lib/features/account/writes";
import { consumeLimits, type LimitKey, resetLimits } from "@/lib/limits/rate-limits";
import { afterResponse } from "@/lib/transport/after-response";

/**
 * The response never reveals whether an account has this address, nor whether this browser signed in to it: the lookup
 * happens after it. Throws SERVICE_UNAVAILABLE when no mail can be sent, RATE_LIMITED with or without an account.
 */
export async function requestReset({ email }: ResetInput, context: RequestContext): Promise<MessageOut> {
  if (!isMailEnabled) {
    throw new AppError("SERVICE_UNAVAILABLE", { message: "Password reset by e-mail is not set up on this server." });
  }
  const send = await countRequest(email, context);
  afterResponse("password reset mail", () => send(email, context));
  return { message: "If an account has this address, an e-mail with a link to set a new password is on its way." };
}

/**
 * Counts a request and returns how to serve it. Strangers can use up an account's three an hour; a browser that signed in
 * to some account then has three of its own, and gets a mail if it is this account.
 */
async function countRequest(email: string, context: RequestContext): Promise<typeof sendResetLink> {
  // The address comes first: an address over its limit does not use up the account's.
  const byAddress: LimitKey = { name: "resetAddress", subject: await addressLimitSubject(context) };
  try {
    await consumeLimits(byAddress, { name: "resetAccount", subject: email });
    return sendResetLink;
  } catch (error) {
    const nonces = await deviceNonces(context);
    if (nonces.length === 0 || !isAppError(error, "RATE_LIMITED")) throw error;
    // All of them count: a cookie that was added to a stolen one brings it no further allowance.
    const byDevice = nonces.map((nonce) => ({ name: "resetDevice", subject: `${nonce} ${email}` }) as const);
    await consumeLimits(byAddress, ...byDevice);
    return sendResetLinkToKnown;
  }
}

/** Does nothing for a browser that never signed in to the account, or when its known browsers have had their mails. */
async function sendResetLinkToKnown(email: string, context: RequestContext): Promise<void> {
  const account = await findResetAccount(email);
  if (!account || !(await hasSignedInBefore(context, account))) return;
  if (await isCounted({ name: "resetDevicesOfAccount", subject: account.id })) await sendResetLink(email, context);
}

function isCounted(hit: LimitKey): Promise<boolean> {
  return consumeLimits(hit).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, "RATE_LIMITED")) return false;
      throw error;
    },
  );
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
  // The token is in the fragment, which browsers send to no server: it appears in no log and no Referer.
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
  // We check first: a valid link is never rejected for others' invalid ones, and those cost no hash.
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
 * verified are removed: a squatter may have registered another user's address.
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
  await deleteOtherSessions(id, undefined, db);
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
