import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { MAX_KEYWORDS, MAX_TOPICS } from "@/lib/features/topics/schema";
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

/** A topic under its project's cap; the caller holds the project. Undefined when there is no room for another. */
export async function insertTopic(db: Raw, userId: string, projectId: number, topic: NewTopic) {
  const { name, description, category } = topic;
  const [row] = await db.$queryRaw<TopicRow[]>(Prisma.sql`
    WITH project AS (
      SELECT id, user_id FROM projects WHERE id = ${projectId}::int AND user_id = ${userId}::uuid
        AND (SELECT count(*) FROM topics WHERE project_id = ${projectId}::int) < ${MAX_TOPICS}::int),
    room AS (SELECT ${roomFor(userId, bytesOf(name, description, category))} FROM project)
    INSERT INTO topics (project_id, user_id, name, description, category)
    SELECT id, user_id, ${name}, ${description}, ${category} FROM project, room
    RETURNING id, project_id AS "projectId", name, description, category, created_at AS "createdAt",
      0 AS "keywordCount", 0 AS "contentCount"`);
  return row;
}

/** Locks an owner's topic against others who would add to it; false when it is not there. */
export async function lockTopic(db: Raw, userId: string, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT id FROM topics WHERE id = ${id}::int AND user_id = ${userId}::uuid FOR NO KEY UPDATE`);
  return rows.length > 0;
}

type KeywordRow = { id: number; topicId: number; keyword: string; createdAt: Date };
const KEYWORD = Prisma.sql`id, topic_id AS "topicId", keyword, created_at AS "createdAt"`;

/** A keyword under its topic's cap; the caller holds the topic. Undefined when there is no room for another. */
export async function insertKeyword(db: Raw, userId: string, topicId: number, keyword: string) {
  const [row] = await db.$queryRaw<KeywordRow[]>(Prisma.sql`
    WITH topic AS (SELECT id FROM topics WHERE id = ${topicId}::int AND ${keywordCount(topicId)} < ${MAX_KEYWORDS}::int),
    room AS (SELECT ${roomFor(userId, bytesOf(keyword))} FROM topic)
    INSERT INTO keywords (topic_id, keyword) SELECT id, ${keyword} FROM topic, room RETURNING ${KEYWORD}`);
  return row;
}

/**
 * Adds those keywords that the topic has not yet, whatever their case and spaces: all, or the first ones as far as the topic's
 * cap allows. Answers the rows added, newest first. The caller holds the topic.
 */
export function insertNewKeywords(db: Raw, topicId: number, keywords: string[], which: "all" | "fitting") {
  const limit =
    which === "all" ? Prisma.sql`NULL` : Prisma.sql`greatest(0, ${MAX_KEYWORDS}::int - ${keywordCount(topicId)})`;
  return db.$queryRaw<KeywordRow[]>(Prisma.sql`
    WITH new AS (
      SELECT min(place) AS place, (array_agg(keyword ORDER BY place))[1] AS keyword
      FROM unnest(${keywords}::text[]) WITH ORDINALITY AS new (keyword, place)
      GROUP BY lower(regexp_replace(keyword, '\\s+', ' ', 'g'))),
    fitting AS (
      SELECT keyword, place FROM new
      WHERE NOT EXISTS (SELECT 1 FROM keywords k WHERE k.topic_id = ${topicId}::int
        AND k.keyword_key = lower(regexp_replace(new.keyword, '\\s+', ' ', 'g')))
      ORDER BY place LIMIT ${limit})
    INSERT INTO keywords (topic_id, keyword)
    SELECT ${topicId}::int, keyword FROM fitting ORDER BY place DESC
    ON CONFLICT (topic_id, keyword_key) DO NOTHING RETURNING ${KEYWORD}`);
}

const keywordCount = (topicId: number) =>
  Prisma.sql`(SELECT count(*)::int FROM keywords WHERE topic_id = ${topicId}::int)`;
