import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { counted, NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** House rule: two pieces for one search compete, and neither of them gets all the links. */
export const keywordElsewhere: Rule = {
  name: "Focus keyword of this piece alone",
  why: "Two pieces for the same search compete with each other.",
  judge({ keyword, others }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    if (!others) return unknown("The other pieces of the project are not known yet.");
    const same = others.filter(({ focusKeyword }) => focusKeyword !== null && keyword.isSameAs(focusKeyword));
    const [first] = same;
    if (!first) return good(0, "No other piece of the project has this focus keyword.");
    const more = same.length > 1 ? ` and ${counted(same.length - 1, "more piece")}` : "";
    return poor(
      same.length,
      `“${first.title}”${more} ${same.length > 1 ? "have" : "has"} the same focus keyword.`,
      "Choose a narrower one for this piece, or make one piece of them.",
    );
  },
};
