/**
 * Phrases that sound machine-made. Prompts forbid them and finished texts are checked; a rewrite costs a call, so it is
 * the user's choice.
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

/** Returns each phrase once, in the list's order; inflected forms ("delves", "unlocking") count. */
export function findStockPhrases(text: string): string[] {
  const plain = text.replace(/[\u2018\u2019]/g, "'").replace(/\s+/g, " ");
  return PATTERNS.filter(({ pattern }) => pattern.test(plain)).map(({ phrase }) => phrase);
}

const PATTERNS = STOCK_PHRASES.map((phrase) => ({ phrase, pattern: patternOf(phrase) }));

function patternOf(phrase: string): RegExp {
  const stem = phrase.replace(/e$/, "");
  const ending = phrase.includes(" ") ? "" : "(?:e|es|ed|s|ing)?";
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${stem}${phrase.includes(" ") ? phrase.slice(stem.length) : ending}(?![\\p{L}\\p{N}])`,
    "iu",
  );
}
