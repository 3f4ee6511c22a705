import "server-only";
import { contains } from "@/lib/db/contains";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { runSearch } from "@/lib/db/search";
import { MAX_PIECES } from "@/lib/features/content/rules";
import type { ContentSummary, ListContentQuery } from "@/lib/features/content/schema";
import { thinRevisions } from "@/lib/features/content/sql/revisions";
import type { ContentStatus } from "@/lib/features/content/states";
import { takeBackPromise } from "@/lib/features/projects/writes";
import { bytesOf, roomFor } from "@/lib/limits/usage";
import type { Cursor } from "@/lib/utils/page";

export type SummaryRow = Omit<ContentSummary, "createdAt" | "updatedAt" | "lastSyncedAt" | "wpPlace"> & {
  wpSite: string | null;
  createdAt: Date;
  updatedAt: Date;
  lastSyncedAt: Date | null;
};

const SUMMARY = Prisma.sql`p.id, p.project_id AS "projectId", p.topic_id AS "topicId", p.title, p.status::text AS status,
  p.is_title_only AS "isTitleOnly", p.is_outline AS "isOutline", p.has_body AS "hasBody", p.has_outline AS "hasOutline",
  p.word_count AS "wordCount", p.version, p.wp_site AS "wpSite", p.wp_post_id AS "wpPostId", p.wp_permalink AS "wpPermalink",
  p.wp_category_id AS "wpCategoryId", p.wp_category_name AS "wpCategoryName", p.publish_error AS "publishError",
  p.last_synced_at AS "lastSyncedAt", p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

type Filter = Omit<ListContentQuery, "limit" | "cursor">;

/** What is searched for, as the stored text has it; empty without a search. */
function needleOf({ search = "" }: Filter): string {
  return search.trim().normalize("NFC").replaceAll("\0", "");
}

/** One user's pieces that match. */
function matching(userId: string, filter: Filter): Prisma.Sql {
  const conditions = [Prisma.sql`p.user_id = ${userId}::uuid`];
  if (filter.projectId !== undefined) conditions.push(Prisma.sql`p.project_id = ${filter.projectId}::int`);
  if (filter.topicId !== undefined) conditions.push(Prisma.sql`p.topic_id = ${filter.topicId}::int`);
  if (filter.status) conditions.push(Prisma.sql`p.status = ${filter.status}::content_status`);
  const needle = needleOf(filter);
  if (needle) conditions.push(contains(Prisma.sql`p.search_text`, needle));
  return Prisma.join(conditions, " AND ");
}

/** A search runs within its limits, anything else like every read. */
function select<Row extends Record<string, unknown>>(
  userId: string,
  filter: Filter,
  statement: Prisma.Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  return needleOf(filter) ? runSearch<Row>(userId, statement, signal) : prisma.$queryRaw<Row[]>(statement);
}

/** Newest first, from the cursor on; summaries alone. */
export function selectSummaries(
  userId: string,
  filter: Filter,
  cursor: Cursor | undefined,
  limit: number,
  signal?: AbortSignal,
) {
  const after = cursor
    ? Prisma.sql`AND (p.created_at, p.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : Prisma.empty;
  const statement = Prisma.sql`
    SELECT ${SUMMARY} FROM content_pieces p WHERE ${matching(userId, filter)} ${after}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}::int`;
  return select<SummaryRow>(userId, filter, statement, signal);
}

export type GroupRow = {
  projectId: number;
  projectTitle: string;
  topicId: number;
  topicName: string;
  count: number;
};

/** How many pieces match in each project and topic; newest projects and topics first. */
export function selectGroups(userId: string, filter: Filter, signal?: AbortSignal) {
  const statement = Prisma.sql`
    SELECT g.project_id AS "projectId", j.title AS "projectTitle", g.topic_id AS "topicId", t.name AS "topicName", g.count
    FROM (SELECT p.project_id, p.topic_id, count(*)::int AS count FROM content_pieces p
          WHERE ${matching(userId, filter)} GROUP BY 1, 2) g
    JOIN projects j ON j.id = g.project_id JOIN topics t ON t.id = g.topic_id
    ORDER BY j.created_at DESC, j.id DESC, t.created_at DESC, t.id DESC`;
  return select<GroupRow>(userId, filter, statement, signal);
}

/** Holds an owner's piece until the transaction ends; answers where it stands, undefined when it is not there. */
export async function lockPiece(db: Pick<Db, "$queryRaw">, userId: string, id: string) {
  const [held] = await db.$queryRaw<{ status: ContentStatus; wpSite: string | null }[]>(Prisma.sql`
    SELECT status::text AS status, wp_site AS "wpSite" FROM content_pieces
    WHERE id = ${id}::uuid AND user_id = ${userId}::uuid FOR UPDATE`);
  return held;
}

export type NewPiece = {
  title: string;
  body?: string | undefined;
  focusKeyword?: string | undefined;
  intent?: string | undefined;
  angle?: string | undefined;
};

/**
 * One piece by hand, under the cap of its project, which the caller holds; promised pieces count. Undefined: the topic is
 * not there, or the project is full.
 */
export async function insertPiece(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  topicId: number,
  { title, body = "" }: NewPiece,
  promised: number,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH topic AS (
      SELECT t.user_id, t.project_id, t.id FROM topics t WHERE t.id = ${topicId}::int AND t.user_id = ${userId}::uuid
        AND (SELECT count(*) FROM content_pieces p WHERE p.project_id = t.project_id) + ${promised}::int < ${MAX_PIECES}::int),
    room AS (SELECT ${roomFor(userId, bytesOf(title, body))} FROM topic)
    INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, is_title_only)
    SELECT user_id, project_id, id, ${title}, ${body}, ${body} !~ '\\S' FROM topic, room RETURNING id`);
  return row?.id;
}

/**
 * Pieces that the AI made, whatever room there is: they are paid for, and take the places that were promised to them. Answers
 * their ids in the given order. No ids: the topic is not there.
 */
export async function insertPieces(
  userId: string,
  { projectId, topicId }: { projectId: number; topicId: number },
  pieces: NewPiece[],
): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH promise AS (${takeBackPromise(userId, projectId, pieces.length)})
    INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, is_title_only, focus_keyword, intent, angle, created_at)
    SELECT t.user_id, t.project_id, t.id, new.title, coalesce(new.body, ''), coalesce(new.body, '') !~ '\\S',
      new."focusKeyword", new.intent, new.angle, now() - new.place * interval '1 millisecond'
    FROM topics t, jsonb_to_recordset(${JSON.stringify(pieces.map((piece, place) => ({ ...piece, place })))}::jsonb)
      AS new (title text, body text, "focusKeyword" text, intent text, angle text, place int)
    WHERE t.id = ${topicId}::int AND t.user_id = ${userId}::uuid ORDER BY new.place
    RETURNING id`);
  return rows.map((row) => row.id);
}

export type AiText = {
  field: "outline" | "body";
  text: string;
  /** The piece's textVersion when the work began; null: the text is kept beside it whatever it is now. */
  baseTextVersion: number | null;
  usage: { model: string; promptVersion: string; tokensIn: number; tokensOut: number; ms: number };
};

/**
 * An AI text lands on a piece: only on the body and outline it was made for. Otherwise the edit stays and the text is kept as a
 * revision without a version. True when it was written; undefined when the piece is gone.
 */
export async function landAiText(
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
    thinned AS (${thinRevisions})
    SELECT current AS written FROM old`);
  return row?.written;
}

/** One's own piece as what a lease is taken on: see lib/lease. `alone`: only while this holds of it. */
export function pieceToHold(userId: string, id: string, alone: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT p.id::text, p.user_id, p.id, NULL::uuid FROM content_pieces p
    WHERE p.id = ${id}::uuid AND p.user_id = ${userId}::uuid AND ${alone}`;
}
