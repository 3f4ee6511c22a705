import { good, poor, type Rule, unknown } from "@/lib/features/content/seo/rule";
import { counted } from "@/lib/features/content/seo/wording";

/** Source: WCAG 2.2, success criterion 1.1.1, "Non-text content". */
export const pictureAlternatives: Rule = {
  name: "Alternative texts of pictures",
  why: "Whoever does not see a picture gets its alternative text.",
  judge({ pictures }) {
    if (pictures.length === 0) return unknown("There is no picture.");
    const without = pictures.filter(({ alternative }) => alternative === "");
    if (without.length === 0) return good(0, "Each picture has an alternative text.");
    return poor(
      without.length,
      `${counted(without.length, "picture has", "pictures have")} no alternative text.`,
      "Say in a few words what the picture shows.",
      without,
    );
  },
};
