import "server-only";
import { contains } from "@/lib/db/contains";
import { afterCursor, newestWithBytes } from "@/lib/db/newest-with-bytes";
import { ownSql } from "@/lib/db/own";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { runSearch } from "@/lib/db/search";
import { accountExistsSql } from "@/lib/features/account/sql/shared";
import { type ListProjectsQuery, MAX_PROJECTS } from "@/lib/features/projects/schema";
import { RESERVED_PIECES } from "@/lib/features/projects/sql/shared";
import type { Cursor } from "@/lib/utils/cursor-page";

type Raw = Pick<Db, "$queryRaw">;

export type ListedProjectRow = {
  id: number;
  title: string;
  description: string | null;
  /** Present only where the starts of descriptions were asked for. */
  descriptionCut?: boolean;
  userId: string;
  siteId: string | null;
  createdAt: Date;
};

type ListFilter = Omit<ListProjectsQuery, "cursor"> & {
  cursor: Cursor<number> | undefined;
  maxBytes: number;
  /** Ends a search. */
  signal?: AbortSignal | undefined;
};

/** The user's projects that match, newest first, from the cursor on; more than fit on the page if there are more. */
export function selectProjects(
  userId: string,
  { search, description, cursor, limit, maxBytes, signal }: ListFilter,
): Promise<ListedProjectRow[]> {
  const shown = description ? Prisma.sql`left(p.description, ${description}::int)` : Prisma.sql`p.description`;
  const text = Prisma.sql`lower(p.title || chr(10) || coalesce(p.description, ''))`;
  const found = Prisma.sql`
    SELECT p.id, p.user_id, p.site_id, p.title, p.created_at, ${shown} AS description,
      coalesce(octet_length(p.description) > octet_length(${shown}), false) AS is_cut
    FROM projects p
    WHERE ${ownSql("p", userId)} ${afterCursor("p", cursor)}
      ${search ? Prisma.sql`AND ${contains(text, search)}` : Prisma.empty}`;
  const statement = Prisma.sql`
    SELECT id, title, description, ${description ? Prisma.sql`is_cut AS "descriptionCut",` : Prisma.empty}
      user_id AS "userId", site_id AS "siteId", created_at AS "createdAt"
    FROM ${newestWithBytes(found, Prisma.sql`octet_length(r.title) + coalesce(octet_length(r.description), 0)`)} p
    WHERE bytes_before < ${maxBytes}::int
    ORDER BY created_at DESC, id DESC LIMIT ${limit ? limit + 1 : null}::int`;
  return search ? runSearch(userId, statement, signal) : prisma.$queryRaw<ListedProjectRow[]>(statement);
}

/** Returns a new project's id, undefined at the user's cap or when the account is gone; the caller has locked the user's count. */
export async function insertProject(
  db: Raw,
  userId: string,
  { title, description, siteId }: { title: string; description: string | null; siteId: string | null },
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    INSERT INTO projects (user_id, title, description, site_id)
    SELECT ${userId}::uuid, ${title}, ${description}, ${siteId}::uuid
    WHERE (SELECT count(*) FROM projects p WHERE ${ownSql("p", userId)}) < ${MAX_PROJECTS}::int AND ${accountExistsSql(userId)}
    RETURNING id`);
  return row?.id;
}

/** Locks the user's project against concurrent additions and returns its reserved places; undefined when it is not there. */
export async function lockProject(db: Raw, userId: string, id: number): Promise<{ reserved: number } | undefined> {
  const [row] = await db.$queryRaw<{ reserved: number }[]>(Prisma.sql`
    SELECT ${RESERVED_PIECES} AS reserved FROM projects p
    WHERE p.id = ${id}::int AND ${ownSql("p", userId)} FOR NO KEY UPDATE`);
  return row;
}
