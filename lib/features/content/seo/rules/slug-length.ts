import { fair, good, type Rule, unknown } from "@/lib/features/content/seo/rule";

const LONGEST = 75;

/** House rule: people read a short address whole, and it survives being copied. */
export const slugLength: Rule = {
  name: "Length of the slug",
  why: "People read a short address whole.",
  judge({ slug }) {
    const value = [...slug].length;
    if (value === 0) return unknown("There is no slug, and the title has no letters to make one from.");
    const what = `The slug has ${value} characters.`;
    return value <= LONGEST ? good(value, what) : fair(value, what, `Write one of at most ${LONGEST} characters.`);
  },
};
