import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { defaultSiteIdSql, deleteSites, lockFormerSites } from "@/lib/features/account/settings/sql/shared";
import { hasPiecesSql, MAX_UNSETTLED_AGE } from "@/lib/features/content/sql/shared";

/** A deleted piece that may have a draft on its owner's default site. A trigger adds them when pieces are deleted. */
export type AbandonedPost = { id: string; siteId: string; userId: string };

/** Those whose creation went unanswered so many seconds ago, in random order. */
export function selectAbandoned(seconds: number, limit: number): Promise<AbandonedPost[]> {
  return prisma.$queryRaw<AbandonedPost[]>(Prisma.sql`
    SELECT a.content_piece_id AS id, a.site_id AS "siteId", a.user_id AS "userId" FROM abandoned_posts a
    WHERE a.unanswered_since <= now() - make_interval(secs => ${seconds}::int)
      AND a.unanswered_since > now() - ${MAX_UNSETTLED_AGE}::interval AND a.site_id = ${defaultSiteIdSql(Prisma.sql`a.user_id`)}
    ORDER BY row_number() OVER (PARTITION BY a.user_id ORDER BY random()), random() LIMIT ${limit}::int`);
}

/** Forgets those that were looked for on the site. */
export async function forgetAbandoned(siteId: string, ids: string[]): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM abandoned_posts WHERE site_id = ${siteId}::uuid AND content_piece_id = ANY (${ids}::uuid[])`);
}

/** Forgets those that are too old to be looked for. */
export async function pruneAbandoned(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM abandoned_posts WHERE unanswered_since <= now() - ${MAX_UNSETTLED_AGE}::interval`);
}

/** Deletes sites that were connected once and that neither a piece nor an abandoned post refers to. */
export function pruneSites(): Promise<void> {
  return transaction(async (db) => {
    const ids = await lockFormerSites(db, isUsedSql, MAX_PRUNED_SITES);
    // A reference may have come between the first statement's view and its locks.
    await deleteSites(db, isUsedSql, ids);
  });
}

const MAX_PRUNED_SITES = 1_000;

function isUsedSql(siteId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${hasPiecesSql(siteId)} OR EXISTS (SELECT 1 FROM abandoned_posts a WHERE a.site_id = ${siteId})`;
}
