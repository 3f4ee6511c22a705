import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { counted, NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Yoast, "Keyphrase in subheadings". */
export const keywordInHeadings: Rule = {
  name: "Focus keyword in a heading",
  why: "People who skim the text read its headings alone.",
  judge({ keyword, headings }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    const looked = headings.filter(({ level }) => level === 2 || level === 3);
    if (looked.length === 0) return unknown("There is no heading of level 2 or 3.");
    const count = looked.filter(({ prose }) => keyword.occurrencesIn(prose) > 0).length;
    if (count > 0) return good(count, `${counted(count, "heading has", "headings have")} the focus keyword.`);
    return poor(
      0,
      "No heading of level 2 or 3 has the focus keyword.",
      "Use it in one of them, where it fits.",
      looked.slice(0, 1),
    );
  },
};
