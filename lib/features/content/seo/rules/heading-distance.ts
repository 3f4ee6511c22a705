import { type Block, isHeading } from "@/lib/features/content/seo/material";
import { fair, good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";

/** Source: Yoast, "Subheading distribution": at most 300 words, and up to 350 are nearly right. */
export const headingDistance: Rule = {
  name: "Words between headings",
  why: "Readers who skim need a heading to hold on to.",
  judge({ blocks, paragraphs }) {
    if (paragraphs.length === 0) return unknown("There is no paragraph yet.");
    const stretches: Block[][] = [[]];
    for (const block of blocks) {
      if (isHeading(block)) stretches.push([]);
      else stretches.at(-1)?.push(block);
    }
    const sums = stretches.map((stretch) => stretch.reduce((sum, { words }) => sum + words, 0));
    const value = Math.max(...sums);
    const what = `The longest stretch without a heading has ${value.toLocaleString("en-US")} words.`;
    if (value <= 300) return good(value, what);
    const long = stretches[sums.indexOf(value)] ?? [];
    const places = long.slice(0, 1).map(({ from }) => ({ from, to: long.at(-1)?.to ?? from }));
    const mend = "Divide it by a heading.";
    return value <= 350 ? fair(value, what, mend, places) : poor(value, what, mend, places);
  },
};
