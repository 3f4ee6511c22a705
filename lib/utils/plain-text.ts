import { storable, storableUpTo } from "@/lib/utils/text";

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  laquo: "«",
  raquo: "»",
};

/** `R&amp;D` → `R&D`. Unknown references stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (reference, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? reference;
    const codePoint = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference;
  });
}

/** Plain, storable text of at most 300 characters: some plugins answer in HTML. */
export function plainSentence(html: string): string {
  const text = storable(decodeEntities(html.slice(0, 5_000).replace(/<[^<>]*>/g, " ")))
    .replace(/\s+/g, " ")
    .trim();
  return text.length > 300 ? `${storableUpTo(text, 299)}…` : text;
}
