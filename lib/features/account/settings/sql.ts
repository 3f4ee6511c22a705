import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { storedBytesSql } from "@/lib/limits/storage-quota";

/** The sealed API key and the bytes stored. */
export async function selectKey(userId: string) {
  const [row] = await prisma.$queryRaw<{ sealed: string | null; storedBytes: number }[]>(Prisma.sql`
    SELECT openai_api_key AS sealed, ${storedBytesSql(userId)} AS "storedBytes" FROM users WHERE id = ${userId}::uuid`);
  return row;
}
