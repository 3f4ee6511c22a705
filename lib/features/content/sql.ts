import "server-only";
import { contains } from "@/lib/db/contains";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { runSearch } from "@/lib/db/search";
import { env } from "@/lib/env";
import { EXCERPT_MAX, MAX_PIECES } from "@/lib/features/content/rules";
import type { ContentSummary, ListContentQuery, RevisionSummary } from "@/lib/features/content/schema";
import { takeBackPromise } from "@/lib/features/projects/writes";
import { bytesOf, roomFor } from "@/lib/limits/usage";
import type { Cursor } from "@/lib/utils/page";

/** Revisions kept of a piece. */
const KEPT_REVISIONS = 50;
/** A person's saves within this time are one revision. */
const MERGE_WINDOW = "5 minutes";

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

export type RevisionRow = Omit<RevisionSummary, "excerpt" | "createdAt"> & {
  createdAt: Date;
  bodyBegins: string;
  outlineBegins: string | null;
};

/** The newest revisions of an owner's piece, with no more than the beginnings of their texts. */
export function selectRevisions(userId: string, pieceId: string) {
  return prisma.$queryRaw<RevisionRow[]>(Prisma.sql`
    SELECT r.id, r.version, r.author::text AS author, r.title, r.word_count AS "wordCount", r.model,
      r.prompt_version AS "promptVersion", r.created_at AS "createdAt",
      left(r.body, ${EXCERPT_MAX}::int) AS "bodyBegins", left(r.outline, ${EXCERPT_MAX}::int) AS "outlineBegins"
    FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
    WHERE p.id = ${pieceId}::uuid AND p.user_id = ${userId}::uuid
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${KEPT_REVISIONS}::int`);
}

export type TextChange = {
  title?: string | undefined;
  body?: string | undefined;
  outline?: string | null | undefined;
  status?: string | undefined;
  isTitleOnly?: boolean | undefined;
  isOutline?: boolean | undefined;
  version?: number | undefined;
  /** A site that is not the person's any more: what is published there alone is not locked. */
  formerSite?: string | null | undefined;
};

/** Asked of the snapshot: what a sibling of the same statement moves on must not look free. */
const hasNoRevision = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM content_revisions r WHERE r.content_piece_id = n.id AND r.version = n.version)`;

/**
 * A person's change of a piece in one statement: guarded by owner and version, flags by the rules, revisions along with
 * it. `saved` is null when the version was older: the text that was sent is then kept as a revision without a version.
 * The text that is replaced has a revision too, also when it never had one. No row: the piece is not there.
 */
export async function patchContent(userId: string, id: string, change: TextChange) {
  const { title = null, body = null, status = null, isTitleOnly = null, isOutline = null, version = null } = change;
  const setsOutline = change.outline !== undefined;
  const outline = change.outline ?? null;
  const formerSite = change.formerSite ?? null;
  const [row] = await prisma.$queryRaw<{ was: number; saved: number | null }[]>(Prisma.sql`
    WITH old AS (
      SELECT id, title, body, outline, status, version, is_title_only, is_outline,
        status = 'wp_published' AND wp_site IS DISTINCT FROM ${formerSite}::text AS locked,
        (${version}::int IS NULL OR version = ${version}::int) AS current,
        coalesce(${title}::text, title) AS new_title, coalesce(${body}::text, body) AS new_body,
        CASE WHEN ${setsOutline}::boolean THEN ${outline}::text ELSE outline END AS new_outline
      FROM content_pieces WHERE id = ${id}::uuid AND user_id = ${userId}::uuid FOR UPDATE),
    change AS (
      SELECT *, (new_title, new_body, coalesce(new_outline, '')) IS DISTINCT FROM (title, body, coalesce(outline, '')) AS differs,
        CASE WHEN new_body ~ '\\S' THEN false ELSE coalesce(${isTitleOnly}::boolean, is_title_only) END AS new_title_only,
        CASE WHEN ${setsOutline}::boolean THEN coalesce(new_outline ~ '\\S', false)
             ELSE coalesce(${isOutline}::boolean AND coalesce(new_outline ~ '\\S', false), is_outline) END AS new_is_outline
      FROM old),
    next AS (
      -- The new text in the piece and in a revision; and the old one, whose room the piece then leaves.
      SELECT *, CASE WHEN differs THEN ${roomFor(
        userId,
        Prisma.sql`256 + 2 * (octet_length(new_title)::bigint
        + octet_length(new_body) + coalesce(octet_length(new_outline), 0))`,
      )} END AS room FROM change),
    saved AS (
      UPDATE content_pieces p SET title = n.new_title, body = n.new_body, outline = n.new_outline,
        is_title_only = n.new_title_only, is_outline = n.new_is_outline,
        status = CASE WHEN n.locked THEN n.status ELSE coalesce(${status}::content_status, n.status) END,
        version = n.version + n.differs::int, updated_at = now()
      FROM next n WHERE p.id = n.id AND n.current RETURNING p.id, p.version),
    before AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, created_at)
      SELECT id, version, 'user', title, body, outline, now() - interval '1 millisecond' FROM next n
      WHERE current AND differs AND ${hasNoRevision}
      ON CONFLICT (content_piece_id, version) DO NOTHING),
    merged AS (
      UPDATE content_revisions r SET version = s.version, title = n.new_title, body = n.new_body, outline = n.new_outline
      FROM next n JOIN saved s ON s.id = n.id
      WHERE n.differs AND ${version}::int IS NOT NULL AND r.content_piece_id = n.id AND r.version = n.version
        AND r.version > 1 AND r.author = 'user' AND r.created_at > now() - ${MERGE_WINDOW}::interval
        -- What met another tab's text stays: whoever was told of it may now write over it.
        AND NOT EXISTS (SELECT 1 FROM content_revisions aside
          WHERE aside.content_piece_id = n.id AND aside.version IS NULL AND aside.created_at >= r.created_at)
      RETURNING r.id),
    kept AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline)
      SELECT n.id, s.version, 'user', n.new_title, n.new_body, n.new_outline FROM next n LEFT JOIN saved s ON s.id = n.id
      WHERE n.differs AND NOT EXISTS (SELECT 1 FROM merged)),
    pruned AS (
      DELETE FROM content_revisions WHERE id IN (
        SELECT id FROM content_revisions WHERE content_piece_id = ${id}::uuid AND EXISTS (SELECT 1 FROM old)
        ORDER BY created_at DESC, id DESC OFFSET ${KEPT_REVISIONS - 1}))
    SELECT next.version AS was, saved.version AS saved FROM next LEFT JOIN saved ON true`);
  return row;
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
  /** The piece's version when the work began. */
  baseVersion: number;
  usage: { model: string; promptVersion: string; tokensIn: number; tokensOut: number; ms: number };
};

/**
 * An AI text lands on a piece: only on the version it was made for. Otherwise the edit stays and the text is kept as a
 * revision without a version. True when it was written; undefined when the piece is gone.
 */
export async function landAiText(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  id: string,
  { field, text, baseVersion, usage }: AiText,
): Promise<boolean | undefined> {
  const isBody = field === "body";
  const [row] = await db.$queryRaw<{ written: boolean }[]>(Prisma.sql`
    WITH old AS (
      SELECT id, title, body, outline, version, version = ${baseVersion}::int AS current,
        CASE WHEN ${isBody}::boolean THEN ${text}::text ELSE body END AS new_body,
        CASE WHEN ${isBody}::boolean THEN outline ELSE ${text}::text END AS new_outline
      FROM content_pieces WHERE id = ${id}::uuid AND user_id = ${userId}::uuid FOR UPDATE),
    saved AS (
      UPDATE content_pieces p SET body = o.new_body, outline = o.new_outline, version = o.version + 1, updated_at = now(),
        is_title_only = p.is_title_only AND o.new_body !~ '\\S', is_outline = p.is_outline OR NOT ${isBody}::boolean,
        writing_progress = CASE WHEN ${isBody}::boolean THEN NULL ELSE p.writing_progress END
      FROM old o WHERE p.id = o.id AND o.current RETURNING p.id, p.version),
    before AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, created_at)
      SELECT id, version, 'user', title, body, outline, now() - interval '1 millisecond' FROM old n
      WHERE current AND ${hasNoRevision}
      ON CONFLICT (content_piece_id, version) DO NOTHING),
    kept AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, model, prompt_version, tokens_in, tokens_out, duration_ms)
      SELECT o.id, s.version, 'ai', o.title, o.new_body, o.new_outline, ${usage.model}, ${usage.promptVersion},
        ${usage.tokensIn}::int, ${usage.tokensOut}::int, ${Math.round(usage.ms)}::int
      FROM old o LEFT JOIN saved s ON s.id = o.id),
    pruned AS (
      DELETE FROM content_revisions WHERE id IN (
        SELECT id FROM content_revisions WHERE content_piece_id = ${id}::uuid AND EXISTS (SELECT 1 FROM old)
        ORDER BY created_at DESC, id DESC OFFSET ${KEPT_REVISIONS - 1}))
    SELECT current AS written FROM old`);
  return row?.written;
}

/** Minutes a direct AI call may hold a piece; renewed at each section. */
const WRITING_LEASE = "5 minutes";

/** Takes or renews the one place for a direct AI call on a piece; false while another call has it. */
export async function holdWriting(userId: string, id: string, token: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE content_pieces SET writing_token = ${token}::uuid, writing_lease_until = now() + ${WRITING_LEASE}::interval,
      writing_boot_id = ${env.BOOT_ID ?? null}::uuid
    WHERE id = ${id}::uuid AND user_id = ${userId}::uuid
      AND (writing_token IS NULL OR writing_token = ${token}::uuid OR writing_lease_until <= now()) RETURNING id`);
  return rows.length > 0;
}

export async function releaseWriting(id: string, token: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE content_pieces SET writing_token = NULL, writing_lease_until = NULL
    WHERE id = ${id}::uuid AND writing_token = ${token}::uuid`);
}

/** Keeps the finished sections of a direct writing; false when another call has taken the piece over. */
export async function saveWritingProgress(id: string, token: string, progress: unknown): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE content_pieces SET writing_progress = ${JSON.stringify(progress)}::jsonb,
      writing_lease_until = now() + ${WRITING_LEASE}::interval
    WHERE id = ${id}::uuid AND writing_token = ${token}::uuid RETURNING id`);
  return rows.length > 0;
}
