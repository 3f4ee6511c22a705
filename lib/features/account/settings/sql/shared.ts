import "server-only";
import { liveSql } from "@/lib/db/own";
import { Prisma } from "@/lib/db/prisma";
import { countedBytesSql } from "@/lib/limits/storage-quota";

/** What a call of the AI needs of its user: the sealed API key, and at least the bytes stored. */
export type SealedAccess = { sealed: string | null; countedBytes: number };

/** SQL: the user's SealedAccess, as one row. */
export function sealedAccessSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT u.openai_api_key AS sealed, ${countedBytesSql(userId)} AS "countedBytes" FROM users u WHERE u.id = ${userId} AND ${liveSql("u")}`;
}
