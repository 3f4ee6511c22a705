import "server-only";
import { type AuditEntry, audit, auditIn } from "@/lib/audit/audit";
import { type Actor, actorFromSignIn, type RequestContext } from "@/lib/auth/actor";
import { type AccountCredentials, hasSignedInBefore, rememberDevice } from "@/lib/auth/device-cookie";
import { hashPassword } from "@/lib/auth/password";
import { attemptPassword, signInLimits } from "@/lib/auth/password-attempts";
import { createSession, createSessionByPassword, endSession, type NewSession } from "@/lib/auth/sessions";
import { LIVE } from "@/lib/db/own";
import { type Db, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import type { UserOut } from "@/lib/features/account/schema";
import type { LoginInput, RegisterInput } from "@/lib/features/account/sign-in/schema";
import { duplicateError, rejectCommonPassword } from "@/lib/features/account/writes";
import { consumeLimits } from "@/lib/limits/rate-limits";

/** `device` is the new device cookie. */
export type SignedIn = { user: UserOut; session: NewSession; device: string };

const WRONG_LOGIN = "The username or password is not right. Check both, then try again.";

/**
 * Signs in with username or e-mail. An unknown name and a wrong password give the same answer in the same time: a dummy
 * hash is verified. Failures are rate-limited. Throws UNAUTHENTICATED or RATE_LIMITED.
 */
export async function signIn(input: LoginInput, context: RequestContext): Promise<SignedIn> {
  const name = input.username.toLowerCase();
  const row = await prisma.user.findFirst({
    where: { OR: [{ usernameKey: name }, { email: name }], disabledAt: null, ...LIVE },
    orderBy: { createdAt: "asc" },
    select: { id: true, password: true },
  });
  const isRight = await attemptPassword(row?.password, input.password, await signInLimits(name, row, context));
  const session = isRight && row?.password ? await sessionByPassword(row.id, row.password, context) : undefined;
  if (!row || !session) {
    await audit({ userId: row?.id ?? null, context, action: "session.sign_in_failed" });
    throw new AppError("UNAUTHENTICATED", { message: WRONG_LOGIN });
  }
  return signedIn(row, session, context);
}

/** Throws DUPLICATE on the field that is taken. */
export async function register(input: RegisterInput, context: RequestContext): Promise<SignedIn> {
  await consumeLimits({ name: "registerAddress", subject: context.address });
  rejectCommonPassword(input.password);
  const password = await hashPassword(input.password);
  const data = { username: input.username, email: input.email ?? null, password };
  const made = transaction(async (db) => {
    const { id } = await db.user.create({ data, select: { id: true } });
    return { id, session: await sessionIn(db, id, context, "account.registered") };
  });
  const { id, session } = await made.catch((error: unknown) => {
    throw duplicateError(error) ?? error;
  });
  return signedIn({ id, password }, session, context);
}

type SignInAction = "session.signed_in" | "account.registered";

/** Starts a session for a user who is already authenticated. */
export async function startSession(
  account: AccountCredentials,
  context: RequestContext,
  action: SignInAction,
): Promise<SignedIn> {
  const session = await transaction((db) => sessionIn(db, account.id, context, action));
  return signedIn(account, session, context);
}

async function sessionIn(db: Db, userId: string, context: RequestContext, action: SignInAction): Promise<NewSession> {
  const session = await createSession(userId, context, db);
  await auditIn(db, await signInEvent(userId, context, action));
  return session;
}

function sessionByPassword(userId: string, password: string, context: RequestContext): Promise<NewSession | undefined> {
  return transaction(async (db) => {
    const session = await createSessionByPassword(userId, password, context, db);
    if (session) await auditIn(db, await signInEvent(userId, context, "session.signed_in"));
    return session;
  });
}

async function signedIn(account: AccountCredentials, session: NewSession, context: RequestContext): Promise<SignedIn> {
  const user = await readAccount(actorFromSignIn(account.id, context));
  return { user, session, device: await rememberDevice(context, account) };
}

/** Records whether the browser is new to the account. */
export async function signInEvent(userId: string, context: RequestContext, action: SignInAction): Promise<AuditEntry> {
  const newBrowser = action === "session.signed_in" && !(await hasSignedInBefore(context, { id: userId }));
  return { userId, context, action, ...(newBrowser ? { detail: { newBrowser } } : {}) };
}

export async function signOut(
  actor: Actor | undefined,
  token: string | undefined,
  context: RequestContext,
): Promise<void> {
  await transaction(async (db) => {
    if (token) await endSession(token, db);
    if (actor) await auditIn(db, { userId: actor.userId, context, action: "session.signed_out" });
  });
}
