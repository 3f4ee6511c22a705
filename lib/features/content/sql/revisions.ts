import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { EXCERPT_MAX } from "@/lib/features/content/rules";
import type { RevisionSummary } from "@/lib/features/content/schema";
import type { Cursor } from "@/lib/utils/page";

/** Changes of one author with less than this between them are one sitting, and a sitting is one revision. */
export const SITTING_ENDS_AFTER = "5 minutes";
/** The newest revisions of a piece, which all stay. */
const NEWEST_KEPT = 50;
/** Older ones thin to the last of each day for so long, then to the last of each month. */
const KEPT_DAILY = "30 days";

export type RevisionRow = Omit<RevisionSummary, "excerpt" | "createdAt"> & {
  createdAt: Date;
  bodyBegins: string;
  outlineBegins: string | null;
};

/** The revisions of an owner's piece, newest first and from the cursor on, with no more than the beginnings of their texts. */
export function selectRevisions(userId: string, pieceId: string, cursor: Cursor | undefined, limit: number) {
  const after = cursor
    ? Prisma.sql`AND (r.created_at, r.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : Prisma.empty;
  return prisma.$queryRaw<RevisionRow[]>(Prisma.sql`
    SELECT r.id, r.version, r.author::text AS author, r.title, r.word_count AS "wordCount", r.model,
      r.prompt_version AS "promptVersion", r.created_at AS "createdAt",
      left(r.body, ${EXCERPT_MAX}::int) AS "bodyBegins", left(r.outline, ${EXCERPT_MAX}::int) AS "outlineBegins"
    FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
    WHERE p.id = ${pieceId}::uuid AND p.user_id = ${userId}::uuid ${after}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}::int`);
}

/** Asked of the snapshot: what a sibling of the same statement moves on must not look free. */
export const hasNoRevision = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM content_revisions r WHERE r.content_piece_id = n.id AND r.version = n.version)`;

/** The text of `n` becomes less than half as long, counted in characters of its body, or of its outline. */
export const losesHalf = Prisma.sql`(
  2 * char_length(n.new_body) < char_length(n.body)
  OR 2 * char_length(coalesce(n.new_outline, '')) < char_length(coalesce(n.outline, '')))`;

/**
 * Part of a statement that adds a revision to the piece of its `old`: deletes what no longer needs to be kept. AI texts, what
 * they replaced, what was published and the text that stands are no part of it. What the statement itself adds comes on top
 * of the newest ones and pushes out as many with the next.
 */
export const thinRevisions = Prisma.sql`
  DELETE FROM content_revisions WHERE id IN (
    SELECT id FROM (
      SELECT id, created_at, is_kept,
        row_number() OVER (ORDER BY created_at DESC, id DESC) AS place,
        -- What was kept aside never stood in the piece: it is not the day's last text.
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
    WHERE NOT is_kept AND place > ${NEWEST_KEPT}::int
      AND CASE WHEN created_at > now() - ${KEPT_DAILY}::interval THEN place_in_day ELSE place_in_month END > 1)`;

export type PublishedText = { id: string; version: number; title: string; body: string; outline: string | null };

/**
 * What was published is kept for good, as it was read before it was sent: where a later change of the sitting has taken its
 * revision along, it gets one of its own just before that. The piece is one the caller has found to be its owner's.
 */
export async function keepPublished(
  db: Pick<Db, "$executeRaw">,
  { id, version, title, body, outline }: PublishedText,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, published_at, created_at)
    SELECT p.id, ${version}::int, 'user', ${title}, ${body}, ${outline}, now(), coalesce((
      SELECT min(r.created_at) - interval '1 millisecond' FROM content_revisions r
      WHERE r.content_piece_id = p.id AND r.version > ${version}::int), now())
    FROM content_pieces p WHERE p.id = ${id}::uuid
    ON CONFLICT (content_piece_id, version) DO UPDATE SET published_at = excluded.published_at`);
}
