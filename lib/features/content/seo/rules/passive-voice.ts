import { hasPassive } from "@/lib/features/content/seo/passive";
import { fair, good, poor, type Rule, rounded, unknown } from "@/lib/features/content/seo/rule";

const LEAST_SENTENCES = 5;

/** Source: Yoast, "Passive voice": at most 10 percent of the sentences. */
export const passiveVoice: Rule = {
  name: "Passive voice",
  why: "An active sentence says who does it, in fewer words.",
  judge({ language, sentences }) {
    if (language !== "en" && language !== "de") return unknown("This rule knows English and German alone.");
    if (sentences.length < LEAST_SENTENCES) return unknown(`The text has fewer than ${LEAST_SENTENCES} sentences.`);
    const passive = sentences.filter(({ text }) => hasPassive(text, language));
    const percent = (passive.length / sentences.length) * 100;
    const value = rounded(percent);
    const what = `${value}% of the sentences are in the passive.`;
    if (percent <= 10) return good(value, what);
    const mend = "Say who does it.";
    return percent <= 15 ? fair(value, what, mend, passive) : poor(value, what, mend, passive);
  },
};
