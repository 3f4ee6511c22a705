import "server-only";
import type { AuditAction } from "@/lib/audit/actions";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { hashPassword } from "@/lib/auth/password";
import { createSession, deleteOtherSessions, type NewSession } from "@/lib/auth/sessions";
import type { Prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { emailChangedMail, passwordChangedMail } from "@/lib/email/account-mails";
import { isMailEnabled, type Mail, sendMail } from "@/lib/email/mailer";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import type { UserOut } from "@/lib/features/account/schema";
import type { ChangeAccountInput } from "@/lib/features/account/settings/schema";
import { duplicateError, lockOwnAccount, reauthenticate, rejectCommonPassword } from "@/lib/features/account/writes";
import { consumeLimits } from "@/lib/limits/rate-limits";
import { afterResponse } from "@/lib/transport/after-response";

/**
 * Changes username, e-mail or password after checking the current password. A new password ends every other session and
 * device cookie and issues new ones here. The old address gets a mail about a new password or its own replacement.
 * Throws VALIDATION_ERROR on the field, DUPLICATE, RATE_LIMITED, or UNAUTHENTICATED when the password was reset
 * meanwhile.
 */
export async function changeAccount(
  actor: Actor,
  token: string | undefined,
  { currentPassword, ...input }: ChangeAccountInput,
): Promise<{ user: UserOut; session?: NewSession; device?: string }> {
  const proved = await reauthenticate(actor, token, currentPassword, "currentPassword");
  if (input.password !== undefined) rejectCommonPassword(input.password);
  const { userId: id, context } = actor;
  // An error reveals that a name or address is taken: limit how many can be probed.
  if (changesNames(await readAccount(actor), input)) await consumeLimits({ name: "accountNames", subject: id });
  const hash = input.password === undefined ? undefined : await hashPassword(input.password);
  const changing = transaction(async (db) => {
    if ((await lockOwnAccount(db, actor)).password !== proved) throw new AppError("UNAUTHENTICATED");
    const before = await readAccount(actor, db);
    const { data, actions } = accountChanges(before, input, hash);
    if (actions.length === 0) return { before, actions };
    await db.user.update({ where: { id }, data, select: { id: true } });
    // Invalidate reset links: they went to the old address or were requested before.
    await db.passwordReset.deleteMany({ where: { userId: id } });
    for (const action of actions) await auditIn(db, { userId: id, context, action });
    if (hash === undefined) return { before, actions };
    await deleteOtherSessions(id, undefined, db);
    return { before, actions, session: await createSession(id, context, db) };
  });
  const { before, actions, session } = await changing.catch((error: unknown) => {
    throw duplicateHere(error) ?? error;
  });
  const user = await readAccount(actor);
  notifyByMail(before, user, actions);
  if (!session) return { user };
  return { user, session, device: await rememberDevice(context, { id, password: hash ?? proved }) };
}

type Names = Pick<ChangeAccountInput, "username" | "email">;

function changesNames(stored: UserOut, { username, email }: Names): boolean {
  return (username ?? stored.username) !== stored.username || (email !== undefined && email !== stored.email);
}

type Changes = { data: Prisma.UserUpdateInput; actions: AuditAction[] };

function accountChanges(stored: UserOut, { username, email }: Names, hash: string | undefined): Changes {
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

/** Registration's message says to sign in instead; this user already has. */
function duplicateHere(error: unknown): AppError | undefined {
  const taken = duplicateError(error);
  if (!taken?.fields?.email) return taken;
  const sentence = "Another account has this e-mail. Use a different one.";
  return new AppError("DUPLICATE", { message: sentence, fields: { email: [sentence] } });
}

/**
 * Mails go to the old address, since an attacker may have set the new one. Without an old address, the new one hears of a
 * new password.
 */
function notifyByMail(before: UserOut, { username, email }: UserOut, actions: AuditAction[]): void {
  if (!isMailEnabled) return;
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
  afterResponse(what, () => sendMail(mail));
}
