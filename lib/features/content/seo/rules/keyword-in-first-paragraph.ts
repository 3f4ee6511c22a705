import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Yoast, "Keyphrase in introduction". */
export const keywordInFirstParagraph: Rule = {
  name: "Focus keyword in the first paragraph",
  why: "Readers see at once that they have come to the right place.",
  judge({ keyword, paragraphs: [first] }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    if (!first) return unknown("There is no paragraph yet.");
    const count = keyword.occurrencesIn(first.prose);
    if (count > 0) return good(count, "The first paragraph has the focus keyword.");
    return poor(0, "The first paragraph does not have the focus keyword.", "Name in it what the text is about.", [
      first,
    ]);
  },
};
