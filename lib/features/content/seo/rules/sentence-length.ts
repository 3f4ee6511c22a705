import { fair, good, poor, type Rule, rounded, unknown } from "@/lib/features/content/seo/rule";
import { hasUnspaced } from "@/lib/utils/words";

const LONG = 20;

/** Source: Yoast, "Sentence length": at most 25 percent of the sentences have more than 20 words. */
export const sentenceLength: Rule = {
  name: "Length of the sentences",
  why: "Readers lose the thread of a long sentence.",
  judge({ sentences }) {
    if (sentences.length === 0) return unknown("There is no sentence yet.");
    const unspaced = sentences.filter(({ text }) => hasUnspaced(text)).length;
    if (unspaced * 2 > sentences.length)
      return unknown("This rule counts words, and this script puts no spaces between them.");
    const long = sentences.filter(({ words }) => words > LONG);
    const percent = (long.length / sentences.length) * 100;
    const value = rounded(percent);
    const what = `${value}% of the sentences have more than ${LONG} words.`;
    if (percent <= 25) return good(value, what);
    const mend = "Divide the longest ones.";
    return percent <= 30 ? fair(value, what, mend, long) : poor(value, what, mend, long);
  },
};
