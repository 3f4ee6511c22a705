import { syllable } from "syllable";

/** How many syllables a word has in English or German; at least one. */
export function syllablesOf(word: string, language: "en" | "de"): number {
  return Math.max(1, language === "en" ? syllable(word) : germanSyllables(word));
}

/** Two vowels of one syllable. Where a word was put together, as in "beantworten", they are two, and these pairs are not among them. */
const DIPHTHONG = /(?:ge|be)(?=[aeiouäöü](?!u|i))|au|äu|ei|eu|ai|ie|ee|aa|oo|ey|ay|[aeiouyäöü]/g;
/** An ending of two syllables that looks like one: "Museum", "Familie", "Linien". */
const TWO = /(?:eum|[dlmnrtz]ie[ns]?)$/;
/** Words of one syllable, and the stressed "ie" of foreign words, which end like those. */
const ONE = /(?:^.{0,3}ie[ns]?|[gst]rie|omie|ogie|phie|pathie|astie|antie|ratie|atie|ernie|rgie|onie|asie)[ns]?$/;

/** House rule: counts vowels, and diphthongs as one. */
function germanSyllables(word: string): number {
  const letters = word.toLowerCase().normalize("NFC");
  const count = letters.match(DIPHTHONG)?.length ?? 0;
  return count + (TWO.test(letters) && !ONE.test(letters) ? 1 : 0);
}
