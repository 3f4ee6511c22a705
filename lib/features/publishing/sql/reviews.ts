import "server-only";
import { ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { siteIdSql } from "@/lib/features/sites/sql/shared";

/** Pieces of a project that are compared with one of them; a project with more is compared in part. */
const MOST_COMPARED = 1_000;

/** A project as the review of its pieces needs it: `pieces` are those that may compete with one that is reviewed. */
export type ProjectOfPieces = {
  language: string | null;
  url: string | null;
  pieces: { id: string; title: string; focusKeyword: string | null }[];
};

/** The projects of these pieces, by id. Pieces that may compete have a focus keyword, or the title of one of these. */
export async function selectProjectsOf(userId: string, ids: string[]): Promise<Map<number, ProjectOfPieces>> {
  const rows = await prisma.$queryRaw<(ProjectOfPieces & { id: number })[]>(Prisma.sql`
    WITH asked AS (
      SELECT p.project_id, lower(p.title) AS title FROM content_pieces p
      WHERE p.id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)})
    SELECT j.id, j.writing_language AS language, s.url, coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', o.id, 'title', o.title, 'focusKeyword', o.focus_keyword)) FROM (
        SELECT p.id, p.title, p.focus_keyword FROM content_pieces p
        WHERE p.project_id = j.id AND ${ownSql("p", userId)} AND (p.focus_keyword IS NOT NULL
          OR lower(p.title) IN (SELECT title FROM asked WHERE asked.project_id = j.id))
        ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST_COMPARED}::int) o), '[]'::jsonb) AS pieces
    FROM projects j LEFT JOIN sites s ON s.id = ${siteIdSql(Prisma.sql`j.id`, Prisma.sql`j.user_id`)}
    WHERE j.id IN (SELECT project_id FROM asked) AND ${ownSql("j", userId)}`);
  return new Map(rows.map(({ id, ...project }) => [id, project]));
}
