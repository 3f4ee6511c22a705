import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { isProjectsSiteSql, projectsOnSiteSql } from "@/lib/features/projects/sql/shared";
import { defaultSiteIdSql, MAX_UNSETTLED_AGE, siteIdSql } from "@/lib/features/sites/sql/shared";

/**
 * `url`: as typed, null when it is not connected. `place`: host and path of its home (see placeOf), null until it was found.
 * `apiRoot`: the REST root found at the url, null until then. `projectCount`: of those on it. `password` is sealed.
 */
export type SiteRow = {
  id: string;
  name: string | null;
  url: string | null;
  username: string | null;
  password: string | null;
  place: string | null;
  apiRoot: string | null;
  version: string | null;
  role: string | null;
  lastContactAt: Date | null;
  isDefault: boolean;
  projectCount: number;
};

const SITE = Prisma.sql`s.id, s.name, s.url, s.username, s.password, s.place, s.api_root AS "apiRoot", s.version, s.role,
  s.last_contact_at AS "lastContactAt", s.is_default AS "isDefault", ${projectsOnSiteSql(Prisma.sql`s.id`)} AS "projectCount"`;

/** Which site is meant: this one, the project's, or the default one. */
export type SiteTarget = { siteId?: string | undefined; projectId?: number | undefined };

export async function selectSite(
  userId: string,
  { siteId, projectId }: SiteTarget,
  db: Pick<Db, "$queryRaw"> = prisma,
): Promise<SiteRow | undefined> {
  const user = Prisma.sql`${userId}::uuid`;
  const ofProject = projectId === undefined ? defaultSiteIdSql(user) : siteIdSql(Prisma.sql`${projectId}::int`, user);
  const id = siteId === undefined ? ofProject : Prisma.sql`${siteId}::uuid`;
  const [row] = await db.$queryRaw<SiteRow[]>(Prisma.sql`
    SELECT ${SITE} FROM sites s WHERE s.id = ${id} AND s.user_id = ${user}`);
  return row;
}

/** Every site of the user, also those that are not connected any more, the default one first, then by age. */
export function selectSites(userId: string, db: Pick<Db, "$queryRaw"> = prisma): Promise<SiteRow[]> {
  return db.$queryRaw<SiteRow[]>(Prisma.sql`
    SELECT ${SITE} FROM sites s WHERE s.user_id = ${userId}::uuid ORDER BY s.is_default DESC, s.created_at, s.id`);
}

/** Does the site have posts of pieces, or creations that went unanswered? */
export async function hasPosts(siteId: string): Promise<boolean> {
  const [row] = await prisma.$queryRaw<[{ found: boolean }]>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM piece_posts
      WHERE site_id = ${siteId}::uuid AND (post_id IS NOT NULL OR unanswered_since IS NOT NULL)) AS found`);
  return row.found;
}

/** The site becomes the user's default one. */
export async function makeDefault(db: Pick<Db, "$executeRaw">, userId: string, id: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`UPDATE sites SET is_default = false WHERE user_id = ${userId}::uuid AND is_default`);
  await db.$executeRaw(
    Prisma.sql`UPDATE sites SET is_default = true WHERE id = ${id}::uuid AND user_id = ${userId}::uuid`,
  );
}

/** The site's home has another address now: its links begin with that. */
export async function moveLinks(
  db: Pick<Db, "$executeRaw">,
  siteId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE piece_posts w SET permalink = ${to} || substr(l.bare, length(${from}) + 1)
    FROM (SELECT content_piece_id, regexp_replace(permalink, '^https?://(www\\.)?', '') AS bare FROM piece_posts
          WHERE site_id = ${siteId}::uuid AND permalink IS NOT NULL) l
    WHERE w.site_id = ${siteId}::uuid AND w.content_piece_id = l.content_piece_id
      AND (l.bare = ${from} OR starts_with(l.bare, ${from} || '/') OR starts_with(l.bare, ${from} || '?'))`);
}

/** Keeps what this transaction writes from being taken for the work of the release before (see the migration of sites). */
export async function writesSites(db: Pick<Db, "$executeRaw">): Promise<void> {
  await db.$executeRaw(Prisma.sql`SELECT set_config('app.writes_sites', 'on', true)`);
}

/** Writes the default site into its owner's row, where the release before looks for it. */
export async function writeSettings(
  db: Pick<Db, "$executeRaw">,
  userId: string,
  site: Pick<SiteRow, "url" | "username" | "apiRoot" | "password"> | undefined,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE users SET wordpress_url = ${site?.url ?? null}, wordpress_username = ${site?.username ?? null},
      wordpress_site = ${site?.apiRoot ?? null}, wordpress_password = ${site?.password ?? null}
    WHERE id = ${userId}::uuid`);
}

/** Deletes sites that are not connected any more, and that neither a project nor a piece nor an abandoned post refers to. */
export function pruneSites(): Promise<void> {
  return transaction(async (db) => {
    const former = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      SELECT s.id FROM sites s
      WHERE s.url IS NULL AND NOT s.is_default AND s.created_at < now() - interval '1 day' AND NOT (${IS_USED})
      LIMIT ${MAX_PRUNED}::int FOR UPDATE SKIP LOCKED`);
    // A reference may have come between the first statement's view and its locks.
    const ids = former.map(({ id }) => id);
    await db.$executeRaw(Prisma.sql`DELETE FROM sites s WHERE s.id = ANY(${ids}::uuid[]) AND NOT (${IS_USED})`);
  });
}

const MAX_PRUNED = 1_000;

/** SQL condition: a project, a piece or an abandoned post refers to the site `s`. */
const IS_USED = Prisma.sql`EXISTS (SELECT 1 FROM piece_posts w WHERE w.site_id = s.id)
  OR EXISTS (SELECT 1 FROM abandoned_posts a WHERE a.site_id = s.id) OR ${isProjectsSiteSql(Prisma.sql`s.id`)}`;

/** Forgets abandoned posts that are too old to be looked for. */
export async function pruneAbandoned(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM abandoned_posts WHERE unanswered_since <= now() - ${MAX_UNSETTLED_AGE}::interval`);
}
