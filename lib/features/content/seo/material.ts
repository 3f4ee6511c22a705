import type { Keyword } from "@/lib/features/content/seo/keyword";

/** A piece as its rules see it. `site`: the host of its project's site; `language`: as its project names it. */
export type Judged = {
  title: string;
  body: string;
  slug: string | null;
  metaTitle: string | null;
  metaDescription: string | null;
  focusKeyword: string | null;
  language: string | null;
  site: string | null;
  /** The other pieces of the project that may have the same title or keyword; null if they are not known (yet). */
  others: { title: string; focusKeyword: string | null }[] | null;
};

/** A piece with the outline that its text was written from. */
export type Reviewed = Judged & { outline: string | null };

/** A stretch of the body, in UTF-16 units. */
export type Place = { from: number; to: number };

/** A paragraph or heading. `prose` has a sign in place of code. */
export type Block = Place & { text: string; prose: string; words: number };
export type Heading = Block & { level: number };
export type Sentence = Place & { text: string; words: number };
export type Picture = Place & { alternative: string; address: string };
export type Link = Place & { address: string; text: string };

/** What the rules judge: a piece that has been read once. */
export type Material = {
  keyword: Keyword | null;
  language: string | null;
  seoTitle: string;
  slug: string;
  metaDescription: string;
  site: string | null;
  others: Judged["others"];
  /** The words of the body. */
  words: number;
  /** In the order of the text; footnotes are none of them. */
  blocks: (Block | Heading)[];
  paragraphs: Block[];
  headings: Heading[];
  /** The paragraphs before the first heading. */
  lead: Block[];
  pictures: Picture[];
  links: Link[];
  sentences: Sentence[];
};

export function isHeading(block: Block | Heading): block is Heading {
  return "level" in block;
}
