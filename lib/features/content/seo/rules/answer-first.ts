import { fair, good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** The words by which the answer has begun, and the shortest lead that is one. */
const WITHIN = 60;
const LEAST_WORDS = 20;

/** House rule: people and answer engines quote what comes first. */
export const answerFirst: Rule = {
  name: "The answer first",
  why: "People and answer engines quote what stands at the beginning.",
  judge({ keyword, lead }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    const words = lead.reduce((sum, block) => sum + block.words, 0);
    const [first] = lead;
    if (!first) return unknown("There is no text before the first heading.");
    let before = 0;
    let value: number | null = null;
    for (const block of lead) {
      const place = keyword.placeIn(block.prose);
      if (place !== null) {
        value = before + place;
        break;
      }
      before += block.words;
    }
    if (value !== null && value <= WITHIN && words >= LEAST_WORDS)
      return good(value, `The text comes to its subject within ${WITHIN} words.`);
    const places = [{ from: first.from, to: lead.at(-1)?.to ?? first.to }];
    const mend = `Answer the question of the title in the first ${WITHIN} words, with the focus keyword.`;
    if (value === null)
      return fair(null, "The text before the first heading does not have the focus keyword.", mend, places);
    if (value > WITHIN) return fair(value, `The text comes to its subject after ${value - 1} words.`, mend, places);
    return fair(value, `The text before the first heading has fewer than ${LEAST_WORDS} words.`, mend, places);
  },
};
