import "server-only";
import { ownSql } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { EDIT_SESSION_GAP } from "@/lib/features/content/rules";
import {
  hasNoRevision,
  longestSql,
  losesHalf,
  losesLongest,
  pruneRevisions,
} from "@/lib/features/content/sql/revisions";
import { LIVE_STATUSES } from "@/lib/features/content/states";
import { refusal, storeSql } from "@/lib/limits/storage-quota";
import { lengthInWords } from "@/lib/utils/words";

export type TextChange = {
  title?: string | undefined;
  body?: string | undefined;
  outline?: string | null | undefined;
  status?: string | undefined;
  isTitleOnly?: boolean | undefined;
  isOutline?: boolean | undefined;
  version?: number | undefined;
};

/**
 * A user's change of a piece and its revisions in one statement, guarded by owner and version. `saved` is null on a version
 * conflict: the text sent then becomes a revision without a version. The replaced text always has a revision. No row: the
 * piece is not there.
 */
export async function patchContent(userId: string, id: string, change: TextChange, db: Pick<Db, "$queryRaw"> = prisma) {
  const { title = null, body = null, outline = null, status = null, isTitleOnly = null, isOutline = null } = change;
  const { version = null } = change;
  const setsOutline = change.outline !== undefined;
  const length = body === null ? null : lengthInWords(body);
  const [row] = await db.$queryRaw<{ was: number; saved: number | null; isRefused: boolean }[]>(Prisma.sql`
    WITH old AS (
      SELECT id, title, body, outline, status, version, word_count, is_title_only, is_outline,
        status::text = ANY(${LIVE_STATUSES}::text[]) AS locked,
        (${version}::int IS NULL OR version = ${version}::int) AS current,
        coalesce(${title}::text, title) AS new_title, coalesce(${body}::text, body) AS new_body,
        CASE WHEN ${setsOutline}::boolean THEN ${outline}::text ELSE outline END AS new_outline
      FROM content_pieces p WHERE id = ${id}::uuid AND ${ownSql("p", userId)} FOR UPDATE),
    change AS (
      SELECT *, (new_title, new_body, coalesce(new_outline, '')) IS DISTINCT FROM (title, body, coalesce(outline, '')) AS differs,
        CASE WHEN new_body ~ '\\S' THEN false ELSE coalesce(${isTitleOnly}::boolean, is_title_only) END AS new_title_only,
        CASE WHEN ${setsOutline}::boolean THEN coalesce(new_outline ~ '\\S', false)
             ELSE coalesce(${isOutline}::boolean AND coalesce(new_outline ~ '\\S', false), is_outline) END AS new_is_outline
      FROM old),
    -- The new text counts in the piece and in a revision, the old one only in its revision.
    stored AS (${storeSql(
      userId,
      Prisma.sql`SELECT 256 + 2 * (octet_length(new_title)::bigint + octet_length(new_body)
        + coalesce(octet_length(new_outline), 0)) AS bytes FROM change WHERE differs`,
    )}),
    next AS (
      -- now() is before the wait for the row lock, this is after it.
      SELECT *, clock_timestamp()::timestamptz(3) AS moment FROM change WHERE NOT differs OR EXISTS (SELECT 1 FROM stored)),
    saved AS (
      UPDATE content_pieces p SET title = n.new_title, body = n.new_body, outline = n.new_outline,
        length_in_words = coalesce(${length}::int, p.length_in_words), is_title_only = n.new_title_only, is_outline = n.new_is_outline,
        status = CASE WHEN n.locked THEN n.status ELSE coalesce(${status}::content_status, n.status) END,
        version = n.version + n.differs::int, updated_at = now()
      FROM next n WHERE p.id = n.id AND n.current RETURNING p.version, p.word_count),
    before AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, word_count, created_at)
      SELECT id, version, 'user', title, body, outline, word_count, moment - interval '1 millisecond' FROM next n
      WHERE current AND differs AND ${hasNoRevision}
      ON CONFLICT (content_piece_id, version) DO NOTHING),
    sitting AS (
      SELECT r.* FROM content_revisions r JOIN next n ON r.content_piece_id = n.id AND r.version = n.version
      WHERE n.differs AND n.current AND ${version}::int IS NOT NULL
        AND r.author = 'user' AND r.created_at > n.moment - ${EDIT_SESSION_GAP}::interval AND r.published_at IS NULL
        -- After a conflict with another tab both texts stay, so the session's revision is not merged.
        AND NOT EXISTS (SELECT 1 FROM content_revisions aside
          WHERE aside.content_piece_id = n.id AND aside.version IS NULL AND aside.created_at >= r.created_at)),
    following AS (
      SELECT n.*, ${longestSql("r.longest_body", "r.body", "n.new_body")} AS longest_body,
        ${longestSql("r.longest_outline", "r.outline", "n.new_outline")} AS longest_outline,
        r.id AS sitting_id, NOT ${losesHalf} AND NOT ${losesLongest} AS is_merged
      FROM next n LEFT JOIN sitting r ON true),
    merged AS (
      UPDATE content_revisions r
      SET version = s.version, title = f.new_title, body = f.new_body, outline = f.new_outline,
        word_count = s.word_count, created_at = f.moment, longest_body = f.longest_body, longest_outline = f.longest_outline
      FROM following f CROSS JOIN saved s
      WHERE r.id = f.sitting_id AND f.is_merged
      RETURNING r.id),
    kept AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, word_count, created_at,
        longest_body, longest_outline)
      SELECT f.id, s.version, 'user', f.new_title, f.new_body, f.new_outline, s.word_count, f.moment,
        f.longest_body, f.longest_outline
      FROM following f LEFT JOIN saved s ON true
      WHERE f.differs AND NOT EXISTS (SELECT 1 FROM merged)),
    thinned AS (${pruneRevisions})
    SELECT change.version AS was, saved.version AS saved, next.id IS NULL AS "isRefused"
    FROM change LEFT JOIN next ON true LEFT JOIN saved ON true`);
  if (row?.isRefused) throw await refusal(db, userId);
  return row;
}
