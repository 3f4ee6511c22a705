import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { MAX_INSTRUCTIONS } from "@/lib/features/instructions/rules";

/** Returns a new instruction's id, undefined at the user's cap; the caller has locked the user's count. */
export async function insertInstruction(
  db: Pick<Db, "$queryRaw">,
  userId: string,
  text: string,
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    INSERT INTO saved_instructions (user_id, text)
    SELECT ${userId}::uuid, ${text}
    WHERE (SELECT count(*) FROM saved_instructions WHERE user_id = ${userId}::uuid) < ${MAX_INSTRUCTIONS}::int
    RETURNING id`);
  return row?.id;
}
