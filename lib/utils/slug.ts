const SLUG_MAX = 80;
/** WordPress keeps this much of a slug, with each byte of another script as three characters. */
const ENCODED_SLUG_MAX = 200;

/**
 * The slug requested for a new post: letters and digits of any script, joined by hyphens, as many whole words as WordPress
 * keeps. Latin letters lose their accents, as in WordPress' remove_accents for en_US.
 */
export function permalinkSlug(title: string): string {
  const [first = "", ...words] = slugWords(title);
  let slug = "";
  for (const letter of first) {
    if (!isShort(slug + letter)) return slug;
    slug += letter;
  }
  for (const word of words) {
    if (!isShort(`${slug}-${word}`)) return slug;
    slug += `-${word}`;
  }
  return slug;
}

/** A slug that the user has typed, as WordPress stores it; undefined if it would shorten it. Empty: it has no letter or digit. */
export function typedSlug(text: string): string | undefined {
  const slug = slugWords(text).join("-");
  return encodeURIComponent(slug).length <= ENCODED_SLUG_MAX ? slug : undefined;
}

function slugWords(text: string): string[] {
  return withoutAccents(text.normalize("NFKC"))
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
}

function isShort(slug: string): boolean {
  return slug.length <= SLUG_MAX && encodeURIComponent(slug).length <= ENCODED_SLUG_MAX;
}

function withoutAccents(text: string): string {
  return text
    .normalize("NFD")
    .replace(/([a-z])\p{M}+/giu, "$1")
    .normalize("NFC")
    .replace(LETTERS, (letter) => PLAIN[letter.toLowerCase()] ?? letter);
}

/** Latin letters that are no letter with an accent. */
const PLAIN: Record<string, string> = {
  ß: "s",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ĸ: "k",
  ł: "l",
  ŋ: "n",
  þ: "th",
  ŧ: "t",
};
const LETTERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "giu");
