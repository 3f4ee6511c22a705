import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";

/**
 * Links a Google account to the account with this e-mail, if we have verified the address and no other Google account
 * is linked. The statement that writes checks this too. Returns the owner's id.
 */
export async function linkGoogleAccount(db: Db, { subject, email }: { subject: string; email: string }) {
  const [joined] = await db.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT id FROM users u
      WHERE email = ${email} AND email_verified IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = u.id AND a.provider = 'google')
      FOR NO KEY UPDATE)
    INSERT INTO accounts (user_id, type, provider, provider_account_id)
    SELECT id, 'oauth', 'google', ${subject} FROM owner RETURNING user_id AS "userId"`);
  return joined?.userId;
}
