import "server-only";
import { Prisma, type Prisma as PrismaTypes, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { PUBLISH_LEASE } from "@/lib/features/publishing/rules";
import { storableUpTo } from "@/lib/utils/text";

/**
 * Takes the one place for publishing a piece. `abandoned`: an earlier holder never came back, so its post may exist.
 * Undefined: someone holds it now, or it is not this owner's.
 */
export async function holdPublishing(userId: string, id: string, token: string) {
  const [row] = await prisma.$queryRaw<{ abandoned: boolean }[]>(Prisma.sql`
    WITH old AS (SELECT id, publish_token IS NOT NULL AS abandoned FROM content_pieces
      WHERE id = ${id}::uuid AND user_id = ${userId}::uuid AND (publish_token IS NULL OR publish_lease_until <= now()) FOR UPDATE)
    UPDATE content_pieces p SET publish_token = ${token}::uuid, publish_lease_until = now() + ${PUBLISH_LEASE}::interval,
      publish_boot_id = ${env.BOOT_ID ?? null}::uuid
    FROM old WHERE p.id = old.id RETURNING old.abandoned`);
  return row;
}

/**
 * Writes what was learnt from the site, fenced by the token. Not a change of text: the version stays. A site may say
 * anything: what it says must not keep the piece from knowing what became of its post.
 */
export async function recordRemote(
  id: string,
  token: string,
  learnt: PrismaTypes.ContentPieceUpdateManyMutationInput,
): Promise<boolean> {
  const data = Object.fromEntries(
    Object.entries(learnt).map(([field, value]) => [
      field,
      typeof value === "string" ? storableUpTo(value, LEARNT_MAX) : value,
    ]),
  );
  const { count } = await prisma.contentPiece.updateMany({ where: { id, publishToken: token }, data });
  return count > 0;
}

/** Addresses have no more (see lib/wordpress/schema.ts), and no sentence comes near it. */
const LEARNT_MAX = 2_000;

/** No change of the piece: one that was refused is as it was before, its `updatedAt` too. */
export async function releasePublishing(id: string, token: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE content_pieces SET publish_token = NULL, publish_lease_until = NULL
    WHERE id = ${id}::uuid AND publish_token = ${token}::uuid`);
}
