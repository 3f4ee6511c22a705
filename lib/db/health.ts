import "server-only";
import { errorCodes } from "@/lib/db/errors";
import { LATEST_MIGRATION } from "@/lib/db/latest-migration";
import { Prisma, prisma } from "@/lib/db/prisma";

/** `newer`: another version has migrated the database already, as during a rolling deployment. */
export type MigrationState = "current" | "pending" | "newer" | "failed";

/** Whether the database has the migrations of this build. Throws if it does not answer. */
export async function migrationState(latest = LATEST_MIGRATION): Promise<MigrationState> {
  const found = await prisma
    .$queryRaw<{ isCurrent: boolean | null; isFailed: boolean | null; isNewer: boolean | null }[]>(Prisma.sql`
      SELECT bool_or(migration_name = ${latest} AND finished_at IS NOT NULL) AS "isCurrent",
        bool_or(finished_at IS NULL) AS "isFailed",
        bool_or(migration_name > ${latest} AND finished_at IS NOT NULL) AS "isNewer"
      FROM _prisma_migrations WHERE rolled_back_at IS NULL`)
    .catch((error: unknown) => {
      // undefined_table: nobody has migrated this database yet.
      if (errorCodes(error).includes("42P01")) return [];
      throw error;
    });
  const [row] = found;
  if (row?.isFailed) return "failed";
  if (!row?.isCurrent) return "pending";
  return row.isNewer ? "newer" : "current";
}
