import "server-only";
import { contains } from "@/lib/db/contains";
import { afterCursor, newestWithBytes } from "@/lib/db/newest-with-bytes";
import { liveSql, ownSql } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { runSearch } from "@/lib/db/search";
import { MAX_PIECES } from "@/lib/features/content/rules";
import type { ContentSummary, ListContentQuery, Neighbours } from "@/lib/features/content/schema";
import { IS_NEWER_HERE } from "@/lib/features/content/sql/shared";
import type { ContentStatus } from "@/lib/features/content/states";
import { PROJECT_TITLES, releasePlacesSql } from "@/lib/features/projects/sql/shared";
import { joinPostHere, POST_HERE, type SiteAddress } from "@/lib/features/sites/sql/shared";
import { AT_STEP, ownedTopicSql, TOPIC_NAMES } from "@/lib/features/topics/sql/shared";
import { rowBytes, store, storeAnyway } from "@/lib/limits/storage-quota";
import type { Cursor } from "@/lib/utils/cursor-page";
import { lengthInWords } from "@/lib/utils/words";

export type SummaryRow = Omit<ContentSummary, "createdAt" | "updatedAt" | "lastSyncedAt" | "wpPostDate" | "wpPlace"> &
  SiteAddress & {
    hasPosts: boolean;
    createdAt: Date;
    updatedAt: Date;
    lastSyncedAt: Date | null;
    wpPostDate: Date | null;
  };

const SUMMARY = Prisma.sql`p.id, p.project_id AS "projectId", p.topic_id AS "topicId", p.title, p.status::text AS status,
  p.is_title_only AS "isTitleOnly", p.is_outline AS "isOutline", p.has_body AS "hasBody", p.has_outline AS "hasOutline",
  p.word_count AS "wordCount", p.length_in_words AS "lengthInWords", p.version, ${POST_HERE}, ${IS_NEWER_HERE} AS "isNewerHere",
  p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

type Filter = Omit<ListContentQuery, "limit" | "cursor">;

/** The search text, normalised as the stored text is; empty without a search. */
function needleOf({ search = "" }: Filter): string {
  return search.trim().normalize("NFC").replaceAll("\0", "");
}

/** SQL condition: the user's pieces `p` that match; `w` is the post that joinPostHere finds. */
function matching(userId: string, filter: Filter): Prisma.Sql {
  const conditions = [ownSql("p", userId)];
  if (filter.projectId !== undefined) conditions.push(Prisma.sql`p.project_id = ${filter.projectId}::int`);
  if (filter.topicId !== undefined) conditions.push(Prisma.sql`p.topic_id = ${filter.topicId}::int`);
  if (filter.status) conditions.push(Prisma.sql`p.status = ${filter.status}::content_status`);
  if (filter.step) conditions.push(AT_STEP[filter.step]);
  if (filter.newerHere) conditions.push(IS_NEWER_HERE);
  const needle = needleOf(filter);
  if (needle) conditions.push(contains(Prisma.sql`p.search_text`, needle));
  return Prisma.join(conditions, " AND ");
}

/** A search runs under its own limits (see lib/db/search.ts). */
function select<Row extends Record<string, unknown>>(
  userId: string,
  filter: Filter,
  statement: Prisma.Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  return needleOf(filter) ? runSearch<Row>(userId, statement, signal) : prisma.$queryRaw<Row[]>(statement);
}

/** Selects the newest first, from the cursor on. */
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
    SELECT ${SUMMARY} FROM content_pieces p ${joinPostHere(userId)} WHERE ${matching(userId, filter)} ${after}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}::int`;
  return select<SummaryRow>(userId, filter, statement, signal);
}

/** Selects what `selectSummaries` lists before and after a piece in its topic; undefined when the piece is not there. */
export async function selectNeighbours(userId: string, id: string): Promise<Neighbours | undefined> {
  const beside = (condition: Prisma.Sql, order: Prisma.Sql) => Prisma.sql`(
    SELECT jsonb_build_object('id', n.id, 'title', n.title) FROM content_pieces n
    WHERE n.topic_id = p.topic_id AND n.user_id = p.user_id AND ${liveSql("n")} AND (n.created_at, n.id) ${condition} (p.created_at, p.id)
    ORDER BY n.created_at ${order}, n.id ${order} LIMIT 1)`;
  const [row] = await prisma.$queryRaw<Neighbours[]>(Prisma.sql`
    SELECT p.topic_id AS "topicId", ${beside(Prisma.sql`>`, Prisma.sql`ASC`)} AS previous,
      ${beside(Prisma.sql`<`, Prisma.sql`DESC`)} AS next
    FROM content_pieces p WHERE p.id = ${id}::uuid AND ${ownSql("p", userId)}`);
  return row;
}

/** Pieces of a project that are compared with one of them; a project with more is compared in part. */
const MOST_COMPARED = 1_000;

/** A piece that may compete with others of its project. */
export type Rival = { id: string; projectId: number; title: string; focusKeyword: string | null };

/** Selects what may compete with these pieces in their projects: it has a focus keyword, or the title of one of them. */
export function selectRivals(userId: string, ids: string[]): Promise<Rival[]> {
  return prisma.$queryRaw<Rival[]>(Prisma.sql`
    WITH asked AS (
      SELECT p.project_id, lower(p.title) AS title FROM content_pieces p
      WHERE p.id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)})
    SELECT o.id, o.project_id AS "projectId", o.title, o.focus_keyword AS "focusKeyword"
    FROM (SELECT DISTINCT project_id FROM asked) j CROSS JOIN LATERAL (
      SELECT p.id, p.project_id, p.title, p.focus_keyword FROM content_pieces p
      WHERE p.project_id = j.project_id AND ${ownSql("p", userId)} AND (p.focus_keyword IS NOT NULL
        OR lower(p.title) IN (SELECT title FROM asked WHERE asked.project_id = j.project_id))
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST_COMPARED}::int) o`);
}

/** A project's titles in no order, one a line with their line breaks as spaces: Base64 of UTF-8. */
export type EncodedTitles = { count: number; titles: string };

/** Uses Base64, because decoding 10,000 titles holds this thread up for 100 ms; see lib/workers/title-keys.ts. */
export async function selectTitles(userId: string, projectId: number): Promise<EncodedTitles> {
  const [row] = await prisma.$queryRaw<[EncodedTitles]>(Prisma.sql`
    SELECT count(*)::int AS count,
      encode(convert_to(coalesce(string_agg(replace(title, chr(10), ' '), chr(10)), ''), 'UTF8'), 'base64') AS titles
    FROM content_pieces p WHERE p.project_id = ${projectId}::int AND ${ownSql("p", userId)}`);
  return row;
}

export type GroupRow = {
  projectId: number;
  projectTitle: string;
  projectCreatedAt: Date;
  topicId: number;
  topicName: string;
  count: number;
};

/** The JSON of a topic's count, without its name, is never shorter. */
const COUNT_BYTES = 30;

/**
 * How many pieces match in each project and topic; newest projects and topics first, from the cursor on. If more projects
 * match than fit on the page, it returns one or two too many.
 */
export function selectGroups(
  userId: string,
  filter: Filter,
  {
    cursor,
    maxBytes,
    signal,
  }: { cursor: Cursor<number> | undefined; maxBytes: number; signal?: AbortSignal | undefined },
) {
  const counts = Prisma.sql`
    SELECT j.id, j.title, j.created_at, t.id AS topic_id, t.name, t.created_at AS topic_created_at, g.count
    FROM (SELECT p.project_id, p.topic_id, count(*)::int AS count FROM content_pieces p
          ${filter.newerHere ? joinPostHere(userId) : Prisma.empty} WHERE ${matching(userId, filter)} GROUP BY 1, 2) g
    JOIN (${PROJECT_TITLES}) j ON j.id = g.project_id JOIN (${TOPIC_NAMES}) t ON t.id = g.topic_id
    WHERE true ${afterCursor("j", cursor)}`;
  const statement = Prisma.sql`
    SELECT id AS "projectId", title AS "projectTitle", created_at AS "projectCreatedAt",
      topic_id AS "topicId", name AS "topicName", count
    FROM ${newestWithBytes(counts, Prisma.sql`octet_length(r.name) + ${COUNT_BYTES}::int`)} g
    WHERE bytes_before < ${maxBytes}::int
    ORDER BY created_at DESC, id DESC, topic_created_at DESC, topic_id DESC`;
  return select<GroupRow>(userId, filter, statement, signal);
}

/** Locks the user's piece; undefined when it is not there. */
export async function lockPiece(db: Pick<Db, "$queryRaw">, userId: string, id: string) {
  const [locked] = await db.$queryRaw<{ status: ContentStatus }[]>(Prisma.sql`
    SELECT status::text AS status FROM content_pieces p
    WHERE p.id = ${id}::uuid AND ${ownSql("p", userId)} FOR UPDATE`);
  return locked;
}

export type NewPiece = {
  title: string;
  body?: string | undefined;
  focusKeyword?: string | undefined;
  intent?: string | undefined;
  angle?: string | undefined;
};

/**
 * Inserts one piece made by hand, under the cap of its project, which the caller has locked; reserved places count. Returns
 * undefined if the topic is gone or the project is full.
 */
export async function insertPiece(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  { projectId, topicId }: { projectId: number; topicId: number },
  { title, body = "" }: NewPiece,
  reserved: number,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH topic AS (
      SELECT t.user_id, t.project_id, t.id FROM (${ownedTopicSql(userId, topicId)} FOR SHARE) t
      WHERE t.project_id = ${projectId}::int
        AND (SELECT count(*) FROM content_pieces p WHERE p.project_id = t.project_id AND ${ownSql("p", userId)}) + ${reserved}::int < ${MAX_PIECES}::int)
    INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, length_in_words, is_title_only)
    SELECT user_id, project_id, id, ${title}, ${body}, ${lengthInWords(body)}::int, ${body} !~ '\\S' FROM topic RETURNING id`);
  if (row) await store(db, userId, rowBytes(title, body));
  return row?.id;
}

/**
 * Inserts the AI's pieces in the places reserved for them. They are paid for, so no quota applies. Returns their ids in the
 * given order, none when the topic is gone.
 */
export async function insertPieces(
  db: Pick<Db, "$queryRaw" | "$executeRaw">,
  userId: string,
  { projectId, topicId }: { projectId: number; topicId: number },
  pieces: NewPiece[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH reservation AS (${releasePlacesSql(userId, projectId, pieces.length)})
    INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, length_in_words, is_title_only, focus_keyword, intent, angle,
      created_at)
    SELECT t.user_id, t.project_id, t.id, new.title, coalesce(new.body, ''), new.length, coalesce(new.body, '') !~ '\\S',
      new."focusKeyword", new.intent, new.angle, now() - new.place * interval '1 millisecond'
    FROM (${ownedTopicSql(userId, topicId)} FOR SHARE) t, jsonb_to_recordset(${JSON.stringify(rowsOf(pieces))}::jsonb)
      AS new (title text, body text, "focusKeyword" text, intent text, angle text, length int, place int)
    ORDER BY new.place
    RETURNING id`);
  const bytes = pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
  if (rows.length > 0) await storeAnyway(db, userId, bytes);
  return rows.map((row) => row.id);
}

/** Rows in the given order. */
function rowsOf(pieces: NewPiece[]) {
  return pieces.map((piece, place) => ({ ...piece, length: lengthInWords(piece.body ?? ""), place }));
}

function pieceBytes({ title, body, focusKeyword, intent, angle }: NewPiece): number {
  return rowBytes(title, body, focusKeyword, intent, angle);
}
