import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";

type Raw = Pick<Db, "$queryRaw">;

/** The id of a new project under the person's cap; the caller holds the person's usage. Undefined: no room for another. */
export async function insertProject(
  db: Raw,
  userId: string,
  { title, description }: { title: string; description: string | null },
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    INSERT INTO projects (user_id, title, description)
    SELECT ${userId}::uuid, ${title}, ${description}
    WHERE (SELECT count(*) FROM projects WHERE user_id = ${userId}::uuid) < ${MAX_PROJECTS}::int
    RETURNING id`);
  return row?.id;
}

/** Longer than any call that asks for pieces. */
const PROMISE = "3 minutes";
/** SQL: the pieces promised in a project row, as long as the promise stands. */
const PROMISED = Prisma.sql`CASE WHEN promised_until > now() THEN promised_pieces ELSE 0 END`;

/** Locks an owner's project against others who would add to it, and tells the pieces promised; undefined: it is not there. */
export async function lockProject(db: Raw, userId: string, id: number): Promise<{ promised: number } | undefined> {
  const [row] = await db.$queryRaw<{ promised: number }[]>(Prisma.sql`
    SELECT ${PROMISED} AS promised FROM projects
    WHERE id = ${id}::int AND user_id = ${userId}::uuid FOR NO KEY UPDATE`);
  return row;
}

/** Keeps places for so many pieces more. */
export async function promisePieces(db: Raw, userId: string, id: number, count: number): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    UPDATE projects SET promised_pieces = ${PROMISED} + ${count}::int, promised_until = now() + ${PROMISE}::interval
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`);
}

/** SQL: gives promised places back, whose pieces have come or will not. */
export function takeBackPromise(userId: string, id: number, count: number): Prisma.Sql {
  return Prisma.sql`UPDATE projects SET promised_pieces = greatest(0, promised_pieces - ${count}::int)
    WHERE id = ${id}::int AND user_id = ${userId}::uuid`;
}
