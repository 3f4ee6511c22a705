import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { countedBytesSql } from "@/lib/limits/storage-quota";

/** The sealed API key, and at least the bytes stored. */
export async function selectKey(userId: string) {
  const [row] = await prisma.$queryRaw<{ sealed: string | null; countedBytes: number }[]>(Prisma.sql`
    SELECT openai_api_key AS sealed, ${countedBytesSql(userId)} AS "countedBytes" FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL`);
  return row;
}

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
