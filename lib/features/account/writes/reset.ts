import "server-only";
import { randomBytes } from "node:crypto";
import { audit, auditIn } from "@/lib/audit/audit";
import type { Origin } from "@/lib/auth/actor";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { addressOrAccount, strangerHits } from "@/lib/auth/guesses";
import { hashPassword } from "@/lib/auth/password";
import { hashToken } from "@/lib/auth/sessions";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { passwordChangedMail, resetMail } from "@/lib/email/account-mails";
import { isMailOn, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { MessageOut, ResetConfirmInput, ResetInput } from "@/lib/features/account/schema";
import { claimReset, findReset, insertReset, lockResetAccount } from "@/lib/features/account/sql";
import { refuseCommonPassword } from "@/lib/features/account/writes/sign-in";
import { clearHits, countHits } from "@/lib/limits/limits";
import { afterAnswer } from "@/lib/utils/after";

/**
 * Asks for a link to set a new password. Whether an account has this address shows in nothing: it is looked up after the
 * answer. Throws SERVICE_UNAVAILABLE where no mail can be sent, RATE_LIMITED whether or not there is an account.
 */
export async function requestReset({ email }: ResetInput, origin: Origin): Promise<MessageOut> {
  if (!isMailOn) {
    throw new AppError("SERVICE_UNAVAILABLE", { message: "Password reset by e-mail is not set up on this server." });
  }
  // The address first: whoever is over its limit does not use up other people's.
  const asker = await addressOrAccount(origin);
  await countHits({ name: "resetAddress", subject: asker }, { name: "resetAccount", subject: email });
  afterAnswer("password reset mail", () => sendResetLink(email, origin));
  return { message: "If an account has this address, an e-mail with a link to set a new password is on its way." };
}

/** Makes the earlier links void and mails a new one; does nothing without an account, or when it is disabled. */
export async function sendResetLink(email: string, origin: Origin): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const user = await transaction(async (db) => {
    const found = await lockResetAccount(db, email);
    if (!found) return undefined;
    await db.passwordReset.deleteMany({ where: { userId: found.id } });
    await insertReset(db, { userId: found.id, tokenHash: hashToken(token) });
    await auditIn(db, { userId: found.id, origin, action: "password.reset_requested" });
    return found;
  });
  if (!user) return;
  // In the fragment: browsers send it to no server, so that it is in no log and no Referer.
  const link = `${env.APP_URL}/auth/reset#token=${token}`;
  await sendMail(resetMail({ to: email, username: user.username, link }));
}

/**
 * Sets a new password with the token of a mailed link and ends every session. The link also proves the address; see
 * `setPassword`. A refused password does not use up the link. Throws VALIDATION_ERROR for a link that is not good.
 */
export async function confirmReset({ token, password }: ResetConfirmInput, origin: Origin): Promise<Confirmed> {
  refuseCommonPassword(password);
  // Looked at first: a good link is never refused for others' bad ones, and those cost no hash.
  const found = await findReset(hashToken(token));
  if (!found?.isGood) {
    await countHits({ name: "resetConfirmAddress", subject: origin.address });
    if (found) await audit({ userId: found.userId, origin, action: "password.reset_refused" });
    throw deadLink();
  }
  const hash = await hashPassword(password);
  const user = await transaction(async (db) => {
    const userId = await claimReset(db, hashToken(token));
    if (!userId) return undefined;
    await auditIn(db, { userId, origin, action: "password.reset" });
    return setPassword(db, userId, hash);
  });
  if (!user) throw deadLink();
  await forgiveSignIns(user, origin);
  const { email: to, username, disconnected } = user;
  const facts = { username, disconnected, by: "link" as const, at: new Date(), signIn: `${env.APP_URL}/auth` };
  if (to) afterAnswer("password changed mail", () => sendMail(passwordChangedMail({ to, ...facts })));
  const device = await rememberDevice(origin, { id: user.id, password: hash });
  return { message: "Your password was changed. Sign in with the new one.", device };
}

/** `device`: the link proved who it is, so that nobody else's failures keep this browser from signing in now. */
type Confirmed = MessageOut & { device: string };

function deadLink(): AppError {
  return new AppError("VALIDATION_ERROR", { message: DEAD_LINK, fields: { token: [DEAD_LINK] } });
}

const DEAD_LINK =
  "This link is no longer good: it was used, it has expired, or a newer one was sent. Please request a new link.";

/**
 * Password, sessions and the proof of the address. Whoever connected another sign-in before the address was proved may
 * have registered somebody else's: those sign-ins are disconnected, or they would outlive the reset.
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

/** Wrong passwords typed before do not keep out the person who now has the right one. */
async function forgiveSignIns(user: { id: string; username: string; email: string | null }, { address }: Origin) {
  const names = [user.id, user.username.toLowerCase(), ...(user.email ? [user.email] : [])];
  const hits = names.flatMap((name) => strangerHits(name, { address }));
  await clearHits(...hits.filter(({ name }) => name !== "loginAddress"));
}
