/**
 * Scripts that put no spaces between words: two of their letters count as a word. Those that Unicode gives to several scripts,
 * such as ー, are listed one by one.
 */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30FC\\uFF70\\uFF9E\\uFF9F\\u3006\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}";
/** What is written with the letter before it, and begins no word. */
const ATTACHED = "[\\p{M}\\p{Default_Ignorable_Code_Point}]*";
/** Spaces, also of no width, and the bars between a table's cells. */
const BETWEEN = "\\s\\u200B|";
const RUN = new RegExp(`(?:(?=[\\p{L}\\p{N}])[${UNSPACED}]${ATTACHED}){1,2}|[^${BETWEEN}${UNSPACED}]+`, "gu");
const LETTER = /[\p{L}\p{N}]/u;
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");

/** Whether a text has letters of a script that puts no spaces between words. */
export function hasUnspaced(text: string): boolean {
  return UNSPACED_LETTER.test(text);
}

/** Counts words in any script. Marks without a letter or digit, such as those of tables, rules and lists, are none. */
export function lengthInWords(text: string): number {
  let count = 0;
  for (const _start of wordStarts(text)) count++;
  return count;
}

/** Where the words begin. */
export function* wordStarts(text: string): Generator<number> {
  const run = new RegExp(RUN);
  for (let match = run.exec(text); match; match = run.exec(text)) if (LETTER.test(match[0])) yield match.index;
}
