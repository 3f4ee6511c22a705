import "server-only";
import type { TokenCounts } from "@/lib/ai/tokens";
import { ownSql } from "@/lib/db/own";
import { type Db, Prisma } from "@/lib/db/prisma";
import { EDIT_SESSION_GAP, KEPT_REVISIONS } from "@/lib/features/content/rules";
import { pruneRevisions } from "@/lib/features/content/sql/revisions";
import type { Decision, KeptRevision, Locked } from "@/lib/features/content/sql/save-decision";
import { lengthInWords } from "@/lib/utils/words";

/**
 * The steps of a save in one transaction: lock, decide (save-decision.ts), update, keep, prune. The last three are one
 * statement, since each round trip costs as much as keeping a text.
 */

/** The texts that a save sets; undefined leaves one as it is. */
export type Texts = { title?: string | undefined; body?: string | undefined; outline?: string | null | undefined };

/** The call that made an AI text; `ms` is how long it took. */
export type AiUsage = TokenCounts & { model: string; promptVersion: string; ms: number };

/** `bytes` is the UTF-8 length of title, body and outline with the texts set. */
export type LockedForSave = Locked & { bytes: number };

type Connection = Pick<Db, "$queryRaw" | "$executeRaw">;
type Piece = { userId: string; id: string };

/** Locks the user's piece until the transaction ends, and reads what a save depends on. Undefined: it is not there. */
export async function lockForSave(db: Connection, piece: Piece, texts: Texts): Promise<LockedForSave | undefined> {
  const [locked] = await db.$queryRaw<LockedForSave[]>(Prisma.sql`
    WITH p AS (
      SELECT id, version, text_version, status, is_title_only, is_outline, title, body, outline,
        ${textSql(texts, "title")} AS new_title, ${textSql(texts, "body")} AS new_body, ${textSql(texts, "outline")} AS new_outline
      FROM content_pieces p WHERE ${isPiece(piece)} FOR UPDATE)
    SELECT p.version, p.text_version AS "textVersion", p.status::text AS status, p.is_title_only AS "isTitleOnly",
      p.is_outline AS "isOutline", char_length(p.body) AS "bodyLength", char_length(p.outline) AS "outlineLength",
      octet_length(p.new_title) + octet_length(p.new_body) + coalesce(octet_length(p.new_outline), 0) AS bytes,
      json_build_object(
        'differs', (p.new_title, p.new_body, coalesce(p.new_outline, '')) IS DISTINCT FROM (p.title, p.body, coalesce(p.outline, '')),
        'bodyLength', char_length(p.new_body), 'outlineLength', char_length(p.new_outline),
        'hasBody', p.new_body ~ '\\S', 'hasOutline', coalesce(p.new_outline ~ '\\S', false)) AS next,
      EXISTS (SELECT 1 FROM content_revisions r WHERE r.content_piece_id = p.id OFFSET ${KEPT_REVISIONS}::int) AS "hasManyRevisions",
      -- The wait for the lock is over here, so now() would be too early.
      CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'author', r.author,
        'isRecent', r.created_at > clock_timestamp()::timestamptz(3) - ${EDIT_SESSION_GAP}::interval,
        'isPublished', r.published_at IS NOT NULL, 'longestBody', r.longest_body, 'longestOutline', r.longest_outline,
        'hasAside', EXISTS (SELECT 1 FROM content_revisions aside
          WHERE aside.content_piece_id = p.id AND aside.version IS NULL AND aside.created_at >= r.created_at)) END AS revision
    FROM p LEFT JOIN content_revisions r ON r.content_piece_id = p.id AND r.version = p.version`);
  return locked;
}

/** Carries out a decision on the locked piece. The texts are the user's, or the AI's if it has a usage. */
export async function save(
  db: Connection,
  piece: Piece,
  texts: Texts,
  { was, update, keepsReplaced, revision, prunes, usage }: Decision & { was: number; usage?: AiUsage },
): Promise<void> {
  const stored = Prisma.sql`content_pieces p WHERE ${isPiece(piece)}`;
  const updated = update ? updateSql(piece, texts, update) : undefined;
  if (!revision) {
    if (updated) await db.$executeRaw(updated);
    return;
  }
  // All parts see the rows as they were, so that what is added counts in pruning from the next time on.
  const parts = [];
  if (updated) parts.push(Prisma.sql`p AS (${updated})`);
  if (keepsReplaced) parts.push(Prisma.sql`replaced AS (${insertSql(stored, { version: was, age: "1 millisecond" })})`);
  if (prunes) parts.push(Prisma.sql`pruned AS (${pruneRevisions(isPiece(piece))})`);
  const added = { ...revision, usage, texts: update ? {} : texts };
  const last = revision.into ? mergeSql(revision.into, revision) : insertSql(update ? Prisma.raw("p") : stored, added);
  const kept = await db.$executeRaw(parts.length > 0 ? Prisma.sql`WITH ${Prisma.join(parts)} ${last}` : last);
  // Its edit session's revision was published meanwhile.
  if (revision.into && kept === 0) await db.$executeRaw(insertSql(stored, added));
}

function updateSql(
  piece: Piece,
  texts: Texts,
  { version, status, isTitleOnly, isOutline }: NonNullable<Decision["update"]>,
): Prisma.Sql {
  const columns = (["title", "body", "outline"] as const).filter((column) => texts[column] !== undefined);
  const sets = columns.map((column) => Prisma.sql`${Prisma.raw(column)} = ${texts[column]}::text,`);
  const length = texts.body === undefined ? null : lengthInWords(texts.body);
  return Prisma.sql`
    UPDATE content_pieces p SET ${sets.length > 0 ? Prisma.join(sets, " ") : Prisma.empty}
      length_in_words = coalesce(${length}::int, length_in_words), is_title_only = ${isTitleOnly}::boolean,
      is_outline = ${isOutline}::boolean, status = ${status}::content_status, version = ${version}::int, updated_at = now()
    WHERE ${isPiece(piece)} RETURNING p.id, p.title, p.body, p.outline, p.word_count`;
}

/** SQL that moves an edit session's revision on to the text of `p`, unless it is published. */
function mergeSql(into: string, { version, longestBody, longestOutline }: KeptRevision): Prisma.Sql {
  return Prisma.sql`
    UPDATE content_revisions r SET version = ${version}::int, title = p.title, body = p.body, outline = p.outline,
      word_count = p.word_count, created_at = ${MOMENT}, longest_body = ${longestBody}::int, longest_outline = ${longestOutline}::int
    FROM p WHERE r.content_piece_id = p.id AND r.id = ${into}::uuid AND r.published_at IS NULL`;
}

/** The time of this statement is after the wait for the lock, that of the transaction before it. */
const MOMENT = Prisma.raw("statement_timestamp()");

type AddedRevision = Partial<KeptRevision> & { texts?: Texts; age?: string; usage?: AiUsage | undefined };

/** SQL that keeps the text of `p`, with the texts given, as a revision; publishing may have kept that version already. */
function insertSql(from: Prisma.Sql, { texts = {}, age = "0", usage, ...revision }: AddedRevision): Prisma.Sql {
  const { version = null, longestBody = null, longestOutline = null } = revision;
  // Without a count a trigger counts the words.
  const words = texts.body === undefined ? Prisma.sql`p.word_count` : Prisma.sql`NULL::int`;
  const [aiColumns, aiValues] = usage ? [AI_COLUMNS, aiValuesSql(usage)] : [Prisma.empty, Prisma.empty];
  return Prisma.sql`
    INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, word_count, created_at,
      longest_body, longest_outline ${aiColumns})
    SELECT p.id, ${version}::int, ${usage ? "ai" : "user"}::revision_author,
      ${textSql(texts, "title")}, ${textSql(texts, "body")}, ${textSql(texts, "outline")},
      ${words}, ${MOMENT} - ${age}::interval, ${longestBody}::int, ${longestOutline}::int ${aiValues}
    FROM ${from}
    ON CONFLICT (content_piece_id, version) DO NOTHING`;
}

const AI_COLUMNS = Prisma.raw(
  ", model, prompt_version, tokens_in, tokens_out, tokens_cached, tokens_reasoning, duration_ms",
);

function aiValuesSql({ model, promptVersion, ms, ...tokens }: AiUsage): Prisma.Sql {
  return Prisma.sql`, ${model}, ${promptVersion}, ${tokens.tokensIn}::int, ${tokens.tokensOut}::int, ${tokens.tokensCached}::int,
    ${tokens.tokensReasoning}::int, ${Math.round(ms)}::int`;
}

/** SQL value: the text to set, or that of the piece `p`. */
function textSql(texts: Texts, column: keyof Texts): Prisma.Sql {
  const text = texts[column];
  return text === undefined ? Prisma.raw(`p.${column}`) : Prisma.sql`${text}::text`;
}

/** SQL condition: `p` is the piece, and the user's. */
function isPiece({ userId, id }: Piece): Prisma.Sql {
  return Prisma.sql`p.id = ${id}::uuid AND ${ownSql("p", userId)}`;
}
