import { good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Google Search Central, "Influencing your title links in search results". */
export const keywordInTitle: Rule = {
  name: "Focus keyword in the SEO title",
  why: "The title is the first thing that people read in a list of results.",
  judge({ keyword, seoTitle }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    const count = keyword.occurrencesIn(seoTitle);
    if (count > 0) return good(count, "The SEO title has the focus keyword.");
    return poor(0, "The SEO title does not have the focus keyword.", "Put it into the title, near its beginning.");
  },
};
