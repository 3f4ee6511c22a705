import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { MAX_TOPICS } from "@/lib/features/topics/schema";
import { bytesOf, roomFor } from "@/lib/limits/usage";

type Raw = Pick<Db, "$queryRaw">;

export type TopicRow = {
  id: number;
  projectId: number;
  name: string;
  description: string;
  category: string | null;
  createdAt: Date;
  keywordCount: number;
  contentCount: number;
};

/** Topics with their counts in one statement, whatever their number. Give the project, or one topic, of this owner. */
export function selectTopics(userId: string, by: { projectId: number } | { id: number }) {
  const where = "id" in by ? Prisma.sql`t.id = ${by.id}::int` : Prisma.sql`t.project_id = ${by.projectId}::int`;
  return prisma.$queryRaw<TopicRow[]>(Prisma.sql`
    SELECT t.id, t.project_id AS "projectId", t.name, t.description, t.category, t.created_at AS "createdAt",
      (SELECT count(*)::int FROM keywords k WHERE k.topic_id = t.id) AS "keywordCount",
      (SELECT count(*)::int FROM content_pieces p WHERE p.topic_id = t.id) AS "contentCount"
    FROM topics t WHERE ${where} AND t.user_id = ${userId}::uuid
    ORDER BY t.created_at DESC, t.id DESC`);
}

type NewTopic = { name: string; description: string; category: string | null };

/** The id of a new topic under its project's cap; the caller holds the project. Undefined: no room for another. */
export async function insertTopic(db: Raw, userId: string, projectId: number, topic: NewTopic) {
  const { name, description, category } = topic;
  const [row] = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    WITH project AS (
      SELECT id, user_id FROM projects WHERE id = ${projectId}::int AND user_id = ${userId}::uuid
        AND (SELECT count(*) FROM topics WHERE project_id = ${projectId}::int) < ${MAX_TOPICS}::int),
    room AS (SELECT ${roomFor(userId, bytesOf(name, description, category))} FROM project)
    INSERT INTO topics (project_id, user_id, name, description, category)
    SELECT id, user_id, ${name}, ${description}, ${category} FROM project, room
    RETURNING id`);
  return row?.id;
}

/** Longer than any call that asks for keywords. */
const PROMISE = "3 minutes";
/** SQL: the keywords promised in a topic row, as long as the promise stands. */
const PROMISED = Prisma.sql`CASE WHEN promised_until > now() THEN promised_keywords ELSE 0 END`;

/**
 * Locks an owner's topic against others who would add to it, and tells how many keywords it is to have: stored and promised.
 * Undefined: it is not there.
 */
export async function lockTopic(db: Raw, userId: string, id: number): Promise<{ keywords: number } | undefined> {
  const [locked] = await db.$queryRaw<{ promised: number }[]>(Prisma.sql`
    SELECT ${PROMISED} AS promised FROM topics
    WHERE id = ${id}::int AND user_id = ${userId}::uuid FOR NO KEY UPDATE`);
  if (!locked) return undefined;
  // By a statement of its own: the one that waited for the lock does not see what was added meanwhile.
  const [stored] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS count FROM keywords WHERE topic_id = ${id}::int`);
  return { keywords: locked.promised + (stored?.count ?? 0) };
}

/** Keeps places for so many keywords more. */
export async function promisePlaces(db: Raw, id: number, count: number): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE topics SET promised_keywords = ${PROMISED} + ${count}::int, promised_until = now() + ${PROMISE}::interval
    WHERE id = ${id}::int`);
}

/** Gives promised places back, whose keywords have come or will not. */
export async function takeBackPlaces(db: Raw, userId: string, id: number, count: number): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE topics SET promised_keywords = greatest(0, promised_keywords - ${count}::int)
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`);
}

type KeywordRow = { id: number; topicId: number; keyword: string; createdAt: Date };
const KEYWORD = Prisma.sql`id, topic_id AS "topicId", keyword, created_at AS "createdAt"`;

/** The id of a new keyword; the caller holds the topic and has seen that there is a place. */
export async function insertKeyword(db: Raw, userId: string, topicId: number, keyword: string) {
  const [row] = await db.$queryRaw<[{ id: number }]>(Prisma.sql`
    WITH room AS (SELECT ${roomFor(userId, bytesOf(keyword))})
    INSERT INTO keywords (topic_id, keyword) SELECT ${topicId}::int, ${keyword} FROM room RETURNING id`);
  return row.id;
}

/**
 * Adds those keywords that the topic has not yet, whatever their case and spaces. Answers the rows added, newest first. The
 * caller holds the topic.
 */
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

/** One's own topic as what a lease is taken on: see lib/lease. */
export function topicToHold(userId: string, id: number): Prisma.Sql {
  return Prisma.sql`SELECT t.id::text, t.user_id, NULL::uuid, NULL::uuid FROM topics t
    WHERE t.id = ${id}::int AND t.user_id = ${userId}::uuid`;
}
