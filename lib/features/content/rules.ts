import { countWords, isBlank } from "@/lib/utils/text";
import { isHomeOf } from "@/lib/wordpress/site-address";

export const TITLE_MAX = 300;
export const BODY_MAX = 500_000;
export const OUTLINE_MAX = 100_000;
export const SEARCH_MAX = 300;
export const KEYWORD_MAX = 200;
export const META_TITLE_MAX = 300;
export const META_DESCRIPTION_MAX = 1_000;
export const EXCERPT_MAX = 2_000;
/** WordPress keeps less of most: see lib/utils/slug.ts. */
export const SLUG_MAX = 200;
/** Pieces in a project; the prompt for new ideas lists all their titles. */
export const MAX_PIECES = 10_000;

/** A pause this long ends an edit session; a session is one revision. */
export const EDIT_SESSION_GAP = "5 minutes";
/** A text shorter than this may be rewritten from scratch, and is not being lost by degrees. */
export const SHORT_TEXT = 50;
/** The newest revisions of a piece always stay. */
export const KEPT_REVISIONS = 50;
/** The last older revision of each day stays for this long, then the last of each month. */
export const KEPT_DAILY_FOR = "30 days";

/**
 * Where a piece's post is, seen from its project's site. "unknown": it was published to some site, and the address entered for
 * that since has not been looked up yet.
 */
export const WP_PLACES = ["none", "here", "elsewhere", "unknown"] as const;
export type WpPlace = (typeof WP_PLACES)[number];

/** `wpPostId`: its post on the site; `hasPosts`: it has one on some site. A site that is not connected any more stays known. */
export function wpPlaceOf({
  wpPostId,
  hasPosts,
  siteUrl,
  siteRoot,
  sitePlace,
}: {
  wpPostId: string | null;
  hasPosts: boolean;
  siteUrl: string | null;
  siteRoot: string | null;
  sitePlace: string | null;
}): WpPlace {
  if (!hasPosts) return "none";
  const isKnown = siteRoot !== null || (sitePlace !== null && (siteUrl === null || isHomeOf(siteUrl, sitePlace)));
  if (!isKnown) return "unknown";
  return wpPostId === null ? "elsewhere" : "here";
}

/** Non-overlapping, case-insensitive occurrences of the trimmed title ÷ words × 100, two decimals. */
export function titleDensity(title: string, body: string): string {
  const phrase = title.trim().toLowerCase();
  if (phrase === "") return "0.00";
  const occurrences = body.toLowerCase().split(phrase).length - 1;
  return ((occurrences / body.trim().split(/\s+/).length) * 100).toFixed(2);
}

/** Code points of a snippet. */
export const SNIPPET_MAX = 160;

/** The first 160 code points of the body as it is stored. */
export function snippet(body: string): string {
  return [...body.slice(0, 2 * SNIPPET_MAX)].slice(0, SNIPPET_MAX).join("");
}

/** How a revision begins: its body, else its outline; null when it has neither. */
export function excerptOf(body: string, outline: string | null): { of: "body" | "outline"; text: string } | null {
  if (!isBlank(body)) return { of: "body", text: snippet(body) };
  return outline !== null && !isBlank(outline) ? { of: "outline", text: snippet(outline) } : null;
}

/** The title in lower case, with one hyphen for each run of spaces. */
export function slugOf(title: string): string {
  return title.toLowerCase().replace(/ +/g, "-");
}

/** How fast adults silently read English non-fiction (Brysbaert 2019, doi 10.1016/j.jml.2019.104047). */
const WORDS_PER_MINUTE = 238;
/** This is that pace at about 1.7 characters a word: Chinese and Japanese have no spaces to count words by. */
const CHARACTERS_PER_MINUTE = 400;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60]+/gu;

/** Minutes to read a text, rounded up; 0 for a blank one. */
export function readingMinutes(text: string): number {
  let characters = 0;
  const spaced = text.replace(UNSPACED, (run) => {
    characters += run.length;
    return " ";
  });
  return Math.ceil(countWords(spaced) / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE);
}

/** How many sections and list points an outline has. */
export function outlineFigures(outline: string): { sections: number; points: number } {
  return {
    sections: outline.match(/^##\s/gm)?.length ?? 0,
    points: outline.match(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/gm)?.length ?? 0,
  };
}
