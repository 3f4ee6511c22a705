import { decodeEntities } from "@/lib/utils/plain-text";

/**
 * Recognises a secret in somebody else's words: as it is, without spaces, escaped for HTML, addresses or JSON, or in base64,
 * also cut off by the text's end. With `run`, so many of its characters in a row are enough.
 */
export function secretFinder(secret: string, run = Number.POSITIVE_INFINITY): (words: string) => boolean {
  const secrets = [...new Set([secret, decoded(secret)].map(bare))].filter(({ length }) => length >= MIN_LENGTH);
  const parts = new Set(secrets.flatMap((one) => runsOf(one, run)));

  return function isIn(words) {
    if (secrets.length === 0) return false;
    const text = words.slice(0, MAX_TEXT);
    const plain = ESCAPES.test(text) ? decoded(text) : text;
    const forms = [text, ...(plain === text ? [] : [plain, ...fromBase64(plain)]), ...fromBase64(text)].map(bare);
    return forms.some(
      (form) =>
        secrets.some((one) => form.includes(one) || endsInside(form, one)) ||
        runsOf(form, run).some((part) => parts.has(part)),
    );
  };
}

/** No application password is shorter, and a shorter word may stand anywhere. */
const MIN_LENGTH = 6;
/** More than we keep of any text of a site or a provider. */
const MAX_TEXT = 10_000;
/** A beginning of at least so many characters gives the rest away. */
const MIN_PREFIX = 12;

/** Each `length` characters in a row. */
function runsOf(text: string, length: number): string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, from) => text.slice(from, from + length));
}

function endsInside(text: string, secret: string): boolean {
  for (let length = secret.length - 1; length >= MIN_PREFIX; length--) {
    if (text.endsWith(secret.slice(0, length))) return true;
  }
  return false;
}

/** Removes what may stand between the characters, and lower-cases, as host names are in lower case. */
function bare(text: string): string {
  return text.replace(/[\s+\p{Cc}\p{Cf}]/gu, "").toLowerCase();
}

const ESCAPES = /[&<%\\]/;
/** Layers of escapes on top of each other. */
const MAX_LAYERS = 3;

function decoded(text: string): string {
  let plain = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const before = plain;
    plain = decodeEntities(before)
      .replace(/<[^<>]*>/g, "")
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString())
      .replace(/\\(?:u([0-9a-f]{4})|(["'\\/]))/gi, (_escape, hex?: string, itself?: string) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (itself ?? ""),
      );
    if (plain === before) break;
  }
  return plain;
}

/** What may be meant by anything that looks like base64, wherever in it the encoded text begins. */
function fromBase64(text: string): string[] {
  return (text.match(/[\w+/-]{12,}/g) ?? []).flatMap((token) =>
    [0, 1, 2, 3].map((from) => Buffer.from(token.slice(from), "base64").toString()),
  );
}
