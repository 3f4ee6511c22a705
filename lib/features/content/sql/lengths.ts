import "server-only";
import { liveSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";

/** Pieces of all users whose words are not counted yet. */
export function selectUncounted(limit: number) {
  return prisma.$queryRaw<{ id: string; version: number; body: string }[]>(Prisma.sql`
    SELECT id, version, body FROM content_pieces WHERE length_in_words IS NULL AND ${liveSql("content_pieces")} ORDER BY id LIMIT ${limit}::int`);
}

/** Saves the length of a text that is still the same and not counted yet. It is no change of the piece. */
export async function saveLength(id: string, version: number, length: number): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE content_pieces SET length_in_words = ${length}::int
    WHERE id = ${id}::uuid AND version = ${version}::int AND length_in_words IS NULL`);
}
