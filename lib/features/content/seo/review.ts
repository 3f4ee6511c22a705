import { AppError } from "@/lib/errors";
import { linksByHost } from "@/lib/features/content/seo/hosts";
import { judgeMaterial, type SeoReport } from "@/lib/features/content/seo/judge";
import type { Material, Reviewed } from "@/lib/features/content/seo/material";
import { readMaterial } from "@/lib/features/content/seo/read";
import { type Finding, findingsOf } from "@/lib/features/content/seo/ready";
import { complexityProblem } from "@/lib/markdown/complexity";
import type { Loss } from "@/lib/markdown/losses";
import { renderMarkdown } from "@/lib/markdown/render";
import { tooComplexMessage } from "@/lib/markdown/too-complex";
import { storableUpTo } from "@/lib/utils/text";

/**
 * What is to be said of a piece before it is published: what readers will not get of it, how the SEO rules judge it, and what
 * may be unfinished. A text that is too complex has the reason instead.
 */
export type Review =
  | {
      losses: Loss[];
      report: SeoReport;
      findings: Finding[];
      shown: Shown;
      links: Material["links"];
      site: string | null;
    }
  | { problem: string };

/** What a search engine has to show: the SEO title, and the meta description or else how the text begins. */
export type Shown = { title: string; description: string };

/** Characters of a text that two lines have no more room than. */
const SHOWN_MAX = 300;

export function reviewOf(piece: Reviewed): Review {
  try {
    const problem = complexityProblem(piece.body);
    if (problem) return { problem };
    const { tree, losses } = renderMarkdown(piece.body);
    const material = readMaterial(piece, tree);
    const { seoTitle: title, metaDescription, paragraphs, links, site } = material;
    const beginning = paragraphs.map(({ text }) => text).join(" ");
    const description = storableUpTo(metaDescription || beginning, SHOWN_MAX);
    const shown = { title, description };
    return {
      losses,
      report: judgeMaterial(material),
      findings: findingsOf(piece, material, losses),
      shown,
      links,
      site,
    };
  } catch (error) {
    const problem = tooComplexMessage(error);
    if (!problem) throw error;
    return { problem };
  }
}

/** Findings and links of a summary. */
const [MOST_FINDINGS, MOST_LINKS] = [8, 50];

/** A review as lists have it. Throws TOO_COMPLEX for a text that cannot be reviewed. */
export function summaryOf(review: Review) {
  if ("problem" in review) throw new AppError("TOO_COMPLEX", { message: review.problem });
  const { losses, report, findings, links, site } = review;
  const { own, others } = linksByHost(links, site);
  return {
    losses: losses.length,
    score: report.score,
    findings: findings.slice(0, MOST_FINDINGS).map(({ kind, sentence, holds }) => ({ kind, sentence, holds })),
    found: findings.length,
    holding: findings.filter(({ holds }) => holds).length,
    outbound: others.length,
    internal: [...new Set(own.map(({ address }) => address))].slice(0, MOST_LINKS),
  };
}
