import "server-only";
import { ownSql } from "@/lib/db/own";
import { type Db, Prisma } from "@/lib/db/prisma";
import type { PieceFields } from "@/lib/features/content/schema";
import { rowBytes, store } from "@/lib/limits/storage-quota";

const COLUMNS = {
  focusKeyword: "focus_keyword",
  metaTitle: "meta_title",
  metaDescription: "meta_description",
  slug: "slug",
  excerpt: "excerpt",
} as const satisfies Record<keyof PieceFields, string>;

/**
 * Saves what stands beside the text of the user's piece; an absent field stays as it is. The version stays, so that it never is a
 * conflict with an open editor. Returns whether the piece is there. Throws STORAGE_FULL and RATE_LIMITED: call it within `withinQuota`.
 */
export async function saveFields(
  db: Pick<Db, "$queryRaw" | "$executeRaw">,
  userId: string,
  id: string,
  fields: Partial<PieceFields>,
): Promise<boolean> {
  const given = (Object.keys(COLUMNS) as (keyof PieceFields)[]).filter((field) => fields[field] !== undefined);
  const sets = given.map((field) => Prisma.sql`${Prisma.raw(COLUMNS[field])} = ${fields[field]}::text`);
  await store(db, userId, rowBytes(...given.map((field) => fields[field] ?? "")));
  const saved = await db.$executeRaw(Prisma.sql`
    UPDATE content_pieces p SET ${Prisma.join(sets)}, updated_at = now() WHERE p.id = ${id}::uuid AND ${ownSql("p", userId)}`);
  return saved > 0;
}
