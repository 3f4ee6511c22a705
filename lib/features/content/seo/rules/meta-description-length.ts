import { DESCRIPTION_PIXELS, DESCRIPTION_SIZE } from "@/lib/features/content/seo/limits";
import { fair, good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { widthOf } from "@/lib/features/content/seo/widths";

/** About one line of two. */
const NARROW = 430;

/** Source: Google cuts a description by its width, at about 960 px on a desktop. */
export const metaDescriptionLength: Rule = {
  name: "Length of the meta description",
  why: "It is your answer to “why this result?”. Search engines cut what is too wide.",
  judge({ metaDescription }) {
    if (metaDescription === "")
      return poor(null, "There is no meta description.", "Say in one or two sentences what the reader gets.");
    const value = widthOf(metaDescription, DESCRIPTION_SIZE);
    const what = `The meta description is about ${Math.round(value)} of ${DESCRIPTION_PIXELS} pixels wide.`;
    if (value > DESCRIPTION_PIXELS) return poor(value, what, "Shorten it, or put what matters first.");
    if (value < NARROW) return fair(value, what, "There is room for a second sentence.");
    return good(value, what);
  },
};
