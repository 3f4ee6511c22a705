import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";

/** What other features use of accounts: parts of their statements, and writes inside their transactions. */

/** SQL condition: the account is there. */
export function accountExistsSql(userId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId}::uuid AND u.deleted_at IS NULL)`;
}

/**
 * Deletes the user's account: erases its names, keys and passwords, so that the names are free again, and ends its
 * sessions. No user can choose a name with a colon. Its row is removed later.
 */
export async function eraseAccount(db: Pick<Db, "$executeRaw">, userId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH ended AS (DELETE FROM sessions WHERE user_id = ${userId}::uuid),
    links AS (DELETE FROM password_resets WHERE user_id = ${userId}::uuid),
    identities AS (DELETE FROM accounts WHERE user_id = ${userId}::uuid)
    UPDATE users SET deleted_at = now(), username = 'deleted:' || id, email = NULL, email_verified = NULL, display_name = NULL,
      photo_url = NULL, firebase_uid = NULL, password = NULL, openai_api_key = NULL, openai_api_key_hint = NULL,
      wordpress_url = NULL, wordpress_site = NULL, wordpress_username = NULL, wordpress_password = NULL
    WHERE id = ${userId}::uuid`);
}
