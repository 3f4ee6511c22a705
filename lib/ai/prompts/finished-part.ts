/** These end a sentence wherever they stand: lines, and marks of scripts that have none for anything else. */
const ENDS = /[\n。．｡！？‼⁇⁈⁉।॥۔؟។៕།༎။።፧։᠃꓿܀]/;
/** These also stand within words, numbers and addresses; at the end of a sentence a space follows. */
const ENDS_BEFORE_SPACE = /[.!?…]/;
const CLOSES = /["”’»)\]*_」』》】）｣]/;
/** They have spaces between phrases and sentences, not between words. */
const SPACED_BY_PHRASE = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A text that was cut off, up to its last whole sentence or line; in Thai, Lao and Khmer up to the last space. */
export function finishedPart(text: string): string {
  for (let at = text.length - 1; at >= 0; at--) {
    const end = endAt(text, at);
    if (end > 0) return text.slice(0, end).trim();
  }
  return "";
}

/** The same with the white space that follows, as text that goes on needs it; "" for no whole sentence. */
export function beginningOf(text: string): string {
  const part = finishedPart(text);
  const end = text.indexOf(part) + part.length;
  return part === "" ? "" : part + (/^\s{0,2}/.exec(text.slice(end))?.[0] ?? "");
}

/** Where the sentence ends whose last mark is at `at`, with what closes after it; 0 for none. */
function endAt(text: string, at: number): number {
  const mark = text[at] ?? "";
  if (mark === " ") return [text[at - 1], text[at + 1] ?? text[at - 1]].every(isSpacedByPhrase) ? at : 0;
  const isEnd = ENDS.test(mark);
  if (!isEnd && !ENDS_BEFORE_SPACE.test(mark)) return 0;
  let end = at + 1;
  while (CLOSES.test(text[end] ?? "")) end++;
  if (isEnd) return end;
  if (/\S/.test(text[end] ?? "")) return 0;
  return mark === "." && isAbbreviated(text, at, end) ? 0 : end;
}

function isSpacedByPhrase(letter: string | undefined): boolean {
  return SPACED_BY_PHRASE.test(letter ?? "");
}

/** Longer than any of the abbreviations. */
const NEAR = 12;

/** Does the dot stand for letters left out, or make a number an ordinal or a list's? A small letter after it says so too. */
function isAbbreviated(text: string, at: number, end: number): boolean {
  const word = /[\p{L}\p{M}\p{N}.]*$/u.exec(text.slice(Math.max(0, at - NEAR), at))?.[0].toLowerCase() ?? "";
  const isShort = /^(?:\p{L}\p{M}*\.)*\p{L}$|^\d{1,2}$/u.test(word) && !SENTENCE_WORDS.has(word);
  return isShort || ABBREVIATIONS.has(word) || /^\s+\p{Ll}/u.test(text.slice(end, end + NEAR));
}

/** Words of one letter that may end a sentence. */
const SENTENCE_WORDS = new Set(["i"]);

/**
 * Titles and pointers, which something follows, without the dots at their ends. Those of single letters, such as "e.g.", need no
 * entry; those that may end a sentence, such as "etc.", have none.
 */
const ABBREVIATIONS = new Set(
  "approx bspw bzw ca cf dhr dott dr dra evtl ggf hr inc jr mevr mlle mm mme mr mrs ms mt nr núm örn pág pp prof sog sr sra st tel tzw ud vgl vs zzgl доц им проф ул".split(
    " ",
  ),
);
