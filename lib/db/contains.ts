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
 * The most comparisons a byte of text that strpos (Horspool's search) can need for this needle, whatever the text is. Where
 * the needle's last k bytes matched they cannot match again sooner than after their smallest period, so this is the sum of
 * 1/period over all k, and the periods are those of Knuth, Morris and Pratt's failure function. Below 10 for words and
 * sentences, the needle's length for one that repeats a letter.
 */
export function mostComparisons(needle: string): number {
  const bytes = new TextEncoder().encode(needle).reverse();
  const borders = [0];
  let border = 0;
  let sum = bytes.length === 0 ? 0 : 1;
  for (let at = 1; at < bytes.length; at++) {
    while (border > 0 && bytes[at] !== bytes[border]) border = borders[border - 1] ?? 0;
    if (bytes[at] === bytes[border]) border += 1;
    borders.push(border);
    sum += 1 / (at + 1 - border);
  }
  return sum;
}
