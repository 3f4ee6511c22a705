import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { counted, NO_KEYWORD } from "@/lib/features/content/seo/wording";

/** Source: Google Search Central, "Google image SEO best practices". */
export const keywordInAlternatives: Rule = {
  name: "Focus keyword in a picture's alternative text",
  why: "Image search finds a picture by its alternative text.",
  judge({ keyword, pictures }) {
    if (!keyword) return poor(null, NO_KEYWORD.what, NO_KEYWORD.mend);
    if (pictures.length === 0) return unknown("There is no picture.");
    const count = pictures.filter(({ alternative }) => keyword.occurrencesIn(alternative) > 0).length;
    if (count > 0)
      return good(count, `The alternative text of ${counted(count, "picture has", "pictures has")} the focus keyword.`);
    return poor(
      0,
      "No picture has the focus keyword in its alternative text.",
      "If a picture shows it, say so in the alternative text.",
      pictures.slice(0, 1),
    );
  },
};
