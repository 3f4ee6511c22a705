import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { isCommonPassword } from "@/lib/auth/password";
import { attemptPassword, reauthenticationLimits } from "@/lib/auth/password-attempts";
import { isFreshSession } from "@/lib/auth/sessions";
import { LIVE } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { NEEDS_PASSWORD } from "@/lib/features/account/rules";
import { type LockedAccount, lockAccount } from "@/lib/features/account/sql";

/** Users without a password need a sign-in no older than this. */
const FRESH_MINUTES = 10;

/** Locks the account until the transaction ends. Throws UNAUTHENTICATED when it was deleted. */
export async function lockOwnAccount(db: Pick<Db, "$queryRaw">, actor: Actor): Promise<LockedAccount> {
  const locked = await lockAccount(db, actor.userId);
  if (!locked) throw new AppError("UNAUTHENTICATED");
  return locked;
}

/**
 * Checks the password, or without one a fresh sign-in. Wrong passwords are rate-limited. Returns the stored hash, which
 * guards the write that follows.
 */
export async function reauthenticate(
  actor: Actor,
  token: string | undefined,
  password: string | undefined,
  field: "password" | "currentPassword",
): Promise<string | null> {
  const { userId: id, context } = actor;
  const user = await prisma.user.findUnique({ where: { id, ...LIVE }, select: { password: true } });
  if (!user?.password) {
    if (token && (await isFreshSession(token, FRESH_MINUTES))) return null;
    await audit({ userId: id, context, action: "account.proof_refused" });
    throw new AppError("VALIDATION_ERROR", {
      message: "This needs a fresh sign-in: sign out and in again, then do it within ten minutes.",
    });
  }
  const refuse = (sentence: string) =>
    new AppError("VALIDATION_ERROR", { message: sentence, fields: { [field]: [sentence] } });
  if (!password) throw refuse(NEEDS_PASSWORD);
  const hits = await reauthenticationLimits({ id, password: user.password }, token, context);
  if (!(await attemptPassword(user.password, password, hits))) {
    await audit({ userId: id, context, action: "account.password_refused" });
    throw refuse("The current password is not right.");
  }
  return user.password;
}

/** Throws VALIDATION_ERROR on the field. */
export function rejectCommonPassword(password: string): void {
  if (!isCommonPassword(password)) return;
  const sentence = "This password is one of the most common ones. Choose another.";
  throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { password: [sentence] } });
}

/** Returns undefined for any error but a unique violation. */
export function duplicateError(error: unknown): AppError | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") return undefined;
  const about = JSON.stringify(error.meta ?? {});
  const [field, sentence] = about.includes("email")
    ? ["email", "An account with this e-mail exists already. Sign in instead."]
    : ["username", "This username is taken. Choose another."];
  return new AppError("DUPLICATE", { message: sentence, fields: { [field as string]: [sentence as string] } });
}
