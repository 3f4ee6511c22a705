import { TITLE_PIXELS, TITLE_SIZE } from "@/lib/features/content/seo/limits";
import { fair, good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { widthOf } from "@/lib/features/content/seo/widths";

/** About a third of the line. */
const NARROW = 200;

/** Source: Google cuts a title by its width, at about 600 px on a desktop. */
export const titleLength: Rule = {
  name: "Length of the SEO title",
  why: "Search engines cut what is too wide, and a short title leaves room unused.",
  judge({ seoTitle }) {
    const value = widthOf(seoTitle, TITLE_SIZE);
    const what = `The SEO title is about ${Math.round(value)} of ${TITLE_PIXELS} pixels wide.`;
    if (value > TITLE_PIXELS) return poor(value, what, "Shorten it, or write a shorter SEO title beside it.");
    if (value < NARROW) return fair(value, what, "Say more: what the reader gets, or who it is for.");
    return good(value, what);
  },
};
