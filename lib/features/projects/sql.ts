import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";
import { RESERVED_PIECES } from "@/lib/features/projects/sql/shared";

type Raw = Pick<Db, "$queryRaw">;

/** A new project's id, undefined at the person's cap; the caller has locked the person's usage. */
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

/** Locks the user's project against concurrent additions and returns its reserved places; undefined when it is not there. */
export async function lockProject(db: Raw, userId: string, id: number): Promise<{ reserved: number } | undefined> {
  const [row] = await db.$queryRaw<{ reserved: number }[]>(Prisma.sql`
    SELECT ${RESERVED_PIECES} AS reserved FROM projects
    WHERE id = ${id}::int AND user_id = ${userId}::uuid FOR NO KEY UPDATE`);
  return row;
}
