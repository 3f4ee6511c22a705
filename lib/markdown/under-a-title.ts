import type { ElementContent } from "hast";
import { textOf } from "@/lib/markdown/nodes";

/**
 * The blocks of a text that stands under its title: a first heading that repeats the title is left out, and other headings of
 * the title's level are of the next one.
 */
export function underATitle(blocks: ElementContent[], title: string): ElementContent[] {
  const [first] = blocks;
  const repeats = first && isTitle(first) && wordsOf(textOf(first)) === wordsOf(title);
  const below = repeats ? blocks.slice(1) : blocks;
  lower(below);
  return below;
}

function isTitle(node: ElementContent): boolean {
  return node.type === "element" && node.tagName === "h1";
}

function lower(nodes: ElementContent[]): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    if (node.tagName === "h1") node.tagName = "h2";
    lower(node.children);
  }
}

/** In lower case; Turkish has two letters i. */
function wordsOf(text: string): string {
  return (
    text
      .normalize("NFKC")
      .replace(/[İıI]/g, "i")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(" ");
}
