/** The part of yoastseo that the benchmark calls; the package has no types of its own. */
declare module "yoastseo" {
  export class Paper {
    constructor(html: string, attributes: Record<string, string | number>);
  }
  export type Result = { getIdentifier(): string; getScore(): number; getText(): string };
  export type Researcher = { getResearch(name: "getFleschReadingScore"): { score: number } };
  export class SeoAssessor {
    constructor(researcher: Researcher);
    assess(paper: Paper): void;
    getValidResults(): Result[];
  }
  export class ContentAssessor extends SeoAssessor {}
  /** Only in the assessors of shops. */
  class ImageAltTagsAssessment {
    getResult(paper: Paper, researcher: Researcher): Result;
  }
  export const assessments: { seo: { ImageAltTagsAssessment: typeof ImageAltTagsAssessment } };
}

declare module "yoastseo/build/languageProcessing/languages/*/Researcher.js" {
  import type { Paper, Researcher } from "yoastseo";

  const exported: { default: new (paper: Paper) => Researcher };
  export default exported;
}
