import "server-only";
import { liveSql, ownSql } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { type ContentStatus, LIVE_STATUSES } from "@/lib/features/content/states";
import {
  acceptedSql,
  CONNECTED_SITES,
  joinPostHere,
  KNOWN_POSTS,
  type KnownPost,
  MAX_UNSETTLED_AGE,
  type PostChange,
  SITE_OF_PIECE,
} from "@/lib/features/sites/sql/shared";
import { POST_STATUSES } from "@/lib/features/sites/states";
import { UNWRITTEN } from "@/lib/features/topics/sql/shared";
import { rowBytes, storeAnyway } from "@/lib/limits/storage-quota";
import { UNFINISHED_MARK } from "@/lib/markdown/losses";

export { type AiText, saveAiText } from "@/lib/features/content/sql/ai-text";

/** What other features use of pieces: parts of their statements, and writes inside their transactions. */

/** SQL: the titles of the user's pieces. */
export function pieceTitlesSql(userId: string): Prisma.Sql {
  return Prisma.sql`SELECT p.id, p.title, p.created_at FROM content_pieces p WHERE ${ownSql("p", userId)}`;
}

/** SQL: the user's pieces, in the columns a lease is taken on (see acquireSql), locked against deletion. */
export function leasablePiecesSql(userId: string, ids: string[]): Prisma.Sql {
  return Prisma.sql`SELECT p.id::text, p.user_id, p.id, NULL::uuid FROM content_pieces p
    WHERE p.id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)} ORDER BY p.id FOR KEY SHARE`;
}

/** SQL: the user's piece, in the columns a lease is taken on (see acquireSql), if `condition` holds of it, as `p`. */
export function leasablePieceSql(userId: string, id: string, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`SELECT p.id::text, p.user_id, p.id, NULL::uuid FROM content_pieces p
    WHERE p.id = ${id}::uuid AND ${ownSql("p", userId)} AND ${condition}`;
}

/**
 * SQL that deletes the user's pieces: all, or those of a project or topic, or one. Their rows are removed later. It waits for
 * those who have locked pieces against deletion, which an UPDATE alone does not.
 */
export function deletePiecesSql(
  userId: string,
  { projectId, topicId, pieceId }: { projectId?: number; topicId?: number; pieceId?: string },
): Prisma.Sql {
  const ofProject = projectId === undefined ? Prisma.empty : Prisma.sql`AND p.project_id = ${projectId}::int`;
  const ofTopic = topicId === undefined ? Prisma.empty : Prisma.sql`AND p.topic_id = ${topicId}::int`;
  const one = pieceId === undefined ? Prisma.empty : Prisma.sql`AND p.id = ${pieceId}::uuid`;
  return Prisma.sql`UPDATE content_pieces SET deleted_at = now() WHERE id IN (
    SELECT p.id FROM content_pieces p WHERE ${ownSql("p", userId)} ${ofProject} ${ofTopic} ${one} ORDER BY p.id FOR UPDATE)`;
}

/** A piece as AI calls need it. `neighbourTitles`: the newest other ones of its topic. */
export type PieceForPrompt = {
  id: string;
  topicId: number;
  title: string;
  outline: string | null;
  textVersion: number;
  focusKeyword: string | null;
  intent: string | null;
  angle: string | null;
  hasBody: boolean;
  hasOutline: boolean;
  neighbourTitles: string[];
};

/** SQL: (piece, topic_id, project_id) of the user's piece; `piece` is json in the shape of PieceForPrompt. */
export function pieceForPromptSql(id: Prisma.Sql, userId: Prisma.Sql, neighbours: number): Prisma.Sql {
  return Prisma.sql`SELECT json_build_object('id', p.id, 'topicId', p.topic_id, 'title', p.title, 'outline', p.outline,
      'textVersion', p.text_version, 'focusKeyword', p.focus_keyword, 'intent', p.intent, 'angle', p.angle, 'hasBody', p.has_body,
      'hasOutline', p.has_outline, 'neighbourTitles', (SELECT coalesce(json_agg(n.title ORDER BY n.created_at DESC, n.id DESC), '[]')
        FROM (SELECT o.title, o.created_at, o.id FROM content_pieces o WHERE o.topic_id = p.topic_id AND o.id <> p.id AND ${liveSql("o")}
          ORDER BY o.created_at DESC, o.id DESC LIMIT ${neighbours}::int) n)) AS piece, p.topic_id, p.project_id
    FROM content_pieces p WHERE p.id = ${id} AND p.user_id = ${userId} AND ${liveSql("p")}`;
}

/** SQL condition: the piece is there. */
export function pieceExistsSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM content_pieces p WHERE p.id = ${id} AND ${liveSql("p")})`;
}

/** SQL condition: the piece is there and lacks its outline, or its text; one that broke off in the middle is none yet. */
export function lacksSql(id: Prisma.Sql, field: "outline" | "body"): Prisma.Sql {
  const isBrokenOff = Prisma.sql`(p.has_outline AND right(p.body, ${UNFINISHED_MARK.length}::int) = ${UNFINISHED_MARK})`;
  const lacks = field === "outline" ? UNWRITTEN.outline : Prisma.sql`(${UNWRITTEN.body} OR ${isBrokenOff})`;
  return Prisma.sql`(SELECT ${lacks} FROM content_pieces p WHERE p.id = ${id} AND ${liveSql("p")})`;
}

/** SQL value: a piece's title; null once it is deleted. */
export function pieceTitleSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT p.title FROM content_pieces p WHERE p.id = ${id} AND ${liveSql("p")})`;
}

/** SQL value: a piece's body; null once it is deleted. */
export function pieceBodySql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT p.body FROM content_pieces p WHERE p.id = ${id} AND ${liveSql("p")})`;
}

const LIVE = listSql(LIVE_STATUSES);
const BY_PUBLISHING = listSql(POST_STATUSES);

/** Writes literals, so that the planner sees them. */
function listSql(statuses: readonly ContentStatus[]): Prisma.Sql {
  return Prisma.raw(statuses.map((status) => `'${status}'`).join(", "));
}

/** SQL condition: the piece is live on its owner's default site. */
export function isLiveSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM content_pieces p WHERE p.id = ${id} AND ${liveSql("p")} AND p.status IN (${LIVE}))`;
}

/** SQL condition: the piece is live on its owner's default site, and was published since then as it is now. */
export function isPublishedSinceSql(id: Prisma.Sql, since: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM content_pieces p JOIN content_revisions r
    ON r.content_piece_id = p.id AND r.version = p.version WHERE p.id = ${id} AND ${liveSql("p")} AND p.status IN (${LIVE}) AND r.published_at >= ${since})`;
}

/** SQL: a topic's pieces without an outline, or with an outline and without a body. */
export function unwrittenPiecesSql(userId: string, topicId: number, field: "outline" | "body"): Prisma.Sql {
  return Prisma.sql`SELECT p.id, p.project_id, p.created_at FROM content_pieces p
    WHERE p.topic_id = ${topicId}::int AND ${ownSql("p", userId)} AND ${UNWRITTEN[field]}`;
}

/** SQL: those of the pieces that are their owner's, locked against deletion. */
export function lockedPiecesSql(userId: string, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT p.id FROM content_pieces p
    WHERE ${ownSql("p", userId)} AND p.id IN (${ids}) FOR KEY SHARE`;
}

/** SQL: (id, outline_hash) of a piece, locked against deletion; the hash is SHA-256 in hex. */
export function outlineHashSql(id: string): Prisma.Sql {
  return Prisma.sql`SELECT id, encode(sha256(convert_to(coalesce(outline, ''), 'UTF8')), 'hex') AS outline_hash
    FROM content_pieces p WHERE id = ${id}::uuid AND ${liveSql("p")} FOR KEY SHARE`;
}

/** SQL: (id, text_version) of a piece. */
export function textVersionSql(id: string): Prisma.Sql {
  return Prisma.sql`SELECT p.id, p.text_version FROM content_pieces p WHERE p.id = ${id}::uuid AND ${liveSql("p")}`;
}

/** Fields that a user sees change. The others leave the piece's own row alone: updating that costs milliseconds. */
const SHOWN: (keyof KnownPost)[] = [
  "status",
  "permalink",
  "siteStatus",
  "siteDate",
  "categoryId",
  "publishError",
  "lastSyncedAt",
];

/** Shows on the pieces what was learnt of their posts on a site. Their text does not change, so their versions stay. */
export async function showPosts(db: Pick<Db, "$executeRaw">, siteId: string, changes: PostChange[]): Promise<void> {
  const shown = changes.filter(({ change }) => SHOWN.some((field) => field in change));
  if (shown.length === 0) return;
  const given = JSON.stringify(shown.map(({ id, change }) => ({ id, status: change.status })));
  await db.$executeRaw(Prisma.sql`
    UPDATE content_pieces p SET updated_at = now(),
      status = CASE WHEN ${siteId}::uuid = ${SITE_OF_PIECE} THEN coalesce(x.status, p.status) ELSE p.status END
    FROM jsonb_to_recordset(${given}::jsonb) AS x (id uuid, status content_status) WHERE p.id = x.id`);
}

/**
 * The project is on another site now: gives its pieces the statuses they have there. One without a post there is unpublished;
 * a status set by hand stays, unless the post is live.
 */
export async function showSite(
  db: Pick<Db, "$executeRaw">,
  userId: string,
  { projectId, siteId }: { projectId: number; siteId: string },
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE content_pieces p SET status = shown.status
    FROM (SELECT q.id, CASE
            WHEN w.status IN (${LIVE}) OR (w.status IS NOT NULL AND q.status IN (${BY_PUBLISHING}))
              THEN w.status
            WHEN q.status IN (${BY_PUBLISHING}) THEN 'unpublished' ELSE q.status END AS status
          FROM content_pieces q LEFT JOIN ${KNOWN_POSTS} w ON w.content_piece_id = q.id AND w.site_id = ${siteId}::uuid
          WHERE ${ownSql("q", userId)} AND q.project_id = ${projectId}::int) shown
    WHERE p.id = shown.id AND p.status IS DISTINCT FROM shown.status`);
}

/** Pieces with a write to a connected site that went unanswered so many seconds ago, in random order. */
export function selectUnsettled(seconds: number, limit: number) {
  return prisma.$queryRaw<{ id: string; siteId: string; userId: string }[]>(Prisma.sql`
    SELECT p.id, w.site_id AS "siteId", p.user_id AS "userId" FROM ${KNOWN_POSTS} w
    JOIN content_pieces p ON p.id = w.content_piece_id JOIN (${CONNECTED_SITES}) s ON s.id = w.site_id
    WHERE ${liveSql("p")} AND w.unanswered_since <= now() - make_interval(secs => ${seconds}::int)
      AND w.unanswered_since > now() - ${MAX_UNSETTLED_AGE}::interval
    ORDER BY row_number() OVER (PARTITION BY p.user_id ORDER BY random()), random() LIMIT ${limit}::int`);
}

/** SQL: the hash of a text that publishing stores as `sent_source`. */
function sourceHashSql(sentHash: Prisma.Sql, title: Prisma.Sql, body: Prisma.Sql): Prisma.Sql {
  const json = Prisma.sql`'[' || to_json(${sentHash})::text || ',' || to_json(${title})::text || ',' || to_json(${body})::text || ']'`;
  return Prisma.sql`rtrim(translate(encode(sha256(convert_to(${json}, 'UTF8')), 'base64'), '+/', '-_'), '=')`;
}

/**
 * SQL condition: the piece `p` is live on the site `st` of its post `w`, and its title, body or a field that the site accepts is
 * another than was sent there last, or that is not known. CASE, since the planner does not know what the hash of a long text costs: it is taken of the few pieces alone
 * that have another version than was sent.
 */
export const IS_NEWER_HERE = Prisma.sql`(w.post_id IS NOT NULL AND p.status IN (${LIVE}) AND CASE
  WHEN NOT coalesce(w.sent_fields, '{}') @> jsonb_strip_nulls(jsonb_build_object('slug', p.slug, 'excerpt', p.excerpt,
    'metaTitle', ${acceptedSql("metaTitle", Prisma.sql`p.meta_title`)},
    'metaDescription', ${acceptedSql("metaDescription", Prisma.sql`p.meta_description`)},
    'focusKeyword', ${acceptedSql("focusKeyword", Prisma.sql`p.focus_keyword`)})) THEN true
  WHEN w.sent_source IS NULL THEN true WHEN w.sent_version = p.version THEN false
  ELSE w.sent_source IS DISTINCT FROM ${sourceHashSql(Prisma.sql`w.sent_hash`, Prisma.sql`p.title`, Prisma.sql`p.body`)} END)`;

/** Posts by their pieces: of a project, of these alone, or those that a renderer before `madeBefore` made of a text of ours. */
export type PostsOf = { projectId?: number | undefined; ids?: string[] | undefined; madeBefore?: number | undefined };

/** `bytes`: the text's size. */
export type NewerPiece = { id: string; title: string; topicId: number; bytes: number };

/** The user's publishable pieces whose text is newer here than on their sites, oldest first. */
export function selectNewerHere(
  userId: string,
  { projectId, ids, madeBefore }: PostsOf,
  limit: number,
): Promise<NewerPiece[]> {
  const ofProject = projectId === undefined ? Prisma.empty : Prisma.sql`AND p.project_id = ${projectId}::int`;
  const ofThese = ids === undefined ? Prisma.empty : Prisma.sql`AND p.id = ANY(${ids}::uuid[])`;
  const isOld = Prisma.sql`AND w.sent_hash IS NOT NULL AND coalesce(w.renderer, 0) < ${madeBefore}::int`;
  return prisma.$queryRaw<NewerPiece[]>(Prisma.sql`
    SELECT p.id, p.title, p.topic_id AS "topicId", octet_length(p.body) AS bytes
    FROM content_pieces p ${joinPostHere(userId)}
    WHERE ${ownSql("p", userId)} ${ofProject} ${ofThese} AND p.has_body AND NOT p.is_title_only
      ${madeBefore === undefined ? Prisma.empty : isOld} AND ${IS_NEWER_HERE}
    ORDER BY p.created_at, p.id LIMIT ${limit}::int`);
}

/** `isSent`: no edit is in it. */
export type SentText = { title: string; body: string; remoteHash: string | null; isSent: boolean };

/**
 * The text that the live post of the user's piece was made from, and the post's hash. Where no revision has that text any
 * more, it is the piece's own one of today, and `isSent` is false.
 */
export async function selectSentText(userId: string, id: string): Promise<SentText | undefined> {
  const source = sourceHashSql(Prisma.sql`w.sent_hash`, Prisma.sql`r.title`, Prisma.sql`r.body`);
  const [row] = await prisma.$queryRaw<SentText[]>(Prisma.sql`
    SELECT coalesce(s.title, p.title) AS title, coalesce(s.body, p.body) AS body, w.remote_hash AS "remoteHash",
      s.title IS NOT NULL AS "isSent"
    FROM content_pieces p JOIN ${KNOWN_POSTS} w ON w.content_piece_id = p.id
      LEFT JOIN LATERAL (
        SELECT r.title, r.body FROM content_revisions r WHERE r.content_piece_id = p.id AND ${source} = w.sent_source
        ORDER BY r.created_at DESC LIMIT 1) s ON true
    WHERE p.id = ${id}::uuid AND ${ownSql("p", userId)} AND w.site_id = ${SITE_OF_PIECE}`);
  return row;
}

/** The categories that a topic's pieces have on a site, those of most pieces first. */
export function selectTopicCategories(
  userId: string,
  { siteId, topicId }: { siteId: string; topicId: number },
): Promise<{ id: string; name: string | null }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT w.category_id AS id, max(w.category_name) AS name
    FROM content_pieces p JOIN ${KNOWN_POSTS} w ON w.content_piece_id = p.id
    WHERE p.topic_id = ${topicId}::int AND ${ownSql("p", userId)} AND w.site_id = ${siteId}::uuid
      AND w.post_id IS NOT NULL AND w.category_id IS NOT NULL
    GROUP BY w.category_id ORDER BY count(*) DESC, length(w.category_id), w.category_id LIMIT 20`);
}

export type PublishedText = { id: string; version: number; title: string; body: string; outline: string | null };

/**
 * Keeps published texts for good, as they were when they were sent. If a later change of the same edit session has taken over a
 * text's revision, it gets a revision just before that one.
 */
export async function savePublishedRevisions(
  db: Pick<Db, "$queryRaw" | "$executeRaw">,
  userId: string,
  texts: PublishedText[],
): Promise<void> {
  const versions = JSON.stringify(texts.map(({ id, version }) => ({ id, version })));
  // Most texts are still the pieces' own: those need not be sent.
  const changed = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH kept AS (
      INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, word_count, published_at, created_at)
      SELECT p.id, p.version, 'user', p.title, p.body, p.outline, p.word_count, now(), now()
      FROM jsonb_to_recordset(${versions}::jsonb) AS x (id uuid, version int) JOIN content_pieces p ON p.id = x.id AND p.version = x.version
      ON CONFLICT (content_piece_id, version) DO UPDATE SET published_at = excluded.published_at
      RETURNING content_piece_id)
    SELECT x.id FROM jsonb_to_recordset(${versions}::jsonb) AS x (id uuid) WHERE x.id NOT IN (SELECT content_piece_id FROM kept)`);
  const ids = new Set(changed.map(({ id }) => id));
  const sent = texts.filter(({ id }) => ids.has(id));
  if (sent.length > 0) await insertSentTexts(db, sent);
  const bytes = texts.reduce((sum, { title, body, outline }) => sum + rowBytes(title, body, outline), 0);
  await storeAnyway(db, userId, bytes);
}

async function insertSentTexts(db: Pick<Db, "$executeRaw">, texts: PublishedText[]): Promise<void> {
  const given = texts.map(({ id, version, title, body, outline }) => ({ id, version, title, body, outline }));
  await db.$executeRaw(Prisma.sql`
    INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, published_at, created_at)
    SELECT p.id, x.version, 'user', x.title, x.body, x.outline, now(), coalesce((
      SELECT min(r.created_at) - interval '1 millisecond' FROM content_revisions r
      WHERE r.content_piece_id = p.id AND r.version > x.version), now())
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS x (id uuid, version int, title text, body text, outline text)
    JOIN content_pieces p ON p.id = x.id
    ON CONFLICT (content_piece_id, version) DO UPDATE SET published_at = excluded.published_at`);
}
