import "server-only";
import { Prisma } from "@/lib/db/generated/client";

/** Beyond so many comparisons a byte of text strpos is slower than a regular expression's automaton. */
const STRPOS_COMPARISONS = 16;

/**
 * A condition: the stored, lower-cased text of `column` contains `needle` whatever its case. Exact either way, and nothing
 * needs escaping: after `***=` a regular expression is literal. Its automaton takes one step a character for any needle;
 * strpos is five times faster, but not for a needle that repeats itself.
 */
export function contains(column: Prisma.Sql, needle: string): Prisma.Sql {
  return mostComparisons(needle.toLowerCase()) > STRPOS_COMPARISONS
    ? Prisma.sql`${column} ~ ('***=' || lower(${needle}::text))`
    : Prisma.sql`strpos(${column}, lower(${needle}::text)) > 0`;
}

/**
 * The most comparisons a byte of text that strpos (Horspool's search) can need for this needle, whatever the text is: one
 * at each place, and one more for each of the needle's last k bytes that match there. Those cannot match again sooner than
 * after their smallest period, which Knuth, Morris and Pratt's failure function tells: 1/period each. Below 10 for words
 * and sentences, the needle's length for one that repeats a letter.
 */
export function mostComparisons(needle: string): number {
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
