import type { Reviewed } from "@/lib/features/content/seo/material";
import { reviewOf, summaryOf } from "@/lib/features/content/seo/review";
import { markdownToHast } from "@/lib/markdown/render";
import { assertTreeSize } from "@/lib/markdown/tree-size";
import { hastToBlocks } from "@/lib/wordpress/blocks";
import { titleKeys } from "@/lib/workers/title-keys";

/** Pure: text in, text out. */
export const TASKS = { renderPost, review, titleKeys } satisfies Record<
  string,
  (text: string, title?: string) => string
>;

/** `renderPost` of lib/wordpress/blocks.ts, with a size limit. */
function renderPost(markdown: string, title?: string): string {
  const tree = markdownToHast(markdown, title);
  assertTreeSize(tree);
  return hastToBlocks(tree);
}

/** What is to be said of a piece, both as JSON. */
function review(piece: string): string {
  return JSON.stringify(summaryOf(reviewOf(JSON.parse(piece) as Reviewed)));
}
