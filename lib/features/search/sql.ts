import "server-only";
import { contains } from "@/lib/db/contains";
import { Prisma, prisma } from "@/lib/db/prisma";
import { runSearch } from "@/lib/db/search";
import { pieceTitlesSql } from "@/lib/features/content/sql/shared";
import { ownProjectsSql } from "@/lib/features/projects/sql/shared";
import { MAX_HITS, RANKS, SEPARATORS, spaced } from "@/lib/features/search/rules";
import { topicsOfSql } from "@/lib/features/topics/sql/shared";

export type HitRow = {
  kind: "project" | "topic" | "piece";
  id: string;
  title: string;
  /** Of a topic. */
  projectId: number | null;
  projectTitle: string | null;
};

/** The user's projects, topics and pieces that fit best, the newest first among equals; without a text the newest. */
export function selectHits(userId: string, text: string, signal?: AbortSignal): Promise<HitRow[]> {
  const needle = text.toLowerCase();
  const title = Prisma.sql`lower(r.title)`;
  const projects = Prisma.sql`SELECT id, title, description, created_at FROM own`;
  const describedIn = Prisma.sql`lower(r.title || chr(10) || coalesce(r.description, ''))`;
  const topics = Prisma.sql`
    SELECT t.id, t.name AS title, t.created_at, own.id AS project_id, own.title AS project_title
    FROM own CROSS JOIN LATERAL (${topicsOfSql(userId, Prisma.sql`own.id`)}) t`;
  const noProject = Prisma.sql`NULL::int AS project_id, NULL AS project_title`;
  const ofTopic = Prisma.sql`r.project_id, r.project_title`;
  const statement = Prisma.sql`
    WITH own AS MATERIALIZED (${ownProjectsSql(userId)})
    SELECT kind, id, title, project_id AS "projectId", project_title AS "projectTitle" FROM (
      ${best("project", projects, noProject, needle, describedIn)} UNION ALL
      ${best("topic", topics, ofTopic, needle, title)} UNION ALL
      ${best("piece", pieceTitlesSql(userId), noProject, needle, title)}) hits
    ORDER BY kind, place`;
  return needle === "" ? prisma.$queryRaw<HitRow[]>(statement) : runSearch<HitRow>(userId, statement, signal);
}

/** The best hits among the rows, `r`, that have the needle in `searched`. */
function best(
  kind: HitRow["kind"],
  rows: Prisma.Sql,
  project: Prisma.Sql,
  needle: string,
  searched: Prisma.Sql,
): Prisma.Sql {
  const fit = needle === "" ? Prisma.sql`0` : rank(needle);
  const found = needle === "" ? Prisma.sql`true` : contains(searched, needle);
  return Prisma.sql`
    SELECT ${kind} AS kind, *, row_number() OVER () AS place FROM (
      SELECT r.id::text AS id, r.title, ${project}, ${fit} AS fit FROM (${rows}) r WHERE ${found}
      ORDER BY fit, r.created_at DESC, r.id DESC LIMIT ${MAX_HITS}::int) r`;
}

/** What rankOf computes, with one more for those whose title lacks the needle. */
function rank(needle: string): Prisma.Sql {
  const title = Prisma.sql`lower(r.title)`;
  const words = Prisma.sql`' ' || translate(${title}, ${SEPARATORS}, ${" ".repeat(SEPARATORS.length)})`;
  return Prisma.sql`CASE WHEN ${title} = ${needle} THEN ${RANKS.whole}::int
    WHEN ${contains(words, ` ${spaced(needle)}`)} THEN ${RANKS.wordStart}::int
    WHEN ${contains(title, needle)} THEN ${RANKS.inWord}::int ELSE ${RANKS.inWord + 1}::int END`;
}
