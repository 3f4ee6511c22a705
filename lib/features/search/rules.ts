import { nfc } from "@/lib/utils/normal-form";

/** Hits of each kind at most. */
export const MAX_HITS = 6;

/** What stands between words; the SQL reads it too. */
export const SEPARATORS = " \t\n\u00A0-–—_/|.,:;!?'\"’‘“”„«»()[]{}&+#@*";

/** How well a title fits a text; the smaller, the better. */
export const RANKS = { whole: 0, wordStart: 1, inWord: 2 } as const;
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/** How well the title fits the text, in any case; undefined without the text in it. lib/features/search/sql.ts does the same. */
export function rankOf(title: string, text: string): Rank | undefined {
  const [whole, needle] = [normal(title), normal(text)];
  if (!whole.includes(needle)) return undefined;
  if (whole === needle) return RANKS.whole;
  return ` ${spaced(whole)}`.includes(` ${spaced(needle)}`) ? RANKS.wordStart : RANKS.inWord;
}

/** The text with a space for each separator. */
export function spaced(text: string): string {
  return [...text].map((character) => (SEPARATORS.includes(character) ? " " : character)).join("");
}

function normal(text: string): string {
  return nfc(text).toLowerCase().trim();
}
