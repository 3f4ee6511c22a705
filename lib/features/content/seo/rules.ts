import type { Rule } from "@/lib/features/content/seo/rule";
import { answerFirst } from "@/lib/features/content/seo/rules/answer-first";
import { headingDistance } from "@/lib/features/content/seo/rules/heading-distance";
import { headingOrder } from "@/lib/features/content/seo/rules/heading-order";
import { internalLinks } from "@/lib/features/content/seo/rules/internal-links";
import { keywordDensity } from "@/lib/features/content/seo/rules/keyword-density";
import { keywordElsewhere } from "@/lib/features/content/seo/rules/keyword-elsewhere";
import { keywordInAlternatives } from "@/lib/features/content/seo/rules/keyword-in-alternatives";
import { keywordInFirstParagraph } from "@/lib/features/content/seo/rules/keyword-in-first-paragraph";
import { keywordInHeadings } from "@/lib/features/content/seo/rules/keyword-in-headings";
import { keywordInMetaDescription } from "@/lib/features/content/seo/rules/keyword-in-meta-description";
import { keywordInSlug } from "@/lib/features/content/seo/rules/keyword-in-slug";
import { keywordInTitle } from "@/lib/features/content/seo/rules/keyword-in-title";
import { metaDescriptionLength } from "@/lib/features/content/seo/rules/meta-description-length";
import { outboundLinks } from "@/lib/features/content/seo/rules/outbound-links";
import { paragraphLength } from "@/lib/features/content/seo/rules/paragraph-length";
import { passiveVoice } from "@/lib/features/content/seo/rules/passive-voice";
import { pictureAlternatives } from "@/lib/features/content/seo/rules/picture-alternatives";
import { readingEase } from "@/lib/features/content/seo/rules/reading-ease";
import { sentenceLength } from "@/lib/features/content/seo/rules/sentence-length";
import { slugLength } from "@/lib/features/content/seo/rules/slug-length";
import { textLength } from "@/lib/features/content/seo/rules/text-length";
import { titleLength } from "@/lib/features/content/seo/rules/title-length";
import { transitionWords } from "@/lib/features/content/seo/rules/transition-words";

/** Every rule with its points, 100 in all. Record 0201 has their thresholds and sources. */
export const RULES = {
  "keyword-in-title": { points: 8, rule: keywordInTitle },
  "keyword-in-slug": { points: 4, rule: keywordInSlug },
  "keyword-in-first-paragraph": { points: 6, rule: keywordInFirstParagraph },
  "keyword-in-headings": { points: 5, rule: keywordInHeadings },
  "keyword-in-meta-description": { points: 4, rule: keywordInMetaDescription },
  "keyword-in-alternatives": { points: 2, rule: keywordInAlternatives },
  "keyword-density": { points: 6, rule: keywordDensity },
  "keyword-elsewhere": { points: 4, rule: keywordElsewhere },
  "title-length": { points: 4, rule: titleLength },
  "meta-description-length": { points: 5, rule: metaDescriptionLength },
  "slug-length": { points: 2, rule: slugLength },
  "text-length": { points: 5, rule: textLength },
  "heading-order": { points: 5, rule: headingOrder },
  "heading-distance": { points: 5, rule: headingDistance },
  "paragraph-length": { points: 4, rule: paragraphLength },
  "sentence-length": { points: 5, rule: sentenceLength },
  "reading-ease": { points: 5, rule: readingEase },
  "passive-voice": { points: 3, rule: passiveVoice },
  "transition-words": { points: 3, rule: transitionWords },
  "internal-links": { points: 4, rule: internalLinks },
  "outbound-links": { points: 3, rule: outboundLinks },
  "picture-alternatives": { points: 4, rule: pictureAlternatives },
  "answer-first": { points: 4, rule: answerFirst },
} satisfies Record<string, { points: number; rule: Rule }>;

export type RuleId = keyof typeof RULES;
