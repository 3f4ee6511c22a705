import "server-only";
import { Prisma } from "@/lib/db/generated/client";

/** Comparisons per byte of text above which strpos is slower than a regular expression. */
const STRPOS_COMPARISONS = 16;

/**
 * Condition: the lower-cased text in `column` contains `needle` in any case. Nothing needs escaping: after `***=` a
 * regular expression is literal. It takes one step per character for any needle; strpos is five times faster, but not
 * for repetitive needles.
 */
export function contains(column: Prisma.Sql, needle: string): Prisma.Sql {
  return maxComparisons(needle.toLowerCase()) > STRPOS_COMPARISONS
    ? Prisma.sql`${column} ~ ('***=' || lower(${needle}::text))`
    : Prisma.sql`strpos(${column}, lower(${needle}::text)) > 0`;
}

/**
 * The most comparisons per byte that strpos (Horspool's search) can need for this needle: one at each position, plus
 * one for each of the needle's last k bytes that match there. Those match again only after their smallest period (from
 * Knuth, Morris and Pratt's failure function), hence 1/period each. The result is below 10 for ordinary text, and the
 * needle's length for one repeated letter.
 */
export function maxComparisons(needle: string): number {
  const bytes = new TextEncoder().encode(needle).reverse();
  const borders: number[] = [];
  let border = 0;
  let sum = 1;
  for (let at = 0; at < bytes.length - 1; at++) {
    while (border > 0 && bytes[at] !== bytes[border]) border = borders[border - 1] ?? 0;
    if (at > 0 && bytes[at] === bytes[border]) border += 1;
    borders.push(border);
    sum += 1 / (at + 1 - border);
  }
  return sum;
}
