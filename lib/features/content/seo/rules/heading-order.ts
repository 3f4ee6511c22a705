import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { counted } from "@/lib/features/content/seo/wording";

/** Source: WCAG 2.2, technique G141, "Organizing a page using headings". The title is the one heading of level 1. */
export const headingOrder: Rule = {
  name: "Order of the headings",
  why: "Screen readers and search engines read the headings as a table of contents.",
  judge({ headings }) {
    if (headings.length === 0) return unknown("There is no heading.");
    const wrong = headings.filter(({ level }, at) => level === 1 || level > (headings[at - 1]?.level ?? level) + 1);
    if (wrong.length === 0) return good(0, "Each heading is at most one level below the one before it.");
    return poor(
      wrong.length,
      `${counted(wrong.length, "heading skips", "headings skip")} a level, or ${wrong.length === 1 ? "has" : "have"} the level of the title.`,
      "Begin with level 2, and go down one level at a time.",
      wrong,
    );
  },
};
