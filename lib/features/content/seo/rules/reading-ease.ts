import { fair, good, poor, type Rule, rounded, unknown } from "@/lib/features/content/seo/rule";
import { syllablesOf } from "@/lib/features/content/seo/syllables";

const LEAST_WORDS = 100;

/**
 * Sources: R. Flesch, "A new readability yardstick", Journal of Applied Psychology 32 (1948); for German T. Amstad, "Wie
 * verständlich sind unsere Zeitungen?" (1978).
 */
export const readingEase: Rule = {
  name: "Reading ease",
  why: "Short words and short sentences are read faster, by everybody.",
  judge({ language, sentences }) {
    if (language !== "en" && language !== "de") return unknown("This rule knows English and German alone.");
    const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0);
    if (words < LEAST_WORDS) return unknown(`The text has fewer than ${LEAST_WORDS} words.`);
    const syllables = sentences.reduce((sum, { text }) => sum + syllablesIn(text, language), 0);
    const [length, weight] = [words / sentences.length, syllables / words];
    const ease = language === "en" ? 206.835 - 1.015 * length - 84.6 * weight : 180 - length - 58.5 * weight;
    const value = rounded(ease);
    const what = `The Flesch reading ease is ${value} of 100.`;
    if (ease >= 60) return good(value, what);
    const mend = "Use shorter words, and divide long sentences.";
    const hardest = sentences.toSorted((a, b) => b.words - a.words).slice(0, 3);
    return ease >= 50 ? fair(value, what, mend, hardest) : poor(value, what, mend, hardest);
  },
};

function syllablesIn(text: string, language: "en" | "de"): number {
  let sum = 0;
  for (const word of text.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []) sum += syllablesOf(word.replace("’", "'"), language);
  return sum;
}
