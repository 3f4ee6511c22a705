import "server-only";
import { ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { type CurrentSite, currentSiteSql, defaultSiteIdSql } from "@/lib/features/account/settings/sql/shared";
import { secondsLeftSql } from "@/lib/lease/lease";

/** SQL: what a piece `p` has on its owner's default site, from `joinPostHere`; `hasPosts`: it has a post on some site. */
export const POST_HERE = Prisma.sql`w.post_id AS "wpPostId", w.permalink AS "wpPermalink",
  w.site_status AS "wpPostStatus", w.site_date AS "wpPostDate", w.category_id AS "wpCategoryId",
  w.category_name AS "wpCategoryName", w.publish_error AS "publishError", w.last_synced_at AS "lastSyncedAt",
  EXISTS (SELECT 1 FROM piece_posts o WHERE o.content_piece_id = p.id AND o.post_id IS NOT NULL) AS "hasPosts"`;

export function joinPostHere(userId: string): Prisma.Sql {
  return Prisma.sql`LEFT JOIN piece_posts w ON w.content_piece_id = p.id AND w.site_id = ${defaultSiteIdSql(Prisma.sql`${userId}::uuid`)}`;
}

export type PostHere = {
  wpPostId: string | null;
  wpPermalink: string | null;
  wpPostStatus: string | null;
  wpPostDate: Date | null;
  wpCategoryId: string | null;
  wpCategoryName: string | null;
  publishError: string | null;
  lastSyncedAt: Date | null;
  hasPosts: boolean;
};

/** `isBeingWritten`: a direct AI call or the queue is at it. */
export type PieceFacts = PostHere & CurrentSite & { isBeingWritten: boolean };

/** The facts of each piece, with the user's site, which says where a post is; a piece that is gone is missing. */
export async function selectFacts(userId: string, ids: string[]): Promise<Map<string, PieceFacts>> {
  const rows = await prisma.$queryRaw<(PieceFacts & { id: string })[]>(Prisma.sql`
    SELECT p.id, ${POST_HERE}, c.*, ${secondsLeftSql("writing", Prisma.sql`p.id::text`)} > 0 AS "isBeingWritten" FROM content_pieces p ${joinPostHere(userId)} CROSS JOIN (${currentSiteSql(userId)}) c
    WHERE p.id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)}`);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
