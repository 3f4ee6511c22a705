import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { type Part, type StepLimits, THINGS, type Thing } from "@/lib/features/deletion/rules";

/** Deletes what is below something deleted, such as a piece that a process of the version before has added since. */
export async function markBelow(): Promise<void> {
  for (const { table, below } of [...THINGS].reverse()) {
    if (!below) continue;
    await prisma.$executeRaw(
      Prisma.raw(`UPDATE ${below.table} SET deleted_at = now() WHERE deleted_at IS NULL
        AND ${below.key} IN (SELECT id FROM ${table} WHERE deleted_at IS NOT NULL)`),
    );
  }
}

/** Deleted things with nothing below them, and whose they are. */
export function selectDeleted({ table, owner, below }: Thing, limit: number) {
  const isEmpty = below ? `AND NOT EXISTS (SELECT 1 FROM ${below.table} b WHERE b.${below.key} = r.id)` : "";
  return prisma.$queryRaw<{ id: string; userId: string }[]>(Prisma.sql`
    ${Prisma.raw(`SELECT r.id::text AS id, r.${owner} AS "userId" FROM ${table} r WHERE r.deleted_at IS NOT NULL ${isEmpty}`)}
    ORDER BY r.id LIMIT ${limit}::int`);
}

/**
 * Removes rows of a part of the things with these ids, as many as the limits allow, and returns how many. It leaves out those
 * that another process is removing.
 */
export function removePart(thing: Thing, part: Part, ids: string[], limits: StepLimits): Promise<number> {
  const { table, key, via, texts = [], stays } = part;
  const column = Prisma.raw(`r.${key}`);
  const isTheirs = Prisma.sql`= ANY(${ids}::${Prisma.raw(thing.ids)}[])`;
  const condition = via
    ? Prisma.sql`${column} IN (SELECT v.id FROM ${Prisma.raw(`${via.table} v WHERE v.${via.key}`)} ${isTheirs})`
    : Prisma.sql`${column} ${isTheirs}`;
  return removeRows(table, condition, texts, limits, stays && key);
}

/** Removes the things themselves, in the same way; they have no parts left. */
export function removeThings({ table, ids: type, texts = [] }: Thing, ids: string[], limits: StepLimits) {
  return removeRows(table, Prisma.sql`r.id = ANY(${ids}::${Prisma.raw(type)}[])`, texts, limits);
}

function removeRows(
  table: string,
  condition: Prisma.Sql,
  texts: string[],
  { rows, bytes }: StepLimits,
  cleared?: string,
): Promise<number> {
  // octet_length() reads the length of a large text without fetching it.
  const size = Prisma.raw(["0", ...texts.map((text) => `coalesce(octet_length(r.${text}), 0)`)].join(" + "));
  const remove = cleared ? `UPDATE ${table} SET ${cleared} = NULL` : `DELETE FROM ${table}`;
  return prisma.$executeRaw(Prisma.sql`
    ${Prisma.raw(remove)} WHERE ctid = ANY(ARRAY(
      SELECT place FROM (
        SELECT place, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS bytes_before FROM (
          SELECT r.ctid AS place, ${size} AS size FROM ${Prisma.raw(table)} r WHERE ${condition}
          LIMIT ${rows}::int FOR UPDATE SKIP LOCKED) next) step
      WHERE bytes_before < ${bytes}::bigint))`);
}
