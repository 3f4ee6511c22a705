import "@/lib/utils/zod-in-browser";
import { z } from "zod";

const REFUSED = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Text a person typed: trimmed, NFC, without NUL or lone surrogates (Postgres stores neither). Lengths are measured after trimming. */
export function text(max: number, min = 0) {
  return (
    z
      .string()
      .refine((value) => !REFUSED.test(value), "This text has characters that cannot be stored.")
      // For the API document: what comes in is a string of these bounds.
      .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
      .transform((value) => value.trim().normalize("NFC"))
      .pipe(
        z
          .string()
          .min(min, min === 1 ? "This field is required." : `Use at least ${min} characters.`)
          .max(max, `Use at most ${max.toLocaleString("en-US")} characters.`),
      )
  );
}

/** A text from elsewhere made fit to be stored: NFC, without NUL; a lone surrogate becomes the replacement character. */
export function storable(value: string): string {
  return value.replace(new RegExp(REFUSED, "g"), (character) => (character === "\0" ? "" : "\uFFFD")).normalize("NFC");
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
