import "server-only";
import type { KeyedCall } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;
type Caller = { userId: string; call: KeyedCall };

/** How long a key is known. */
const KNOWN = "24 hours";
const isKnown = Prisma.sql`k.created_at > now() - ${KNOWN}::interval`;

/** What is known of a key: for what it was used, and what is kept of the outcome. */
export type KnownKey = { hash: string; kept: string | null };

export async function readKey(db: Raw, { userId, call }: Caller): Promise<KnownKey | undefined> {
  const [row] = await db.$queryRaw<KnownKey[]>(Prisma.sql`
    SELECT k.call_hash AS hash, k.kept FROM idempotency_keys k
    WHERE k.user_id = ${userId}::uuid AND k.key = ${call.key} AND ${isKnown}`);
  return row;
}

/** Notes a key for 24 hours; false where it is known already. */
export async function noteKey(db: Raw, { userId, call }: Caller, kept: string | null): Promise<boolean> {
  const noted = await db.$executeRaw(Prisma.sql`
    INSERT INTO idempotency_keys AS k (user_id, key, call_hash, kept)
    VALUES (${userId}::uuid, ${call.key}, ${call.hash}, ${kept})
    ON CONFLICT (user_id, key) DO UPDATE SET call_hash = excluded.call_hash, kept = excluded.kept, created_at = now()
    WHERE NOT (${isKnown})`);
  return noted > 0;
}

/** Keeps the outcome of a call whose key is noted. */
export async function keepOutcome(db: Raw, { userId, call }: Caller, kept: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE idempotency_keys SET kept = ${kept} WHERE user_id = ${userId}::uuid AND key = ${call.key}`);
}

/** Frees a key: its call made nothing. */
export async function freeKey(db: Raw, { userId, call }: Caller): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM idempotency_keys WHERE user_id = ${userId}::uuid AND key = ${call.key}`);
}

/** Holds a key until the transaction ends; false when another transaction does. */
export async function holdKey(db: Raw, { userId, call }: Caller): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isHeld: boolean }[]>(Prisma.sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${call.key}`}, 0)) AS "isHeld"`);
  return row?.isHeld ?? false;
}

/** Removes keys that are no longer known; called by the scheduled sweep. */
export async function forgetKeys(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM idempotency_keys k WHERE NOT (${isKnown})`);
}
