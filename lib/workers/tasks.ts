import { markdownToHast } from "@/lib/markdown/render";
import { assertTreeSize } from "@/lib/markdown/tree-size";
import { hastToBlocks } from "@/lib/wordpress/blocks";
import { titleKeys } from "@/lib/workers/title-keys";

/** Pure: text in, text out. */
export const TASKS = { renderPost, titleKeys } satisfies Record<string, (text: string, title?: string) => string>;

/** `renderPost` of lib/wordpress/blocks.ts, with a size limit. */
function renderPost(markdown: string, title?: string): string {
  const tree = markdownToHast(markdown, title);
  assertTreeSize(tree);
  return hastToBlocks(tree);
}
