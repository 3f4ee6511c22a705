import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { LIVE } from "@/lib/db/own";
import { type Db, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { type UserOut, userOut } from "@/lib/features/account/schema";

/** The account was usually read with the session already. */
export async function currentUser(actor: Actor): Promise<UserOut> {
  return actor.user ? visible(actor.user) : readAccount(actor);
}

/** Reads the database, after a change or without a session. */
export async function readAccount(actor: Actor, db: Db = prisma): Promise<UserOut> {
  const user = await db.user.findUnique({
    where: { id: actor.userId, ...LIVE },
    omit: { openaiApiKey: false, wordpressPassword: false },
  });
  if (!user) throw new AppError("UNAUTHENTICATED");
  return visible({
    ...user,
    hasOpenaiApiKey: user.openaiApiKey !== null,
    hasWordpressPassword: user.wordpressPassword !== null,
  });
}

/** The schema keeps other columns out. */
function visible(user: unknown): UserOut {
  return userOut.parse(user);
}
