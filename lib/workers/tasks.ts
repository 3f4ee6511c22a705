import { markdownToHast } from "@/lib/markdown/render";
import { refuseHuge } from "@/lib/markdown/tree-size";
import { hastToBlocks } from "@/lib/wordpress/blocks";

/** What is done off the request's thread. Each is pure: a text in, a text out. */
export const TASKS = { renderPost } satisfies Record<string, (text: string) => string>;

/** `renderPost` of lib/wordpress/blocks.ts, within a bound. */
function renderPost(markdown: string): string {
  const tree = markdownToHast(markdown);
  refuseHuge(tree);
  return hastToBlocks(tree);
}
