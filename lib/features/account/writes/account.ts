import "server-only";
import type { AuditAction } from "@/lib/audit/actions";
import { audit, auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { guessPassword, proofHits } from "@/lib/auth/guesses";
import { hashPassword } from "@/lib/auth/password";
import { createSession, endOthers, isFreshSession, type NewSession } from "@/lib/auth/sessions";
import { type Db, type Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { emailChangedMail, passwordChangedMail } from "@/lib/email/account-mails";
import { isMailOn, type Mail, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import { CONFIRM_DELETION, NEEDS_PASSWORD } from "@/lib/features/account/rules";
import type { ChangeAccountInput, DeleteAccountInput, UserOut } from "@/lib/features/account/schema";
import { type HeldAccount, lockAccount, lockLiveItems } from "@/lib/features/account/sql";
import { refuseCommonPassword, takenError } from "@/lib/features/account/writes/sign-in";
import { countHits } from "@/lib/limits/limits";
import { log } from "@/lib/log";
import { afterAnswer } from "@/lib/utils/after";

/** Who has no password proves with a sign-in not older than this, in minutes. */
const FRESH_MINUTES = 10;

/**
 * Changes username, e-mail or password, proved by the current password. A new password ends every other session, makes
 * every browser unknown and gives this one new cookies. The address the account had gets a mail about a new password, and
 * when it is replaced. Throws VALIDATION_ERROR on the field, DUPLICATE, RATE_LIMITED after too many wrong passwords, or UNAUTHENTICATED
 * when the password that was proved is no longer the account's: a reset meanwhile is not undone.
 */
export async function changeAccount(
  actor: Actor,
  token: string | undefined,
  { currentPassword, ...input }: ChangeAccountInput,
): Promise<{ user: UserOut; session?: NewSession; device?: string }> {
  const proved = await proveIdentity(actor, token, currentPassword, "currentPassword");
  if (input.password !== undefined) refuseCommonPassword(input.password);
  const { userId: id, origin } = actor;
  // A refusal says that a name or an address is taken: not to those who ask for a thousand of them.
  if (namesAnother(await readAccount(actor), input)) await countHits({ name: "accountNames", subject: id });
  const hash = input.password === undefined ? undefined : await hashPassword(input.password);
  const changing = transaction(async (db) => {
    if ((await holdAccount(db, actor)).password !== proved) throw new AppError("UNAUTHENTICATED");
    const before = await readAccount(actor, db);
    const { data, actions } = changesOf(before, input, hash);
    if (actions.length === 0) return { before, actions };
    await db.user.update({ where: { id }, data, select: { id: true } });
    // A link that was mailed to the old address, or asked for before, is void.
    await db.passwordReset.deleteMany({ where: { userId: id } });
    for (const action of actions) await auditIn(db, { userId: id, origin, action });
    if (hash === undefined) return { before, actions };
    await db.session.deleteMany({ where: { userId: id } });
    return { before, actions, session: await createSession(id, origin, db) };
  });
  const { before, actions, session } = await changing.catch((error: unknown) => {
    throw takenHere(error) ?? error;
  });
  const user = await readAccount(actor);
  tellByMail(before, user, actions);
  if (!session) return { user };
  return { user, session, device: await rememberDevice(origin, { id, password: hash ?? proved }) };
}

/** Holds one's own account until the transaction ends, so that what is read of it stays so; throws UNAUTHENTICATED. */
export async function holdAccount(db: Pick<Db, "$queryRaw">, actor: Actor): Promise<HeldAccount> {
  const held = await lockAccount(db, actor.userId);
  if (!held) throw new AppError("UNAUTHENTICATED");
  return held;
}

type Names = Pick<ChangeAccountInput, "username" | "email">;

function namesAnother(stored: UserOut, { username, email }: Names): boolean {
  return (username ?? stored.username) !== stored.username || (email !== undefined && email !== stored.email);
}

type Changes = { data: Prisma.UserUpdateInput; actions: AuditAction[] };

function changesOf(stored: UserOut, { username, email }: Names, hash: string | undefined): Changes {
  const data: Changes["data"] = {};
  const actions: AuditAction[] = [];
  if (username !== undefined && username !== stored.username) {
    data.username = username;
    actions.push("account.username_changed");
  }
  if (email !== undefined && email !== stored.email) {
    Object.assign(data, { email, emailVerified: null });
    actions.push("account.email_changed");
  }
  if (hash !== undefined) {
    data.password = hash;
    actions.push("account.password_changed");
  }
  return { data, actions };
}

/** Registration's sentence for an address says to sign in instead, which this person has. */
function takenHere(error: unknown): AppError | undefined {
  const taken = takenError(error);
  if (!taken?.fields?.email) return taken;
  const sentence = "Another account has this e-mail. Use a different one.";
  return new AppError("DUPLICATE", { message: sentence, fields: { email: [sentence] } });
}

/**
 * Mails go to the address the account had: whoever took the account over may have put theirs there. A first address is
 * told of a new password.
 */
function tellByMail(before: UserOut, { username, email }: UserOut, actions: AuditAction[]): void {
  if (!isMailOn) return;
  const at = new Date();
  const to = before.email ?? email;
  if (to && actions.includes("account.password_changed")) {
    const signIn = `${env.APP_URL}/auth`;
    send("password changed mail", passwordChangedMail({ to, username, at, by: "settings", signIn }));
  }
  if (before.email && actions.includes("account.email_changed")) {
    const facts = { to: before.email, became: email ? ("another" as const) : ("none" as const) };
    send("e-mail changed mail", emailChangedMail({ ...facts, username, at, settings: `${env.APP_URL}/settings` }));
  }
}

function send(what: string, mail: Mail): void {
  afterAnswer(what, () => sendMail(mail));
}

/**
 * Deletes the account with everything in it; its running work ends by itself, and what is on the person's site stays
 * there. Proved by the password and the username typed by hand.
 */
export async function deleteAccount(
  actor: Actor,
  token: string | undefined,
  { confirm, password }: DeleteAccountInput,
): Promise<void> {
  const { username } = await readAccount(actor);
  if (confirm !== username) {
    throw new AppError("VALIDATION_ERROR", { message: CONFIRM_DELETION, fields: { confirm: [CONFIRM_DELETION] } });
  }
  const proved = await proveIdentity(actor, token, password, "password");
  const mine = { id: actor.userId, password: proved };
  // What the queue is finishing is waited for and the rest held: it locks an item before its piece, the deletion after.
  const { count } = await transaction(async (db) => {
    await lockLiveItems(db, actor.userId);
    return db.user.deleteMany({ where: mine });
  });
  if (count === 0) throw new AppError("UNAUTHENTICATED");
  // The person's audit trail is gone with them: the log alone knows.
  log.info({ userId: actor.userId, requestId: actor.origin.requestId }, "account deleted");
}

/** Signs out everywhere else. */
export async function endOtherSessions(actor: Actor, token: string | undefined): Promise<void> {
  const { userId, origin } = actor;
  await transaction(async (db) => {
    const count = await endOthers(userId, token ?? "", db);
    if (count > 0) await auditIn(db, { userId, origin, action: "session.others_ended", detail: { count } });
  });
}

/**
 * The password where there is one, else a fresh sign-in. Wrong passwords are limited. Answers the stored hash that was
 * proved, which the write that follows is guarded by.
 */
export async function proveIdentity(
  actor: Actor,
  token: string | undefined,
  password: string | undefined,
  field: "password" | "currentPassword",
): Promise<string | null> {
  const { userId: id, origin } = actor;
  const user = await prisma.user.findUnique({ where: { id }, select: { password: true } });
  if (!user?.password) {
    if (token && (await isFreshSession(token, FRESH_MINUTES))) return null;
    await audit({ userId: id, origin, action: "account.proof_refused" });
    throw new AppError("VALIDATION_ERROR", {
      message: "Sign out and sign in again, then do this within ten minutes: it needs a fresh sign-in.",
    });
  }
  const refuse = (sentence: string) =>
    new AppError("VALIDATION_ERROR", { message: sentence, fields: { [field]: [sentence] } });
  if (!password) throw refuse(NEEDS_PASSWORD);
  const hits = await proofHits({ id, password: user.password }, token, origin);
  if (!(await guessPassword(user.password, password, hits))) {
    await audit({ userId: id, origin, action: "account.password_refused" });
    throw refuse("The current password is not right.");
  }
  return user.password;
}
