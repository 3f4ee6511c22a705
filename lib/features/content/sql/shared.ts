import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { pruneRevisions } from "@/lib/features/content/sql/revisions";

/** What other features use of pieces: parts of their statements, and writes inside their transactions. */

/** SQL: the user's piece, in the columns a lease is taken on (see acquireSql), if `condition` holds of it, as `p`. */
export function leasablePieceSql(userId: string, id: string, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`SELECT p.id::text, p.user_id, p.id, NULL::uuid FROM content_pieces p
    WHERE p.id = ${id}::uuid AND p.user_id = ${userId}::uuid AND ${condition}`;
}

/** SQL condition: the piece is there. */
export function pieceExistsSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM content_pieces p WHERE p.id = ${id})`;
}

/** SQL: a topic's pieces without an outline, or with an outline and without a body. */
export function unwrittenPiecesSql(userId: string, topicId: number, field: "outline" | "body"): Prisma.Sql {
  const isUnwritten =
    field === "outline" ? Prisma.sql`NOT p.has_outline` : Prisma.sql`p.has_outline AND NOT p.has_body`;
  return Prisma.sql`SELECT p.id, p.project_id, p.created_at FROM content_pieces p
    WHERE p.topic_id = ${topicId}::int AND p.user_id = ${userId}::uuid AND ${isUnwritten}`;
}

/** SQL: those of the pieces that are their owner's, locked against deletion. */
export function lockedPiecesSql(userId: string, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT p.id FROM content_pieces p
    WHERE p.user_id = ${userId}::uuid AND p.id IN (${ids}) FOR KEY SHARE`;
}

/** SQL: (id, outline_hash) of a piece, locked against deletion; the hash is SHA-256 in hex. */
export function outlineHashSql(id: string): Prisma.Sql {
  return Prisma.sql`SELECT id, encode(sha256(convert_to(coalesce(outline, ''), 'UTF8')), 'hex') AS outline_hash
    FROM content_pieces WHERE id = ${id}::uuid FOR KEY SHARE`;
}

export type AiText = {
  field: "outline" | "body";
  text: string;
  /** The piece's textVersion when the work began; null keeps the text as a revision whatever the version is now. */
  baseTextVersion: number | null;
  usage: { model: string; promptVersion: string; tokensIn: number; tokensOut: number; ms: number };
};

/**
 * Saves an AI text, into the piece only if body and outline are still those it was written from, else as a revision without
 * a version. True when the piece has it; undefined when the piece is gone.
 */
export async function saveAiText(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  id: string,
  { field, text, baseTextVersion, usage }: AiText,
): Promise<boolean | undefined> {
  const isBody = field === "body";
  const [row] = await db.$queryRaw<{ written: boolean }[]>(Prisma.sql`
    WITH old AS (
      SELECT id, title, body, outline, version, coalesce(text_version = ${baseTextVersion}::int, false) AS current,
        CASE WHEN ${isBody}::boolean THEN ${text}::text ELSE body END AS new_body,
        CASE WHEN ${isBody}::boolean THEN outline ELSE ${text}::text END AS new_outline
      FROM content_pieces WHERE id = ${id}::uuid AND user_id = ${userId}::uuid FOR UPDATE),
    saved AS (
      UPDATE content_pieces p SET body = o.new_body, outline = o.new_outline, version = o.version + 1, updated_at = now(),
        is_title_only = p.is_title_only AND o.new_body !~ '\\S', is_outline = p.is_outline OR NOT ${isBody}::boolean
      FROM old o WHERE p.id = o.id AND o.current RETURNING p.version),
    before AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, created_at)
      SELECT id, version, 'user', title, body, outline, now() - interval '1 millisecond' FROM old WHERE current
      ON CONFLICT (content_piece_id, version) DO NOTHING),
    kept AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, model, prompt_version, tokens_in, tokens_out, duration_ms)
      SELECT o.id, s.version, 'ai', o.title, o.new_body, o.new_outline, ${usage.model}, ${usage.promptVersion},
        ${usage.tokensIn}::int, ${usage.tokensOut}::int, ${Math.round(usage.ms)}::int
      FROM old o LEFT JOIN saved s ON true),
    thinned AS (${pruneRevisions})
    SELECT current AS written FROM old`);
  return row?.written;
}

/** What publishing learns of a piece's post. */
export type Publication = Prisma.ContentPieceUpdateManyMutationInput;

/** Saves what was learnt of a piece's post. No change of text, so the version stays. */
export async function savePublication(db: Db, id: string, publication: Publication): Promise<void> {
  await db.contentPiece.updateMany({ where: { id }, data: publication });
}

export type PublishedText = { id: string; version: number; title: string; body: string; outline: string | null };

/**
 * Keeps a published text for good, as it was when it was sent. If a later change of the same edit session has taken over its
 * revision, it gets a revision just before that one.
 */
export async function savePublishedRevision(
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
