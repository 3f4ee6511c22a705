import "server-only";
import { ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { KEPT_DAILY_FOR, KEPT_REVISIONS, SNIPPET_MAX } from "@/lib/features/content/rules";
import type { RevisionSummary } from "@/lib/features/content/schema";
import type { Cursor } from "@/lib/utils/cursor-page";

export type RevisionRow = Omit<RevisionSummary, "excerpt" | "createdAt"> & {
  createdAt: Date;
  bodyStart: string;
  outlineStart: string | null;
};

/** The revisions of the user's piece, newest first, from the cursor on; only the beginnings of their texts. */
export function selectRevisions(userId: string, pieceId: string, cursor: Cursor | undefined, limit: number) {
  const after = cursor
    ? Prisma.sql`AND (r.created_at, r.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : Prisma.empty;
  return prisma.$queryRaw<RevisionRow[]>(Prisma.sql`
    SELECT r.id, r.version, r.author::text AS author, r.title, r.word_count AS "wordCount", r.model,
      r.prompt_version AS "promptVersion", r.created_at AS "createdAt",
      left(r.body, ${SNIPPET_MAX}::int) AS "bodyStart", left(r.outline, ${SNIPPET_MAX}::int) AS "outlineStart"
    FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
    WHERE p.id = ${pieceId}::uuid AND ${ownSql("p", userId)} ${after}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}::int`);
}

/**
 * SQL that deletes revisions of the piece `p` which need not be kept. It never deletes AI texts, what they replaced, published
 * texts or the current one.
 */
export function pruneRevisions(isPiece: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
  DELETE FROM content_revisions WHERE id IN (
    SELECT id FROM (
      SELECT id, created_at, is_kept,
        row_number() OVER (ORDER BY created_at DESC, id DESC) AS place,
        -- A revision without a version never was the piece's text, so it is not the day's last one.
        row_number() OVER (PARTITION BY is_kept, version IS NULL, date_trunc('day', created_at, 'UTC')
          ORDER BY created_at DESC, id DESC) AS place_in_day,
        row_number() OVER (PARTITION BY is_kept, version IS NULL, date_trunc('month', created_at, 'UTC')
          ORDER BY created_at DESC, id DESC) AS place_in_month
      FROM (
        SELECT r.id, r.version, r.created_at,
          r.author = 'ai' OR r.published_at IS NOT NULL OR r.version IS NOT DISTINCT FROM p.version OR EXISTS (
            SELECT 1 FROM content_revisions ai
            WHERE ai.content_piece_id = r.content_piece_id AND ai.version = r.version + 1 AND ai.author = 'ai') AS is_kept
        FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id WHERE ${isPiece}) known) placed
    WHERE NOT is_kept AND place > ${KEPT_REVISIONS}::int
      AND CASE WHEN created_at > now() - ${KEPT_DAILY_FOR}::interval THEN place_in_day ELSE place_in_month END > 1)`;
}
