import { decodeEntities } from "@/lib/wordpress/entities";

/** The password that a site is sent, to recognise it in what the site says. */
export type SiteSecret = {
  /** Finds it as it is, without spaces, escaped for HTML, addresses or JSON, or in base64, also cut off by the text's end. */
  isIn(text: string): boolean;
  /** A parsed answer without it: addresses become null, other texts HIDDEN. */
  leftOutOf<Value>(value: Value): Value;
  /** Does it look like one that WordPress makes? */
  isApplicationPassword: boolean;
};

/** Replaces a site's words that quote the password. */
export const HIDDEN = "(hidden: it quotes your WordPress password)";

export function createSecret(password: string): SiteSecret {
  const secrets = [...new Set([password, decoded(password)].map(bare))].filter(({ length }) => length >= MIN_LENGTH);
  return { isIn, leftOutOf, isApplicationPassword: /^[a-z0-9]{24}$/i.test(password.replace(/\s/g, "")) };

  function isIn(words: string): boolean {
    if (secrets.length === 0) return false;
    const text = words.slice(0, MAX_TEXT);
    const plain = ESCAPES.test(text) ? decoded(text) : text;
    const forms = [text, ...(plain === text ? [] : [plain, ...fromBase64(plain)]), ...fromBase64(text)];
    return forms.map(bare).some((form) => secrets.some((secret) => form.includes(secret) || endsInside(form, secret)));
  }

  function leftOutOf<Value>(value: Value, name = ""): Value {
    if (typeof value === "string") {
      if (!isIn(value)) return value;
      return (ADDRESSES.has(name) ? null : HIDDEN) as Value;
    }
    if (Array.isArray(value)) return value.map((item: unknown) => leftOutOf(item, name)) as Value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => [
      key,
      NEVER_SHOWN.has(key) ? part : leftOutOf(part, key),
    ]);
    return Object.fromEntries(entries) as Value;
  }
}

/** No application password is shorter, and a shorter word may stand anywhere. */
const MIN_LENGTH = 6;
/** More than we keep of any text of a site. */
const MAX_TEXT = 10_000;
/** A beginning of at least so many characters gives the rest away. */
const MIN_PREFIX = 12;
/** Fields of lib/wordpress/schema.ts that are null where the site gave nothing usable. */
const ADDRESSES = new Set(["link", "guid", "home", "url"]);
/** A post's own texts are hashed only; the parts of a batch are read one by one. */
const NEVER_SHOWN = new Set(["title", "content", "body"]);

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
