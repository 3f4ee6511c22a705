import "server-only";
import { type AuditEntry, audit, auditIn } from "@/lib/audit/audit";
import { type Actor, actorOfSignIn, type Origin } from "@/lib/auth/actor";
import { hasSignedInBefore, type KnownAccount, rememberDevice } from "@/lib/auth/device-cookie";
import { guessPassword, signInHits } from "@/lib/auth/guesses";
import { hashPassword, isCommonPassword } from "@/lib/auth/password";
import { createSession, createSessionByPassword, endSession, type NewSession } from "@/lib/auth/sessions";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import type { LoginInput, RegisterInput, UserOut } from "@/lib/features/account/schema";
import { countHits } from "@/lib/limits/limits";

/** `device` is the cookie by which this browser is known to the account from now on. */
export type SignedIn = { user: UserOut; session: NewSession; device: string };

const WRONG_LOGIN = "The username or password is not right. Check both, then try again.";

/**
 * Signs in with user name or e-mail and password. A wrong name and a wrong password are one answer in the same time:
 * without an account a dummy hash is verified. Failures are limited; throws UNAUTHENTICATED or RATE_LIMITED.
 */
export async function signIn(input: LoginInput, origin: Origin): Promise<SignedIn> {
  const name = input.username.toLowerCase();
  const row = await prisma.user.findFirst({
    where: { OR: [{ usernameKey: name }, { email: name }], disabledAt: null },
    orderBy: { createdAt: "asc" },
    select: { id: true, password: true },
  });
  const isRight = await guessPassword(row?.password, input.password, await signInHits(name, row, origin));
  const session = isRight && row?.password ? await sessionByPassword(row.id, row.password, origin) : undefined;
  if (!row || !session) {
    await audit({ userId: row?.id ?? null, origin, action: "session.sign_in_failed" });
    throw new AppError("UNAUTHENTICATED", { message: WRONG_LOGIN });
  }
  return signedIn(row, session, origin);
}

/** Creates an account and signs it in. Throws DUPLICATE on the field that is taken. */
export async function register(input: RegisterInput, origin: Origin): Promise<SignedIn> {
  await countHits({ name: "registerAddress", subject: origin.address });
  refuseCommonPassword(input.password);
  const password = await hashPassword(input.password);
  const data = { username: input.username, email: input.email ?? null, password };
  const made = transaction(async (db) => {
    const { id } = await db.user.create({ data, select: { id: true } });
    return { id, session: await sessionIn(db, id, origin, "account.registered") };
  });
  const { id, session } = await made.catch((error: unknown) => {
    throw takenError(error) ?? error;
  });
  return signedIn({ id, password }, session, origin);
}

/** One of the most common passwords: VALIDATION_ERROR on its field. */
export function refuseCommonPassword(password: string): void {
  if (!isCommonPassword(password)) return;
  const sentence = "This password is one of the most common ones. Choose another.";
  throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { password: [sentence] } });
}

type SignInAction = "session.signed_in" | "account.registered";

/** Signs in somebody who has proved who they are. */
export async function startSession(account: KnownAccount, origin: Origin, action: SignInAction): Promise<SignedIn> {
  const session = await transaction((db) => sessionIn(db, account.id, origin, action));
  return signedIn(account, session, origin);
}

async function sessionIn(db: Db, userId: string, origin: Origin, action: SignInAction): Promise<NewSession> {
  const session = await createSession(userId, origin, db);
  await auditIn(db, await signInEvent(userId, origin, action));
  return session;
}

function sessionByPassword(userId: string, password: string, origin: Origin): Promise<NewSession | undefined> {
  return transaction(async (db) => {
    const session = await createSessionByPassword(userId, password, origin, db);
    if (session) await auditIn(db, await signInEvent(userId, origin, "session.signed_in"));
    return session;
  });
}

async function signedIn(account: KnownAccount, session: NewSession, origin: Origin): Promise<SignedIn> {
  const user = await readAccount(actorOfSignIn(account.id, origin));
  return { user, session, device: await rememberDevice(origin, account) };
}

/** The audit event of a sign-in; it says whether the browser is a new one. */
export async function signInEvent(userId: string, origin: Origin, action: SignInAction): Promise<AuditEntry> {
  const newBrowser = action === "session.signed_in" && !(await hasSignedInBefore(origin, { id: userId }));
  return { userId, origin, action, ...(newBrowser ? { detail: { newBrowser } } : {}) };
}

/** Ends the session this token belongs to. */
export async function signOut(actor: Actor | undefined, token: string | undefined, origin: Origin): Promise<void> {
  await transaction(async (db) => {
    if (token) await endSession(token, db);
    if (actor) await auditIn(db, { userId: actor.userId, origin, action: "session.signed_out" });
  });
}

/** A unique violation as DUPLICATE on the form's field; undefined when it is something else. */
export function takenError(error: unknown): AppError | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") return undefined;
  const about = JSON.stringify(error.meta ?? {});
  const [field, sentence] = about.includes("email")
    ? ["email", "An account with this e-mail exists already. Sign in instead."]
    : ["username", "This username is taken. Choose another."];
  return new AppError("DUPLICATE", { message: sentence, fields: { [field as string]: [sentence as string] } });
}
