import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";

/** Locks an account until the transaction ends and returns its sign-in methods. Undefined when it was deleted. */
export async function lockAccount(db: Pick<Db, "$queryRaw">, userId: string): Promise<LockedAccount | undefined> {
  const [locked] = await db.$queryRaw<{ password: string | null }[]>(Prisma.sql`
    SELECT password FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`);
  if (!locked) return undefined;
  const [google] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM accounts WHERE user_id = ${userId}::uuid AND provider = 'google' LIMIT 1`);
  return { ...locked, isGoogleConnected: google !== undefined };
}

export type LockedAccount = { password: string | null; isGoogleConnected: boolean };
