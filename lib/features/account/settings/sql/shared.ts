import "server-only";
import { Prisma } from "@/lib/db/prisma";

/** SQL value: the id of the site that the user's settings lead to; null until one was found there. */
export function defaultSiteIdSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT s.id FROM sites s WHERE s.user_id = ${userId} AND s.is_default)`;
}
