import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";

/** How long a reset link is valid. */
const RESET_MINUTES = 60;

/**
 * Locks the account until the transaction ends, so that its address cannot change and concurrent requests leave one
 * link. Returns undefined when the account is missing or disabled.
 */
export async function lockResetAccount(db: Db, email: string) {
  const [user] = await db.$queryRaw<{ id: string; username: string }[]>(Prisma.sql`
    SELECT id, username FROM users WHERE email = ${email} AND disabled_at IS NULL AND deleted_at IS NULL FOR NO KEY UPDATE`);
  return user;
}

/** Reads without a lock, for a check before the work. Returns undefined when the account is missing or disabled. */
export async function findResetAccount(email: string): Promise<{ id: string } | undefined> {
  const [user] = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM users WHERE email = ${email} AND disabled_at IS NULL AND deleted_at IS NULL`);
  return user;
}

/** The link expires by the database's clock. */
export async function insertReset(db: Db, { userId, tokenHash }: { userId: string; tokenHash: string }): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    INSERT INTO password_resets (token_hash, user_id, expires)
    VALUES (${tokenHash}, ${userId}::uuid, now() + make_interval(mins => ${RESET_MINUTES}))`);
}

/** Reads the reset for a check before the work; `claimReset` decides. */
export async function findReset(tokenHash: string) {
  const [row] = await prisma.$queryRaw<{ userId: string; isValid: boolean }[]>(Prisma.sql`
    SELECT u.id AS "userId", r.used_at IS NULL AND r.expires > now() AND u.disabled_at IS NULL AS "isValid"
    FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.token_hash = ${tokenHash} AND u.deleted_at IS NULL`);
  return row;
}

/**
 * Uses up the token and returns its owner, in one statement so that only one of two concurrent calls gets it. Returns
 * undefined when it is unknown, used or expired, or the account is disabled. Locks the user first, as a new request does.
 */
export async function claimReset(db: Db, tokenHash: string): Promise<string | undefined> {
  const [claimed] = await db.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT u.id FROM users u JOIN password_resets r ON r.user_id = u.id
      WHERE r.token_hash = ${tokenHash} AND u.disabled_at IS NULL AND u.deleted_at IS NULL FOR NO KEY UPDATE OF u)
    UPDATE password_resets r SET used_at = now() FROM owner
    WHERE r.token_hash = ${tokenHash} AND r.user_id = owner.id AND r.used_at IS NULL AND r.expires > now()
    RETURNING r.user_id AS "userId"`);
  return claimed?.userId;
}
