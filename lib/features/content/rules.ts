import { isHomeOfSite, isSameSite } from "@/lib/utils/site-address";
import { countWords, isBlank } from "@/lib/utils/text";

export { countWords };

export const TITLE_MAX = 300;
export const BODY_MAX = 500_000;
export const OUTLINE_MAX = 100_000;
export const SEARCH_MAX = 300;
/** Pieces of one project: as many titles are read to keep new ideas from repeating them. */
export const MAX_PIECES = 10_000;

/**
 * Where a piece's post stands, seen from the person's site of today. "unknown": the piece was published to some site, and
 * nobody has looked yet whether the address entered since leads to it.
 */
export const WP_PLACES = ["none", "here", "elsewhere", "unknown"] as const;
export type WpPlace = (typeof WP_PLACES)[number];

/** `wpSite`: the REST root the piece was published to. */
export function wpPlaceOf(
  wpSite: string | null,
  { wordpressUrl, wordpressSite }: { wordpressUrl: string | null; wordpressSite: string | null },
): WpPlace {
  if (wpSite === null) return "none";
  if (wordpressSite !== null) return isSameSite(wpSite, wordpressSite) ? "here" : "elsewhere";
  return wordpressUrl !== null && isHomeOfSite(wordpressUrl, wpSite) ? "here" : "unknown";
}

/** Publishable: it has body text and is more than a title. */
export function isPublishable(piece: { isTitleOnly: boolean; hasBody: boolean }): boolean {
  return piece.hasBody && !piece.isTitleOnly;
}

/** Non-overlapping, case-insensitive occurrences of the trimmed title ÷ words × 100, two decimals. */
export function titleDensity(title: string, body: string): string {
  const phrase = title.trim().toLowerCase();
  if (phrase === "") return "0.00";
  const occurrences = body.toLowerCase().split(phrase).length - 1;
  return ((occurrences / body.trim().split(/\s+/).length) * 100).toFixed(2);
}

/** Code points of a snippet. */
export const EXCERPT_MAX = 160;

/** The first 160 code points of the body as it is stored. */
export function snippet(body: string): string {
  return [...body.slice(0, 2 * EXCERPT_MAX)].slice(0, EXCERPT_MAX).join("");
}

/** How a revision's text begins: its body, or without one its outline; null when it has neither. */
export function excerptOf(body: string, outline: string | null): { of: "body" | "outline"; text: string } | null {
  if (!isBlank(body)) return { of: "body", text: snippet(body) };
  return outline !== null && !isBlank(outline) ? { of: "outline", text: snippet(outline) } : null;
}

/** Lower case, each run of spaces one hyphen, nothing else. */
export function slugOf(title: string): string {
  return title.toLowerCase().replace(/ +/g, "-");
}

/** How fast adults read English non-fiction in silence (Brysbaert 2019, doi 10.1016/j.jml.2019.104047). */
const WORDS_A_MINUTE = 238;
/** The same pace at some 1.7 characters a word; an estimate, for Chinese and Japanese have no spaces to count words by. */
const CHARACTERS_A_MINUTE = 400;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60]+/gu;

/** Whole minutes it takes to read a text, the last one begun; none for a blank one. */
export function readingMinutes(text: string): number {
  let characters = 0;
  const spaced = text.replace(UNSPACED, (run) => {
    characters += run.length;
    return " ";
  });
  return Math.ceil(countWords(spaced) / WORDS_A_MINUTE + characters / CHARACTERS_A_MINUTE);
}

/** What an outline is made of: its sections, and the points listed under them. */
export function outlineFigures(outline: string): { sections: number; points: number } {
  return {
    sections: outline.match(/^##\s/gm)?.length ?? 0,
    points: outline.match(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/gm)?.length ?? 0,
  };
}
