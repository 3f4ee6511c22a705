import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { storedBytes } from "@/lib/limits/usage";

/** A link of a password reset is good for this long. */
const RESET_MINUTES = 60;

/**
 * The account a reset link may be sent to, held until the transaction ends: its address cannot change in between, and two
 * requests at once leave one link. Undefined without such an account, or when it is disabled.
 */
export async function lockResetAccount(db: Db, email: string) {
  const [user] = await db.$queryRaw<{ id: string; username: string }[]>(Prisma.sql`
    SELECT id, username FROM users WHERE email = ${email} AND disabled_at IS NULL FOR NO KEY UPDATE`);
  return user;
}

/** Keeps the hash of a new link's token, by the database's clock. */
export async function insertReset(db: Db, { userId, tokenHash }: { userId: string; tokenHash: string }): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    INSERT INTO password_resets (token_hash, user_id, expires)
    VALUES (${tokenHash}, ${userId}::uuid, now() + make_interval(mins => ${RESET_MINUTES}))`);
}

/** Whose link this is, and whether its token would be good now. For a look before the work; `claimReset` decides. */
export async function findReset(tokenHash: string) {
  const [row] = await prisma.$queryRaw<{ userId: string; isGood: boolean }[]>(Prisma.sql`
    SELECT u.id AS "userId", r.used_at IS NULL AND r.expires > now() AND u.disabled_at IS NULL AS "isGood"
    FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.token_hash = ${tokenHash}`);
  return row;
}

/**
 * Uses up a link's token and answers whose it is: one statement, so that of two at once one gets it. Undefined when it is
 * unknown, used or expired, or the account is disabled. The user is locked first, as a new request does it.
 */
export async function claimReset(db: Db, tokenHash: string): Promise<string | undefined> {
  const [claimed] = await db.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT u.id FROM users u JOIN password_resets r ON r.user_id = u.id
      WHERE r.token_hash = ${tokenHash} AND u.disabled_at IS NULL FOR NO KEY UPDATE OF u)
    UPDATE password_resets r SET used_at = now() FROM owner
    WHERE r.token_hash = ${tokenHash} AND r.user_id = owner.id AND r.used_at IS NULL AND r.expires > now()
    RETURNING r.user_id AS "userId"`);
  return claimed?.userId;
}

/**
 * Connects a Google account to the account that has this address, if we have verified the address ourselves and no other
 * Google account is connected to it: asked where it is written, so that nothing can change in between. Answers whose it is.
 */
export async function joinGoogleAccount(db: Db, { subject, email }: { subject: string; email: string }) {
  const [joined] = await db.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT id FROM users u
      WHERE email = ${email} AND email_verified IS NOT NULL AND disabled_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = u.id AND a.provider = 'google')
      FOR NO KEY UPDATE)
    INSERT INTO accounts (user_id, type, provider, provider_account_id)
    SELECT id, 'oauth', 'google', ${subject} FROM owner RETURNING user_id AS "userId"`);
  return joined?.userId;
}

/**
 * Holds an account until the transaction ends, so that what is read of it stays so; answers how its owner can sign in.
 * Undefined when it is gone.
 */
export async function lockAccount(db: Pick<Db, "$queryRaw">, userId: string): Promise<HeldAccount | undefined> {
  const [held] = await db.$queryRaw<{ password: string | null }[]>(Prisma.sql`
    SELECT password FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`);
  if (!held) return undefined;
  const [google] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM accounts WHERE user_id = ${userId}::uuid AND provider = 'google' LIMIT 1`);
  return { ...held, isGoogleConnected: google !== undefined };
}

export type HeldAccount = { password: string | null; isGoogleConnected: boolean };

/** Holds what is queued of a person; the first statement of a transaction that deletes what the queue writes to. */
export function lockLiveItems(db: Pick<Db, "$queryRaw">, userId: string) {
  return db.$queryRaw(Prisma.sql`
    SELECT 1 FROM processing_queue WHERE user_id = ${userId}::uuid AND completed_at IS NULL ORDER BY id FOR UPDATE`);
}

/** The person's provider key as it is sealed, and how many bytes they store. */
export async function selectKey(userId: string) {
  const [row] = await prisma.$queryRaw<{ sealed: string | null; storedBytes: number }[]>(Prisma.sql`
    SELECT openai_api_key AS sealed, ${storedBytes(userId)} AS "storedBytes" FROM users WHERE id = ${userId}::uuid`);
  return row;
}
