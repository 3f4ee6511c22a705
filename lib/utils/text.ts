import { chunksOf, hasLongRun, nfc, withoutLongRuns } from "@/lib/utils/normal-form";

/** NUL and lone surrogates: Postgres stores neither. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Why a text is rejected: characters Postgres cannot store, or too many marks in a row. */
export type Unfit = "characters" | "marks";

/**
 * A user's text in NFC, or why it is rejected. Works chunk by chunk and stops once the result is longer than
 * `enough`.
 */
export function normalizeText(value: string, enough: number): { text: string } | { unfit: Unfit } {
  let text = "";
  for (const chunk of chunksOf(value)) {
    if (UNSTORABLE.test(chunk)) return { unfit: "characters" };
    if (hasLongRun(chunk)) return { unfit: "marks" };
    text += chunk.normalize("NFC");
    if (text.length > enough) break;
  }
  return { text };
}

/**
 * Makes outside text storable instead of rejecting it: NFC without NUL; lone surrogates become the replacement
 * character, long runs of marks are cut.
 */
export function storable(value: string): string {
  const clean = value.replace(new RegExp(UNSTORABLE, "g"), (character) => (character === "\0" ? "" : "\uFFFD"));
  // NFC can expand a mark, so cut again after normalising.
  return withoutLongRuns(nfc(withoutLongRuns(clean)));
}

/** The first `max` UTF-16 units, without half characters. */
export function storableUpTo(value: string, max: number): string {
  return storable(value.slice(0, 4 * max))
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, "");
}

/** `/[…]+$/` would take quadratic time: it starts at each character of a run. */
export function trimEndMatching(value: string, unwanted: RegExp): string {
  let end = value.length;
  while (end > 0 && unwanted.test(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

export function isBlank(value: string | null | undefined): boolean {
  return !value || value.trim() === "";
}

/** Counts as the SEO tab does: it splits on white space. */
export function countWords(value: string): number {
  const trimmed = value.trim();
  return trimmed === "" ? 0 : trimmed.split(/\s+/).length;
}

/**
 * A key to compare short texts by their words in order, regardless of case, spacing and punctuation. Marks of letters count,
 * and so do `+`, `#` and a dot before a word: "C++" is not "C", nor ".NET" "net".
 */
export function fingerprint(value: string): string {
  return comparedWords(value.slice(0, FINGERPRINT_MAX).normalize("NFKC").slice(0, FINGERPRINT_MAX)).join(" ");
}

/** The words of a text as `fingerprint` compares them, in the lower case of a language. */
export function comparedWords(text: string, language = "en"): string[] {
  const folded = text.normalize("NFKC").toLocaleLowerCase(language).replace(UNWRITTEN, "");
  return (folded.match(COMPARED_WORD) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/**
 * What a word may be written with or without: joiners and variation selectors, the points of Arabic and Hebrew and the
 * stretched line between Arabic letters. The dot is what lower case leaves of Turkish `İ`.
 */
const UNWRITTEN =
  /[\p{Default_Ignorable_Code_Point}\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]|(?<=i)\u0307/gu;
const COMPARED_WORD = /(?<![\p{L}\p{M}\p{N}+#.])\.[\p{L}\p{N}][\p{L}\p{M}\p{N}+#]*|[\p{L}\p{M}\p{N}+#]+/gu;

/**
 * This is longer than any title. It bounds the input, since NFKC can turn letters into marks, and what NFKC makes of it: up
 * to eighteen times as much.
 */
const FINGERPRINT_MAX = 1_000;

/** Characters of a description in the lists of our screens. */
export const DESCRIPTION_START = 300;

/** A description as a list shows it, with an ellipsis where it goes on. */
export function descriptionStart({
  description,
  descriptionCut,
}: {
  description: string | null;
  descriptionCut?: boolean | undefined;
}): string {
  return descriptionCut ? `${(description ?? "").trimEnd()}…` : (description ?? "");
}

/** A key to compare names regardless of case and spacing. */
export function comparisonKey(value: string): string {
  return nfc(value).toLocaleLowerCase("en-US").trim().replace(/\s+/g, " ");
}
