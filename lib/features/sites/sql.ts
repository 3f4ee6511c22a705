import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { MAX_UNSETTLED_AGE } from "@/lib/features/sites/sql/shared";

/** `place`: host and path of its home (see placeOf); `apiRoot`: the REST root at which it was last found. */
export type KnownSite = { id: string; place: string; apiRoot: string; isDefault: boolean };

/** Every site the user has connected, the default one first. */
export function selectSites(userId: string): Promise<KnownSite[]> {
  return prisma.$queryRaw<KnownSite[]>(Prisma.sql`
    SELECT id, place, api_root AS "apiRoot", is_default AS "isDefault" FROM sites
    WHERE user_id = ${userId}::uuid ORDER BY is_default DESC, created_at DESC`);
}

/** Saves a site by its place, or, with `movedId`, gives a known site its new place. Returns it. */
export async function saveSite(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  { place, apiRoot, movedId }: { place: string; apiRoot: string; movedId?: string | undefined },
): Promise<{ id: string; isDefault: boolean }> {
  const [moved] = movedId
    ? await db.$queryRaw<{ id: string; isDefault: boolean }[]>(Prisma.sql`
        UPDATE sites SET place = ${place}, api_root = ${apiRoot}
        WHERE id = ${movedId}::uuid AND user_id = ${userId}::uuid
          AND NOT EXISTS (SELECT 1 FROM sites o WHERE o.user_id = ${userId}::uuid AND o.place = ${place})
        RETURNING id, is_default AS "isDefault"`)
    : [];
  if (moved) return moved;
  const [saved] = await db.$queryRaw<[{ id: string; isDefault: boolean }]>(Prisma.sql`
    INSERT INTO sites (user_id, place, api_root) VALUES (${userId}::uuid, ${place}, ${apiRoot})
    ON CONFLICT (user_id, place) DO UPDATE SET api_root = excluded.api_root
    RETURNING id, is_default AS "isDefault"`);
  return saved;
}

export async function makeDefaultSite(db: Pick<Db, "$executeRaw">, userId: string, id: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`UPDATE sites SET is_default = false WHERE user_id = ${userId}::uuid AND is_default`);
  await db.$executeRaw(
    Prisma.sql`UPDATE sites SET is_default = true WHERE id = ${id}::uuid AND user_id = ${userId}::uuid`,
  );
}

/** Those of the sites that have posts of pieces, or creations that went unanswered. */
export async function selectSitesWithPosts(siteIds: string[]): Promise<Set<string>> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT DISTINCT site_id AS id FROM piece_posts
    WHERE site_id = ANY(${siteIds}::uuid[]) AND (post_id IS NOT NULL OR unanswered_since IS NOT NULL)`);
  return new Set(rows.map(({ id }) => id));
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

/** Deletes sites that were connected once and that neither a piece nor an abandoned post refers to. */
export function pruneSites(): Promise<void> {
  return transaction(async (db) => {
    const former = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
      SELECT s.id FROM sites s WHERE NOT s.is_default AND s.created_at < now() - interval '1 day' AND NOT (${IS_USED})
      LIMIT ${MAX_PRUNED}::int FOR UPDATE SKIP LOCKED`);
    // A reference may have come between the first statement's view and its locks.
    const ids = former.map(({ id }) => id);
    await db.$executeRaw(Prisma.sql`DELETE FROM sites s WHERE s.id = ANY(${ids}::uuid[]) AND NOT (${IS_USED})`);
  });
}

const MAX_PRUNED = 1_000;

/** SQL condition: a piece, or an abandoned post, is known on the site `s`. */
const IS_USED = Prisma.sql`EXISTS (SELECT 1 FROM piece_posts w WHERE w.site_id = s.id)
  OR EXISTS (SELECT 1 FROM abandoned_posts a WHERE a.site_id = s.id)`;

/** Forgets abandoned posts that are too old to be looked for. */
export async function pruneAbandoned(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM abandoned_posts WHERE unanswered_since <= now() - ${MAX_UNSETTLED_AGE}::interval`);
}
