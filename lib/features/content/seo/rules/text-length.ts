import { fair, good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { counted } from "@/lib/features/content/seo/wording";

/** Source: Yoast, "Text length": at least 300 words. */
export const textLength: Rule = {
  name: "Length of the text",
  why: "A very short text seldom answers a question whole.",
  judge({ words }) {
    const what = `The text has ${counted(words, "word")}.`;
    if (words >= 300) return good(words, what);
    const mend = "Write at least 300 words, if the subject has so much to say.";
    return words >= 200 ? fair(words, what, mend) : poor(words, what, mend);
  },
};
