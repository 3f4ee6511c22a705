import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Yoast, "Keyphrase in meta description": search engines set in bold what was searched for. */
export const keywordInMetaDescription: Rule = {
  name: "Focus keyword in the meta description",
  why: "Search engines set the words that were searched for in bold.",
  judge({ keyword, metaDescription }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    if (metaDescription === "") return unknown("There is no meta description yet.");
    const count = keyword.occurrencesIn(metaDescription);
    if (count > 0) return good(count, "The meta description has the focus keyword.");
    return poor(0, "The meta description does not have the focus keyword.", "Use it once in the meta description.");
  },
};
