import "server-only";
import { liveSql, ownSql } from "@/lib/db/own";
import { type Db, Prisma } from "@/lib/db/prisma";

/** What other features use of projects: parts of their statements, and writes inside their transactions. */

/** A reservation lasts longer than any call that asks the AI for pieces. */
const RESERVATION_TTL = "3 minutes";

/** SQL value: the places reserved in a project's row. */
export const RESERVED_PIECES = Prisma.sql`CASE WHEN reserved_until > now() THEN reserved_pieces ELSE 0 END`;

/**
 * Reserves places for more pieces before the provider is asked, so that none is paid for that does not fit. The caller
 * has locked the project.
 */
export async function reservePlaces(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  id: number,
  count: number,
): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE projects SET reserved_pieces = ${RESERVED_PIECES} + ${count}::int, reserved_until = now() + ${RESERVATION_TTL}::interval
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`);
}

/** SQL: the user's projects. */
export function ownProjectsSql(userId: string): Prisma.Sql {
  return Prisma.sql`SELECT p.id, p.title, p.description, p.created_at FROM projects p WHERE ${ownSql("p", userId)}`;
}

/** SQL that deletes the user's projects: all, or one. Their rows are removed later. */
export function deleteProjectsSql(userId: string, { projectId }: { projectId?: number }): Prisma.Sql {
  const one = projectId === undefined ? Prisma.empty : Prisma.sql`AND p.id = ${projectId}::int`;
  return Prisma.sql`UPDATE projects p SET deleted_at = now() WHERE ${ownSql("p", userId)} ${one}`;
}

/** SQL condition: the project is there. `id` is a column of the statement. */
export function projectExistsSql(id: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM projects p WHERE p.id = ${Prisma.raw(id)} AND ${liveSql("p")})`;
}

/** SQL: all projects' titles, for a join. */
export const PROJECT_TITLES = Prisma.sql`SELECT id, title, created_at FROM projects`;

/** SQL value: a project's title. */
export function projectTitleSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT p.title FROM projects p WHERE p.id = ${id})`;
}

/** SQL value: the project's own site; null: it follows the default one. */
export function siteOfProjectSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT pr.site_id FROM projects pr WHERE pr.id = ${id})`;
}

/** SQL value: how many projects are on the site. */
export function projectsOnSiteSql(siteId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT count(*)::int FROM projects p WHERE p.site_id = ${siteId} AND ${liveSql("p")})`;
}

/** SQL condition: a project is on the site, or was until it was deleted. */
export function isProjectsSiteSql(siteId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM projects p WHERE p.site_id = ${siteId})`;
}

/** The site's projects are on another one from now on: they are the same site. */
export async function moveProjects(
  db: Pick<Db, "$executeRaw">,
  userId: string,
  from: string,
  to: string,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE projects SET site_id = ${to}::uuid WHERE user_id = ${userId}::uuid AND site_id = ${from}::uuid`);
}

/** SQL value (json): what prompts say of a project: its words, how its texts are written, and its persona. */
export function projectForPromptSql(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('title', o.title, 'description', coalesce(o.description, ''),
      'style', json_build_object('tone', o.writing_tone, 'language', o.writing_language, 'words', o.writing_words,
        'instructions', o.writing_instructions),
      'persona', (SELECT json_build_object('name', b.name, 'age', b.age, 'description', b.description, 'interests', b.interests,
        'challenges', b.challenges) FROM buyer_personas b WHERE b.project_id = o.id))
    FROM projects o WHERE o.id = ${id})`;
}

/** SQL that releases reserved places, used or not. */
export function releasePlacesSql(userId: string, id: number, count: number): Prisma.Sql {
  return Prisma.sql`UPDATE projects SET reserved_pieces = greatest(0, reserved_pieces - ${count}::int)
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`;
}
