/** NUL and lone surrogates, which Postgres does not store. */
export const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** A text from elsewhere made fit to be stored: NFC, without NUL; a lone surrogate becomes the replacement character. */
export function storable(value: string): string {
  return value
    .replace(new RegExp(UNSTORABLE, "g"), (character) => (character === "\0" ? "" : "\uFFFD"))
    .normalize("NFC");
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
    .normalize("NFKC")
    .toLocaleLowerCase("en-US")
    .replace(/[^\p{L}\p{N}\s]+/gu, " ")
    .split(/\s+/)
    .filter(Boolean);
  return words.sort().join(" ");
}

/** One form for comparing keywords: whatever their case and spaces. */
export function keywordKey(value: string): string {
  return value.normalize("NFC").toLocaleLowerCase("en-US").trim().replace(/\s+/g, " ");
}
