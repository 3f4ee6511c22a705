import "server-only";
import { Prisma } from "@/lib/db/prisma";

/** What other features use of topics in their statements. */

/** SQL conditions: the piece `p` has no outline, or it has one and no text yet. Queueing and the counts of topics go by them. */
export const UNWRITTEN = {
  outline: Prisma.sql`NOT p.has_outline`,
  body: Prisma.sql`p.has_outline AND NOT p.has_body`,
} as const;

export function ownedTopicSql(userId: string, id: number): Prisma.Sql {
  return Prisma.sql`SELECT t.id, t.project_id, t.user_id FROM topics t WHERE t.id = ${id}::int AND t.user_id = ${userId}::uuid`;
}

/** SQL: the topics of the user's project. OFFSET keeps it a lookup by index: in a join PostgreSQL scans all users' topics. */
export function topicsOfSql(userId: string, projectId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT t.id, t.name, t.created_at FROM topics t
    WHERE t.project_id = ${projectId} AND t.user_id = ${userId}::uuid OFFSET 0`;
}

/** SQL: the user's topic, in the columns a lease is taken on (see acquireSql). */
export function leasableTopicSql(userId: string, id: number): Prisma.Sql {
  return Prisma.sql`SELECT t.id::text, t.user_id, NULL::uuid, NULL::uuid FROM (${ownedTopicSql(userId, id)}) t`;
}

/** SQL value (json): what prompts say of a topic. */
export function topicForPromptSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('name', t.name, 'description', t.description, 'category', t.category)
    FROM topics t WHERE t.id = ${id})`;
}

/** SQL: all topics' names, for a join. */
export const TOPIC_NAMES = Prisma.sql`SELECT id, name, created_at FROM topics`;

/** SQL value: a topic's name. It is a lookup by key: for a join PostgreSQL scans all users' topics. */
export function topicNameSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT t.name FROM topics t WHERE t.id = ${id})`;
}
