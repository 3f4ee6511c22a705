import { assessments, ContentAssessor, Paper, SeoAssessor } from "yoastseo";
import german from "yoastseo/build/languageProcessing/languages/de/Researcher.js";
import english from "yoastseo/build/languageProcessing/languages/en/Researcher.js";
import { TITLE_SIZE } from "@/lib/features/content/seo/limits";
import type { RuleId } from "@/lib/features/content/seo/rules";
import { widthOf } from "@/lib/features/content/seo/widths";
import { type Article, SITE } from "@/tests/bench/seo/articles";

/** `said`: its feedback. */
export type Theirs = { isGood: boolean; said: string };

/** Their name of each rule that both have. */
const ASSESSMENTS = {
  "keyword-in-title": "keyphraseInSEOTitle",
  "keyword-in-slug": "slugKeyword",
  "keyword-in-first-paragraph": "introductionKeyword",
  "keyword-in-headings": "subheadingsKeyword",
  "keyword-in-meta-description": "metaDescriptionKeyword",
  "keyword-in-alternatives": "imageKeyphrase",
  "keyword-density": "keyphraseDensity",
  "title-length": "titleWidth",
  "meta-description-length": "metaDescriptionLength",
  "text-length": "textLength",
  "heading-distance": "subheadingsTooLong",
  "paragraph-length": "textParagraphTooLong",
  "sentence-length": "textSentenceLength",
  "reading-ease": "flesch",
  "passive-voice": "passiveVoice",
  "transition-words": "textTransitionWords",
  "internal-links": "internalLinks",
  "outbound-links": "externalLinks",
  "picture-alternatives": "imageAltTags",
} satisfies Partial<Record<RuleId, string>>;

export type SharedRule = keyof typeof ASSESSMENTS;
export const SHARED_RULES = Object.keys(ASSESSMENTS) as SharedRule[];

/** Above this score a bullet of Yoast's is green. */
const GREEN_ABOVE = 7;
/** Where its insights begin to call a text easy enough. It has no assessment of it. */
const EASY = 60;

/** What yoastseo says of an article, by our name of the rule. It is made once, as in its own worker. */
export function createYoast(
  language: Article["language"],
): (article: Article, html: string) => Map<SharedRule, Theirs> {
  const { default: Researcher } = { en: english, de: german }[language];
  const researcher = new Researcher(new Paper("", {}));
  const assessors = [new SeoAssessor(researcher), new ContentAssessor(researcher)];
  const alternatives = new assessments.seo.ImageAltTagsAssessment();

  return ({ title, slug, description, keyword }, html) => {
    const paper = new Paper(html, {
      keyword,
      slug,
      description,
      title,
      // A browser measures it for them.
      titleWidth: Math.round(widthOf(title, TITLE_SIZE)),
      locale: { en: "en_US", de: "de_DE" }[language],
      permalink: `https://${SITE}/${slug}`,
    });
    for (const assessor of assessors) assessor.assess(paper);
    const results = [
      ...assessors.flatMap((assessor) => assessor.getValidResults()),
      alternatives.getResult(paper, researcher),
    ];
    const flesch = researcher.getResearch("getFleschReadingScore").score;
    const theirs = new Map<string, Theirs>(
      results.map((result) => [
        result.getIdentifier() || "imageAltTags",
        { isGood: result.getScore() > GREEN_ABOVE, said: result.getText().replace(/<[^>]*>/g, "") },
      ]),
    );
    theirs.set("flesch", { isGood: flesch >= EASY, said: `Flesch reading ease: ${flesch}.` });
    return new Map(
      SHARED_RULES.flatMap((rule) => {
        const verdict = theirs.get(ASSESSMENTS[rule]);
        return verdict ? [[rule, verdict] as const] : [];
      }),
    );
  };
}
