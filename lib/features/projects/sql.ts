import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";

type Raw = Pick<Db, "$queryRaw">;
type ProjectRow = { id: number; title: string; description: string | null; userId: string; createdAt: Date };

/** A project under the person's cap; the caller holds the person's usage. Undefined when there is no room for another. */
export async function insertProject(
  db: Raw,
  userId: string,
  { title, description }: { title: string; description: string | null },
): Promise<ProjectRow | undefined> {
  const [row] = await db.$queryRaw<ProjectRow[]>(Prisma.sql`
    INSERT INTO projects (user_id, title, description)
    SELECT ${userId}::uuid, ${title}, ${description}
    WHERE (SELECT count(*) FROM projects WHERE user_id = ${userId}::uuid) < ${MAX_PROJECTS}::int
    RETURNING id, title, description, user_id AS "userId", created_at AS "createdAt"`);
  return row;
}

/** Locks an owner's project against others who would add to it; false when it is not there. */
export async function lockProject(db: Raw, userId: string, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT id FROM projects WHERE id = ${id}::int AND user_id = ${userId}::uuid FOR NO KEY UPDATE`);
  return rows.length > 0;
}
