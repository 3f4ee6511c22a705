import { countWords } from "@/lib/utils/text";

export const MAX_SUGGESTED = 100;
/** The longest keyword, in characters. */
export const KEYWORD_MAX = 100;

/** How far a topic's pieces come, one step after the other. */
export const PIECE_STEPS = ["idea", "outline", "text", "live"] as const;
export type PieceStep = (typeof PIECE_STEPS)[number];

/** A step's name on screen, for one piece and for any other number. */
export const STEP_NAMES: Record<PieceStep, { one: string; many: string }> = {
  idea: { one: "idea", many: "ideas" },
  outline: { one: "outline", many: "outlines" },
  text: { one: "text", many: "texts" },
  live: { one: "live", many: "live" },
};

/** More words than a keyword has: the commas of a sentence separate nothing. */
const MOST_WORDS = 6;

/**
 * The keywords in a text. Each line and each cell of a table is one for certain (`lines`). `parts` are those at their commas and
 * semicolons too, which only the user can tell from one keyword: "restaurants in paris, france". A comma inside a number
 * or a word is part of it.
 */
export function separateKeywords(text: string): { lines: string[]; parts: string[] } {
  const lines = filled(text.split(/[\t\n\v\f\r\u0085\u2028\u2029]/));
  const parts = lines.flatMap((line) => {
    const each = filled(line.split(/[,;](?=\s|$)/));
    return each.length > 1 && each.every((part) => countWords(part) <= MOST_WORDS) ? each : [line];
  });
  return { lines, parts: [...new Set(parts)] };
}

/** Without blank ones, and each once. */
function filled(texts: string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== "");
}

/** What of these keywords one call may add, and what is left: the others, and those that are too long. */
export function fittingKeywords(keywords: string[]): { fitting: string[]; tooLong: string[]; later: string[] } {
  const tooLong = keywords.filter((keyword) => keyword.length > KEYWORD_MAX);
  const short = keywords.filter((keyword) => keyword.length <= KEYWORD_MAX);
  return { fitting: short.slice(0, MAX_SUGGESTED), tooLong, later: [...short.slice(MAX_SUGGESTED), ...tooLong] };
}
