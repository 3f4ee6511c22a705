import "server-only";
import { Prisma } from "@/lib/db/generated/client";

/** Prisma condition: the row is the user's, and not deleted. */
export function own({ userId }: { userId: string }): { userId: string; deletedAt: null } {
  return { userId, deletedAt: null };
}

/** Prisma condition: the row is not deleted. */
export const LIVE = { deletedAt: null } as const;

/** SQL condition: the row of `table`, a name or an alias, is the user's, and not deleted. */
export function ownSql(table: string, userId: string): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(table)}.user_id = ${userId}::uuid AND ${liveSql(table)}`;
}

/** SQL condition: the row of `table`, a name or an alias, is not deleted. */
export function liveSql(table: string): Prisma.Sql {
  return Prisma.raw(`${table}.deleted_at IS NULL`);
}
