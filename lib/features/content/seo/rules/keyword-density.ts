import { fair, good, poor, type Rule, rounded, unknown } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Below this many words one occurrence more or less would decide. */
const LEAST_WORDS = 100;

/** Source: Yoast, "Keyphrase density": 0.5 to 3 percent. */
export const keywordDensity: Rule = {
  name: "Focus keyword in the text",
  why: "A text about something names it now and then; one that repeats it all the time reads like an advertisement.",
  judge({ keyword, blocks, words }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    if (words < LEAST_WORDS) return unknown(`The text has fewer than ${LEAST_WORDS} words.`);
    const having = blocks
      .map((block) => ({ block, count: keyword.occurrencesIn(block.prose) }))
      .filter(({ count }) => count > 0);
    const count = having.reduce((sum, each) => sum + each.count, 0);
    const percent = (count / words) * 100;
    const value = rounded(percent);
    const what = `The focus keyword occurs ${count === 1 ? "once" : `${count.toLocaleString("en-US")} times`}: ${value} times in 100 words.`;
    const places = having.map(({ block: { from, to } }) => ({ from, to }));
    if (count === 0)
      return poor(0, "The focus keyword does not occur in the text.", "Use it where you would name it anyway.");
    if (percent > 4) return poor(value, what, "Replace some of them by other words for the same thing.", places);
    if (percent > 3) return fair(value, what, "Replace one or two of them by other words for the same thing.", places);
    if (percent < 0.5) return fair(value, what, "Use it a few times more, where you would name it anyway.", places);
    return good(value, what);
  },
};
