/**
 * Phrases that make a text sound machine-made. The prompts forbid them, and what is written is checked for them afterwards; a
 * rewrite is the person's choice, because it costs a call.
 */
export const STOCK_PHRASES = [
  "in today's fast-paced world",
  "in today's digital age",
  "in today's world",
  "in the ever-evolving landscape",
  "ever-changing landscape",
  "delve",
  "unlock",
  "unleash",
  "game-changer",
  "game changer",
  "in conclusion",
  "in summary",
  "look no further",
  "it's important to note",
  "it is important to note",
  "it's worth noting",
  "whether you're a beginner or",
  "take it to the next level",
  "to the next level",
  "embark on",
  "a testament to",
  "navigate the complexities",
  "navigating the complexities",
  "tapestry",
  "the world of",
  "dive into",
  "deep dive",
  "without further ado",
  "at the end of the day",
  "elevate your",
  "supercharge",
  "seamlessly",
  "cutting-edge",
  "state-of-the-art",
  "one-size-fits-all",
  "the power of",
  "rest assured",
  "buckle up",
] as const;

/** The stock phrases a text contains, each once, in the order of the list; inflected forms ("delves", "unlocking") count. */
export function findStockPhrases(text: string): string[] {
  const plain = text.replace(/[\u2018\u2019]/g, "'").replace(/\s+/g, " ");
  return STOCK_PHRASES.filter((phrase) => patternOf(phrase).test(plain));
}

function patternOf(phrase: string): RegExp {
  const stem = phrase.replace(/e$/, "");
  const ending = phrase.includes(" ") ? "" : "(?:e|es|ed|s|ing)?";
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${stem}${phrase.includes(" ") ? phrase.slice(stem.length) : ending}(?![\\p{L}\\p{N}])`,
    "iu",
  );
}
