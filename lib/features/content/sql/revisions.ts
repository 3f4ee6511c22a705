import "server-only";
import { ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { EXCERPT_MAX, KEPT_DAILY_FOR, KEPT_REVISIONS, SHORT_TEXT } from "@/lib/features/content/rules";
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
      left(r.body, ${EXCERPT_MAX}::int) AS "bodyStart", left(r.outline, ${EXCERPT_MAX}::int) AS "outlineStart"
    FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
    WHERE p.id = ${pieceId}::uuid AND ${ownSql("p", userId)} ${after}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}::int`);
}

/** Reads the statement's snapshot, so that a revision which a sibling CTE moves on still counts. */
export const hasNoRevision = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM content_revisions r WHERE r.content_piece_id = n.id AND r.version = n.version)`;

/** The body or the outline of `n` shrinks to less than half its characters. */
export const losesHalf = Prisma.sql`(
  2 * char_length(n.new_body) < char_length(n.body)
  OR 2 * char_length(coalesce(n.new_outline, '')) < char_length(coalesce(n.outline, '')))`;

/**
 * The revision `r` has the longest body or outline of its sitting, and `n` has less than nine tenths of that. A revision that
 * begins for this reason is much shorter itself, so later saves may replace it.
 */
export const losesLongest = Prisma.sql`(
  ${isMuchShorter("r.longest_body", "r.body", "n.new_body")} OR ${isMuchShorter("r.longest_outline", "r.outline", "n.new_outline")})`;

/** SQL value: the characters of a sitting's longest text once `next` belongs to it too. */
export function longestSql(longest: string, kept: string, next: string): Prisma.Sql {
  return Prisma.raw(`greatest(${longest}, char_length(${kept}), char_length(${next}))`);
}

function isMuchShorter(longest: string, kept: string, next: string): Prisma.Sql {
  const most = `coalesce(greatest(${longest}, char_length(${kept})), 0)`;
  const isShort = (text: string) => `10 * coalesce(char_length(${text}), 0) < 9 * ${most}`;
  return Prisma.raw(`(${most} >= ${SHORT_TEXT} AND NOT ${isShort(kept)} AND ${isShort(next)})`);
}

/**
 * CTE of a statement that adds a revision to the piece in `old`: deletes revisions that need not be kept. It never deletes AI
 * texts, what they replaced, published texts or the current one. The revision being added counts from the next time on.
 */
export const pruneRevisions = Prisma.sql`
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
          r.author = 'ai' OR r.published_at IS NOT NULL OR r.version IS NOT DISTINCT FROM old.version OR EXISTS (
            SELECT 1 FROM content_revisions ai
            WHERE ai.content_piece_id = r.content_piece_id AND ai.version = r.version + 1 AND ai.author = 'ai') AS is_kept
        FROM content_revisions r JOIN old ON old.id = r.content_piece_id) known) placed
    WHERE NOT is_kept AND place > ${KEPT_REVISIONS}::int
      AND CASE WHEN created_at > now() - ${KEPT_DAILY_FOR}::interval THEN place_in_day ELSE place_in_month END > 1)`;
