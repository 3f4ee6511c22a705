import { chunksOf, hasLongRun, nfc, withoutLongRuns } from "@/lib/utils/normal-form";

/** NUL and lone surrogates, which Postgres does not store. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Why a text is not taken: characters Postgres does not store, or too many marks in a row. */
export type Unfit = "characters" | "marks";

/**
 * A person's text in NFC, or what is wrong with it. Checked and normalised chunk by chunk until the result is longer than
 * `enough`: what comes after that is not looked at.
 */
export function readText(value: string, enough: number): { text: string } | { unfit: Unfit } {
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
 * A text from elsewhere made fit to be stored, never refused: NFC, without NUL; a lone surrogate becomes the replacement
 * character, and a long run of marks is cut.
 */
export function storable(value: string): string {
  const clean = value.replace(new RegExp(UNSTORABLE, "g"), (character) => (character === "\0" ? "" : "\uFFFD"));
  // A mark can be short for two, so the run may be longer once it is normalised.
  return withoutLongRuns(nfc(withoutLongRuns(clean)));
}

/** The beginning of a text from elsewhere, fit to be stored, of `max` UTF-16 units at most and no half characters. */
export function storableUpTo(value: string, max: number): string {
  return storable(value.slice(0, 4 * max))
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, "");
}

/** Without the unwanted characters at its end. `/[…]+$/` would take quadratic time: it starts at each character of a run. */
export function withoutEnd(value: string, unwanted: RegExp): string {
  let end = value.length;
  while (end > 0 && unwanted.test(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

/** Blank: nothing but white space. */
export function isBlank(value: string | null | undefined): boolean {
  return !value || value.trim() === "";
}

/** Words as the SEO tab counts them: trimmed text split on white space; blank is 0. */
export function countWords(value: string): number {
  const trimmed = value.trim();
  return trimmed === "" ? 0 : trimmed.split(/\s+/).length;
}

/** One form for comparing two short texts whatever their case, spacing, punctuation and word order. */
export function fingerprint(value: string): string {
  const words = value
    .slice(0, FINGERPRINT_MAX)
    .normalize("NFKC")
    .toLocaleLowerCase("en-US")
    .replace(/[^\p{L}\p{N}\s]+/gu, " ")
    .split(/\s+/)
    .filter(Boolean);
  return words.sort().join(" ");
}

/** Longer than any title. NFKC makes marks of letters that are none, so its input has a length instead. */
const FINGERPRINT_MAX = 1_000;

/** One form for comparing keywords: whatever their case and spaces. */
export function keywordKey(value: string): string {
  return nfc(value).toLocaleLowerCase("en-US").trim().replace(/\s+/g, " ");
}
