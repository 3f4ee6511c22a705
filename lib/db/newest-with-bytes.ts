import "server-only";
import { Prisma } from "@/lib/db/generated/client";
import type { Cursor } from "@/lib/utils/cursor-page";

/**
 * SQL table: the rows of `select`, newest first, each with `bytes_before`: the bytes of the rows before it, without the
 * one right before. `WHERE bytes_before < …` then keeps a page's rows and one or two more, by which cursorPage knows
 * that there is a next page.
 *
 * `select` has `created_at` and `id`; rows that share them, such as a project's topics, stay together. `bytes` is a row's
 * size, at most that of its JSON; octet_length tells it without reading the text.
 */
export function newestWithBytes(select: Prisma.Sql, bytes: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT r.*, coalesce(sum(${bytes}) OVER (
      ORDER BY r.created_at DESC, r.id DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS bytes_before
    FROM (${select}) r)`;
}

/** SQL condition, to append: rows of the table after the cursor. */
export function afterCursor(table: "j" | "k" | "p" | "t", cursor: Cursor<number> | undefined): Prisma.Sql {
  if (!cursor) return Prisma.empty;
  const place = Prisma.raw(`${table}.created_at, ${table}.id`);
  return Prisma.sql`AND (${place}) < (${cursor.createdAt}::timestamptz, ${cursor.id}::int)`;
}
