import { good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Google Search Central, "URL structure best practices": words that people read, instead of numbers. */
export const keywordInSlug: Rule = {
  name: "Focus keyword in the slug",
  why: "People read the address before they open it.",
  judge({ keyword, slug }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    const { of, found } = keyword.inSlug(slug);
    if (found === of) return good(found, "The slug has the words of the focus keyword.");
    const what =
      of === 1
        ? "The slug does not have the focus keyword."
        : `The slug has ${found} of the ${of} words of the focus keyword.`;
    return poor(found, what, "Write a slug with these words. For a live post, weigh this against its new address.");
  },
};
