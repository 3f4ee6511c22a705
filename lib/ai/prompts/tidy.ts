/** Removes a list mark, but no number that belongs to the words: `1. ` goes, "3d printing" stays. */
export function withoutListMark(text: string): string {
  return text.trim().replace(/^(?:\d{1,3}[.)]|[-*•–])\s+/, "");
}

const QUOTES = ['""', "''", "“”", "””", "„“", "„”", "‘’", "’’", "‚‘", "«»", "»«", "‹›", "›‹", "「」", "『』", "＂＂"];

/** Removes quotation marks that enclose a text; marks around a part of it stay. */
export function withoutQuotes(text: string): string {
  const words = text.trim();
  const inside = words.slice(1, -1);
  const isQuoted =
    words.length > 2 &&
    QUOTES.some((pair) => words.startsWith(pair[0] ?? "") && words.endsWith(pair[1] ?? "") && !hasAny(inside, pair));
  return isQuoted ? inside.trim() : words;
}

function hasAny(inside: string, pair: string): boolean {
  const quoted = inside.replace(/(?<=\p{L})['’](?=\p{L})/gu, "");
  return [...pair].some((mark) => quoted.includes(mark));
}
