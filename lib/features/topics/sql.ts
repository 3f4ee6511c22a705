import "server-only";
import type { z } from "zod";
import { columnsSql } from "@/lib/db/columns";
import { afterCursor, newestWithBytes } from "@/lib/db/newest-with-bytes";
import { liveSql, ownSql } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { PIECE_STEPS, type PieceStep } from "@/lib/features/topics/rules";
import { type ListTopicsQuery, topicOut } from "@/lib/features/topics/schema";
import { AT_STEP, UNWRITTEN } from "@/lib/features/topics/sql/shared";
import { rowBytes, store } from "@/lib/limits/storage-quota";
import type { Cursor } from "@/lib/utils/cursor-page";

type Raw = Pick<Db, "$queryRaw">;

/** `descriptionCut` is present only where the starts of descriptions were asked for. */
export type TopicRow = z.input<typeof topicOut> & { createdAt: Date; descriptionCut?: boolean };

const COUNTS = Prisma.sql`(SELECT count(*)::int FROM keywords k WHERE k.topic_id = t.id) AS "keywordCount", pieces.*`;
const PIECES = Prisma.sql`CROSS JOIN LATERAL (
  SELECT count(*)::int AS "contentCount",
    (count(*) FILTER (WHERE ${UNWRITTEN.outline}))::int AS "unoutlinedCount",
    (count(*) FILTER (WHERE ${UNWRITTEN.body}))::int AS "unwrittenCount",
    json_build_object(${Prisma.join(PIECE_STEPS.map(countAt))}) AS steps
  FROM content_pieces p WHERE p.topic_id = t.id AND ${liveSql("p")}) pieces`;
function countAt(step: PieceStep): Prisma.Sql {
  return Prisma.sql`${step}::text, count(*) FILTER (WHERE ${AT_STEP[step]})`;
}

const FIELDS = Object.values(Prisma.TopicScalarFieldEnum).filter((field) => field in topicOut.shape);

/** The user's topic with its counts; undefined when it is not there. */
export async function selectTopic(userId: string, id: number): Promise<TopicRow | undefined> {
  const [topic] = await prisma.$queryRaw<TopicRow[]>(Prisma.sql`
    SELECT ${columnsSql("t", FIELDS)}, ${COUNTS} FROM topics t ${PIECES} WHERE t.id = ${id}::int AND ${ownSql("t", userId)}`);
  return topic;
}

type ListFilter = Omit<ListTopicsQuery, "cursor"> & { cursor: Cursor<number> | undefined; maxBytes: number };

/**
 * The topics of the user's project with their counts, newest first, from the cursor on; more than fit on the page if
 * there are more.
 */
export function selectTopics(
  userId: string,
  projectId: number,
  { description, cursor, limit, maxBytes }: ListFilter,
): Promise<TopicRow[]> {
  const shown = description ? Prisma.sql`left(t.description, ${description}::int)` : Prisma.sql`t.description`;
  const found = Prisma.sql`
    SELECT t.*, ${shown} AS shown FROM topics t
    WHERE t.project_id = ${projectId}::int AND ${ownSql("t", userId)} ${afterCursor("t", cursor)}`;
  const others = FIELDS.filter((field) => field !== "description");
  const isCut = Prisma.sql`, octet_length(t.description) > octet_length(t.shown) AS "descriptionCut"`;
  return prisma.$queryRaw<TopicRow[]>(Prisma.sql`
    SELECT ${columnsSql("t", others)}, t.shown AS description ${description ? isCut : Prisma.empty}, ${COUNTS}
    FROM ${newestWithBytes(found, Prisma.sql`octet_length(r.name) + octet_length(r.shown)`)} t ${PIECES}
    WHERE t.bytes_before < ${maxBytes}::int
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit ? limit + 1 : null}::int`);
}

/** A reservation lasts longer than any call that asks the AI for keywords. */
const RESERVATION_TTL = "3 minutes";
/** SQL value: the places reserved in a topic's row. */
const RESERVED = Prisma.sql`CASE WHEN reserved_until > now() THEN reserved_keywords ELSE 0 END`;

/** Locks the user's topic against additions and counts its keywords, stored and reserved; undefined when it is not there. */
export async function lockTopic(db: Raw, userId: string, id: number): Promise<{ keywords: number } | undefined> {
  const [locked] = await db.$queryRaw<{ reserved: number }[]>(Prisma.sql`
    SELECT ${RESERVED} AS reserved FROM topics t
    WHERE t.id = ${id}::int AND ${ownSql("t", userId)} FOR NO KEY UPDATE`);
  if (!locked) return undefined;
  // This is a second statement: the snapshot of the one that waited for the lock is older.
  const [stored] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS count FROM keywords WHERE topic_id = ${id}::int`);
  return { keywords: locked.reserved + (stored?.count ?? 0) };
}

/** Works like reservePlaces of projects: no keyword is paid for that does not fit. The caller has locked the topic. */
export async function reservePlaces(db: Raw, id: number, count: number): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE topics SET reserved_keywords = ${RESERVED} + ${count}::int, reserved_until = now() + ${RESERVATION_TTL}::interval
    WHERE id = ${id}::int`);
}

/** Releases reserved places, used or not. */
export async function releasePlaces(db: Raw, userId: string, id: number, count: number): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE topics SET reserved_keywords = greatest(0, reserved_keywords - ${count}::int)
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`);
}

type KeywordRow = { id: number; topicId: number; keyword: string; createdAt: Date };
const KEYWORD = Prisma.sql`id, topic_id AS "topicId", keyword, created_at AS "createdAt"`;

/** The keywords of the user's topic, newest first, from the cursor on; one more than `limit` if there are more. */
export function selectKeywords(
  userId: string,
  topicId: number,
  cursor: Cursor<number> | undefined,
  limit: number | undefined,
): Promise<KeywordRow[]> {
  return prisma.$queryRaw<KeywordRow[]>(Prisma.sql`
    SELECT ${KEYWORD} FROM keywords k
    WHERE topic_id = (SELECT t.id FROM topics t WHERE t.id = ${topicId}::int AND ${ownSql("t", userId)})
      ${afterCursor("k", cursor)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit ? limit + 1 : null}::int`);
}

/** Returns a new keyword's id; the caller has locked the topic and checked its cap. */
export async function insertKeyword(db: Raw, userId: string, topicId: number, keyword: string) {
  const [row] = await db.$queryRaw<[{ id: number }]>(Prisma.sql`
    INSERT INTO keywords (topic_id, keyword) VALUES (${topicId}::int, ${keyword}) RETURNING id`);
  await store(db, userId, rowBytes(keyword));
  return row.id;
}

/** Adds keywords that are new to the topic, ignoring case and spaces; the caller has locked it. Returns them newest first. */
export function insertNewKeywords(db: Raw, topicId: number, keywords: string[]) {
  return db.$queryRaw<KeywordRow[]>(Prisma.sql`
    WITH new AS (
      SELECT min(place) AS place, (array_agg(keyword ORDER BY place))[1] AS keyword
      FROM unnest(${keywords}::text[]) WITH ORDINALITY AS new (keyword, place)
      GROUP BY lower(regexp_replace(keyword, '\\s+', ' ', 'g'))),
    fitting AS (
      SELECT keyword, place FROM new
      WHERE NOT EXISTS (SELECT 1 FROM keywords k WHERE k.topic_id = ${topicId}::int
        AND k.keyword_key = lower(regexp_replace(new.keyword, '\\s+', ' ', 'g'))))
    INSERT INTO keywords (topic_id, keyword)
    SELECT ${topicId}::int, keyword FROM fitting ORDER BY place DESC
    ON CONFLICT (topic_id, keyword_key) DO NOTHING RETURNING ${KEYWORD}`);
}
