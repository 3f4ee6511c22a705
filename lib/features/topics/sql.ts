import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";

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
export function selectTopics(userId: string, by: { projectId: number } | { id: number }, limit: number) {
  const where = "id" in by ? Prisma.sql`t.id = ${by.id}::int` : Prisma.sql`t.project_id = ${by.projectId}::int`;
  return prisma.$queryRaw<TopicRow[]>(Prisma.sql`
    SELECT t.id, t.project_id AS "projectId", t.name, t.description, t.category, t.created_at AS "createdAt",
      (SELECT count(*)::int FROM keywords k WHERE k.topic_id = t.id) AS "keywordCount",
      (SELECT count(*)::int FROM content_pieces p WHERE p.topic_id = t.id) AS "contentCount"
    FROM topics t WHERE ${where} AND t.user_id = ${userId}::uuid
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}::int`);
}

/** Adds those keywords that the topic has not yet, whatever their case and spaces; answers the rows added. */
export function insertNewKeywords(topicId: number, keywords: string[]) {
  return prisma.$queryRaw<{ id: number; topicId: number; keyword: string; createdAt: Date }[]>(Prisma.sql`
    INSERT INTO keywords (topic_id, keyword)
    SELECT ${topicId}::int, keyword FROM unnest(${keywords}::text[]) WITH ORDINALITY AS new (keyword, place) ORDER BY place DESC
    ON CONFLICT (topic_id, keyword_key) DO NOTHING
    RETURNING id, topic_id AS "topicId", keyword, created_at AS "createdAt"`);
}
