/**
 * Replaces the bracket of everything that reads as the beginning or end of a `<data>` fence, and nothing else. Models read
 * past what users do not see, and take letters and brackets of the same shape for the same. Linear: no character is
 * looked at from two brackets.
 */
export function defuse(text: string): string {
  return text.replace(OPENING, (bracket, at: number) => (isNameAfter(text, at + bracket.length) ? DEFUSED : bracket));
}

/** `<`, what Unicode normalises to it, and signs of its exact shape. « 〈 ❮ ⟨ are left out: they are no nearer than DEFUSED. */
const OPENING = /[<＜﹤≮˂ᐸ\u{1D236}]/gu;
const DEFUSED = "‹";

const NAME = "data";

/** Spaces, strokes, marks, and what shows nothing: format and control characters, unassigned and private ones. */
const SKIPPED = /[\s\p{Default_Ignorable_Code_Point}\p{M}\p{C}\u2800/\\／＼⁄∕⧸╱⟋]/u;

function isNameAfter(text: string, start: number): boolean {
  let matched = 0;
  for (let at = start; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    if (SKIPPED.test(character)) continue;
    for (const letter of lettersOf(character)) {
      if (letter !== NAME[matched]) return false;
      matched += 1;
      if (matched === NAME.length) return true;
    }
  }
  return false;
}

/** Lower-cases, removes accents and makes full-width, circled and mathematical letters plain; some signs become two. */
function lettersOf(character: string): string[] {
  const plain = character.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return [...plain].map((letter) => LOOK_ALIKES.get(letter) ?? letter);
}

/** Letters of other alphabets, small capitals and letters with a stroke, which Unicode does not normalise. */
const LOOK_ALIKES = new Map(
  Object.entries({ d: "ԁꭰꓓᴅđɗɖ", a: "аαɑꓮᴀⱥ", t: "тτꭲꓔᴛŧƭ" }).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);
