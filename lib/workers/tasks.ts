import { lossesOf, markdownToHast } from "@/lib/markdown/render";
import { assertTreeSize } from "@/lib/markdown/tree-size";
import { hastToBlocks } from "@/lib/wordpress/blocks";
import { titleKeys } from "@/lib/workers/title-keys";

/** Pure: text in, text out. */
export const TASKS = { renderPost, countLosses, titleKeys } satisfies Record<
  string,
  (text: string, title?: string) => string
>;

/** `renderPost` of lib/wordpress/blocks.ts, with a size limit. */
function renderPost(markdown: string, title?: string): string {
  const tree = markdownToHast(markdown, title);
  assertTreeSize(tree);
  return hastToBlocks(tree);
}

/** How much of a text its readers will not get. */
function countLosses(markdown: string): string {
  return String(lossesOf(markdown).length);
}
