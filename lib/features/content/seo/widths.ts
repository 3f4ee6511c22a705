import { eastAsianWidth } from "get-east-asian-width";

/**
 * The widths of Helvetica's characters in 1,000ths of its size, from Adobe's AFM file; Arial has the same. A letter with an
 * accent is as wide as the letter.
 */
const CHARACTERS: Record<number, string> = {
  191: "'",
  222: "ijlł‘’‚",
  260: "|¦",
  278: " !,./:;I[\\]ftıìíîïīĩÌÍÎÏĪĨİ·\u00A0",
  333: "()-r`“”„‹›¡²³¹´¨¸‐",
  334: "{}",
  350: "•",
  355: '"',
  365: "º",
  370: "ª",
  389: "*",
  400: "°",
  469: "^",
  500: "Jcksvxyz",
  537: "¶",
  556: "#$0123456789?L_abdeghnopquŁ–¢£¥§¤«»†‡€ðµđ",
  584: "+<=>~×÷±−¬",
  611: "FTZ¿øß",
  667: "&ABEKPSVXYÞ",
  722: "CDHNRUwÐĐ",
  737: "©®",
  778: "GOQØ",
  833: "Mm",
  834: "¼½¾",
  889: "%æ",
  944: "Wœ",
  1000: "—…ÆŒ‰™",
  1015: "@",
};

const WIDTHS = new Map(
  Object.entries(CHARACTERS).flatMap(([width, characters]) => [...characters].map((each) => [each, Number(width)])),
);
const [WIDE, OTHER] = [1000, 556];
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** About how wide a text is in a search engine's list, in pixels, at a font size in pixels. */
export function widthOf(text: string, size: number): number {
  let thousandths = 0;
  for (const character of text.normalize("NFC")) thousandths += widthOfCharacter(character);
  return (thousandths * size) / 1000;
}

function widthOfCharacter(character: string): number {
  const [letter = ""] = character.normalize("NFD");
  const known = WIDTHS.get(character) ?? WIDTHS.get(letter);
  if (known !== undefined) return known;
  if (UNSEEN.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0) === 2 ? WIDE : OTHER;
}
