import { fair, good, poor, type Rule, rounded, unknown } from "@/lib/features/content/seo/rule";
import { hasTransition } from "@/lib/features/content/seo/transitions";

const LEAST_SENTENCES = 10;

/** Source: Yoast, "Transition words": at least 30 percent of the sentences. */
export const transitionWords: Rule = {
  name: "Transition words",
  why: "“However” and “because” show the reader how thoughts belong together.",
  judge({ language, sentences }) {
    if (language !== "en" && language !== "de") return unknown("This rule knows English and German alone.");
    if (sentences.length < LEAST_SENTENCES) return unknown(`The text has fewer than ${LEAST_SENTENCES} sentences.`);
    const leading = sentences.filter(({ text }) => hasTransition(text, language)).length;
    const percent = (leading / sentences.length) * 100;
    const value = rounded(percent);
    const what = `${value}% of the sentences have a transition word.`;
    if (percent >= 30) return good(value, what);
    const mend = "Say how a sentence follows from the one before: “because”, “however”, “for example”.";
    return percent >= 20 ? fair(value, what, mend) : poor(value, what, mend);
  },
};
