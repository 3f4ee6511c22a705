import { secretFinder } from "@/lib/utils/secret-in-text";

/** The password that a site is sent, to recognise it in what the site says. */
export type SiteSecret = {
  /** Finds it in any of its forms. */
  isIn(text: string): boolean;
  /** A parsed answer without it: addresses become null, other texts HIDDEN. */
  leftOutOf<Value>(value: Value): Value;
  /** Does it look like one that WordPress makes? */
  isApplicationPassword: boolean;
};

/** Replaces a site's words that quote the password. */
export const HIDDEN = "(hidden: it quotes your WordPress password)";

export function createSecret(password: string): SiteSecret {
  const isIn = secretFinder(password);
  return { isIn, leftOutOf, isApplicationPassword: /^[a-z0-9]{24}$/i.test(password.replace(/\s/g, "")) };

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

/** Fields of lib/wordpress/schema.ts that are null where the site gave nothing usable. */
const ADDRESSES = new Set(["link", "guid", "home", "url", "authorization"]);
/** A post's own texts are hashed only; the parts of a batch are read one by one. */
const NEVER_SHOWN = new Set(["title", "content", "body"]);
