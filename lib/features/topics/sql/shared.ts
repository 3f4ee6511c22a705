import "server-only";
import { liveSql, ownSql } from "@/lib/db/own";
import { type Db, Prisma } from "@/lib/db/prisma";
import type { PieceStep } from "@/lib/features/topics/rules";

/** What other features use of topics: parts of their statements, and writes inside their transactions. */

/** SQL conditions: the piece `p` has no outline, or it has one and no text yet. Queueing and the counts of topics go by them. */
export const UNWRITTEN = {
  outline: Prisma.sql`NOT p.has_outline`,
  body: Prisma.sql`p.has_outline AND NOT p.has_body`,
} as const;

/** SQL condition: the piece `p` is live. A test holds it to content's LIVE_STATUSES, which stand above topics. */
const IS_LIVE = Prisma.sql`p.status = 'wp_published'`;

/** SQL conditions: the furthest step that the piece `p` has reached; one of them holds. Counts and the library go by them. */
export const AT_STEP: Record<PieceStep, Prisma.Sql> = {
  idea: Prisma.sql`(NOT ${IS_LIVE} AND NOT p.has_body AND ${UNWRITTEN.outline})`,
  outline: Prisma.sql`(NOT ${IS_LIVE} AND ${UNWRITTEN.body})`,
  text: Prisma.sql`(NOT ${IS_LIVE} AND p.has_body)`,
  live: IS_LIVE,
};

export function ownedTopicSql(userId: string, id: number): Prisma.Sql {
  return Prisma.sql`SELECT t.id, t.project_id, t.user_id FROM topics t WHERE t.id = ${id}::int AND ${ownSql("t", userId)}`;
}

/** SQL: the topics of the user's project. OFFSET keeps it a lookup by index: in a join PostgreSQL scans all users' topics. */
export function topicsOfSql(userId: string, projectId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT t.id, t.name, t.created_at FROM topics t
    WHERE t.project_id = ${projectId} AND ${ownSql("t", userId)} OFFSET 0`;
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

/** Locks the topics of the user's project against additions, until the transaction ends. */
export function lockTopicsOf(db: Pick<Db, "$queryRaw">, userId: string, projectId: number) {
  return db.$queryRaw(Prisma.sql`
    SELECT 1 FROM topics t WHERE t.project_id = ${projectId}::int AND ${ownSql("t", userId)} ORDER BY t.id FOR NO KEY UPDATE`);
}

/** SQL that deletes the user's topics: all, or those of a project, or one. Their rows are removed later. */
export function deleteTopicsSql(
  userId: string,
  { projectId, topicId }: { projectId?: number; topicId?: number },
): Prisma.Sql {
  const ofProject = projectId === undefined ? Prisma.empty : Prisma.sql`AND t.project_id = ${projectId}::int`;
  const one = topicId === undefined ? Prisma.empty : Prisma.sql`AND t.id = ${topicId}::int`;
  return Prisma.sql`UPDATE topics t SET deleted_at = now() WHERE ${ownSql("t", userId)} ${ofProject} ${one}`;
}

/** SQL condition: the topic is there. It is a lookup by key, as in topicNameSql. `id` is a column of the statement. */
export function topicExistsSql(id: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM topics t WHERE t.id = ${Prisma.raw(id)} AND ${liveSql("t")})`;
}

/** SQL: all topics' names, for a join. */
export const TOPIC_NAMES = Prisma.sql`SELECT id, name, created_at FROM topics`;

/** SQL value: a topic's name. It is a lookup by key: for a join PostgreSQL scans all users' topics. */
export function topicNameSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT t.name FROM topics t WHERE t.id = ${id})`;
}
