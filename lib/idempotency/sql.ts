import "server-only";
import type { KeyedCall } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;
type Caller = { userId: string; call: KeyedCall };

const KEY_TTL = "24 hours";
const isUnexpired = Prisma.sql`k.created_at > now() - ${KEY_TTL}::interval`;

/** The hash of the request a key was used for, and the stored result as JSON; null while the call is running. */
export type KeyRecord = { hash: string; result: string | null };

export async function findKey(db: Raw, { userId, call }: Caller): Promise<KeyRecord | undefined> {
  const [row] = await db.$queryRaw<KeyRecord[]>(Prisma.sql`
    SELECT k.call_hash AS hash, k.kept AS result FROM idempotency_keys k
    WHERE k.user_id = ${userId}::uuid AND k.key = ${call.key} AND ${isUnexpired}`);
  return row;
}

/** Stores a key; false when it is in use already. */
export async function insertKey(db: Raw, { userId, call }: Caller, result: string | null): Promise<boolean> {
  const noted = await db.$executeRaw(Prisma.sql`
    INSERT INTO idempotency_keys AS k (user_id, key, call_hash, kept)
    VALUES (${userId}::uuid, ${call.key}, ${call.hash}, ${result})
    ON CONFLICT (user_id, key) DO UPDATE SET call_hash = excluded.call_hash, kept = excluded.kept, created_at = now()
    WHERE NOT (${isUnexpired})`);
  return noted > 0;
}

export async function saveResult(db: Raw, { userId, call }: Caller, result: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE idempotency_keys SET kept = ${result} WHERE user_id = ${userId}::uuid AND key = ${call.key}`);
}

/** Frees the key of a failed call. */
export async function deleteKey(db: Raw, { userId, call }: Caller): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM idempotency_keys WHERE user_id = ${userId}::uuid AND key = ${call.key}`);
}

/** Locks a key until the transaction ends; false when another transaction holds it. */
export async function tryLockKey(db: Raw, { userId, call }: Caller): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isHeld: boolean }[]>(Prisma.sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${call.key}`}, 0)) AS "isHeld"`);
  return row?.isHeld ?? false;
}

/** What stays of a user's answered calls within the 24 hours, newest first: 20 a minute for eight hours. */
export const MAX_KEYS = 10_000;
export const MAX_KEY_BYTES = 20_000_000;

/**
 * Deletes expired keys, and the oldest answers of a user who has too many. A call under way keeps its key. Called by the
 * scheduled sweep.
 */
export async function pruneKeys(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM idempotency_keys k WHERE NOT (${isUnexpired})`);
  await prisma.$executeRaw(Prisma.sql`
    WITH many AS (
      SELECT user_id FROM idempotency_keys GROUP BY user_id
      HAVING count(*) > ${MAX_KEYS} OR sum(octet_length(kept)) > ${MAX_KEY_BYTES}
    ), answered AS (
      SELECT user_id, key, row_number() OVER newest AS nth, sum(octet_length(kept)) OVER newest AS bytes
      FROM idempotency_keys JOIN many USING (user_id) WHERE kept IS NOT NULL
      WINDOW newest AS (PARTITION BY user_id ORDER BY created_at DESC, key)
    )
    DELETE FROM idempotency_keys k USING answered a
    WHERE k.user_id = a.user_id AND k.key = a.key AND (a.nth > ${MAX_KEYS} OR a.bytes > ${MAX_KEY_BYTES})`);
}
