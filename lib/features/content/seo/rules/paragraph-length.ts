import { fair, good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";

/** Source: Yoast, "Paragraph length": at most 150 words, and up to 200 are nearly right. */
export const paragraphLength: Rule = {
  name: "Length of the paragraphs",
  why: "A long paragraph is a wall of text on a phone.",
  judge({ paragraphs }) {
    if (paragraphs.length === 0) return unknown("There is no paragraph yet.");
    const value = paragraphs.reduce((most, { words }) => Math.max(most, words), 0);
    const what = `The longest paragraph has ${value.toLocaleString("en-US")} words.`;
    if (value <= 150) return good(value, what);
    const places = paragraphs.filter(({ words }) => words > 150);
    const mend = "Divide it where a new thought begins.";
    return value <= 200 ? fair(value, what, mend, places) : poor(value, what, mend, places);
  },
};
