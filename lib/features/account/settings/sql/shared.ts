import "server-only";
import { liveSql } from "@/lib/db/own";
import { type Db, Prisma } from "@/lib/db/prisma";
import { countedBytesSql } from "@/lib/limits/storage-quota";

/** SQL value: the id of the site that the user's settings lead to; null until one was found there. */
export function defaultSiteIdSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT s.id FROM sites s WHERE s.user_id = ${userId} AND s.is_default)`;
}

/** What a call of the AI needs of its user: the sealed API key, and at least the bytes stored. */
export type SealedAccess = { sealed: string | null; countedBytes: number };

/** SQL: the user's SealedAccess, as one row. */
export function sealedAccessSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT u.openai_api_key AS sealed, ${countedBytesSql(userId)} AS "countedBytes" FROM users u WHERE u.id = ${userId} AND ${liveSql("u")}`;
}

/** The site's URL, the REST root found there, and the place of the default site; null when unset or not yet discovered. */
export type CurrentSite = { wordpressUrl: string | null; wordpressSite: string | null; place: string | null };

/** SQL: the user's CurrentSite, as one row. */
export function currentSiteSql(userId: string): Prisma.Sql {
  return Prisma.sql`SELECT u.wordpress_url AS "wordpressUrl", u.wordpress_site AS "wordpressSite", s.place
    FROM users u LEFT JOIN sites s ON s.user_id = u.id AND s.is_default WHERE u.id = ${userId}::uuid AND u.deleted_at IS NULL`;
}

/** Locks sites of no default that are older than a day, and returns their ids: nothing can begin to refer to them meanwhile. */
export async function lockFormerSites(
  db: Pick<Db, "$queryRaw">,
  isUsed: (siteId: Prisma.Sql) => Prisma.Sql,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT s.id FROM sites s
    WHERE NOT s.is_default AND s.created_at < now() - interval '1 day' AND NOT (${isUsed(Prisma.sql`s.id`)})
    LIMIT ${limit}::int FOR UPDATE SKIP LOCKED`);
  return rows.map(({ id }) => id);
}

/** Deletes those of the sites that are not used. */
export async function deleteSites(
  db: Pick<Db, "$executeRaw">,
  isUsed: (siteId: Prisma.Sql) => Prisma.Sql,
  ids: string[],
): Promise<void> {
  await db.$executeRaw(
    Prisma.sql`DELETE FROM sites s WHERE s.id = ANY(${ids}::uuid[]) AND NOT (${isUsed(Prisma.sql`s.id`)})`,
  );
}
