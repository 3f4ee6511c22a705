import type { Root, RootContent } from "hast";
import { complexityProblem } from "@/lib/markdown/complexity";
import type { Loss } from "@/lib/markdown/losses";
import { renderMarkdown } from "@/lib/markdown/render";
import { splitTree } from "@/lib/markdown/split-tree";
import { tooComplexMessage } from "@/lib/markdown/too-complex";
import { assertTreeSize } from "@/lib/markdown/tree-size";

/**
 * Sanitised trees as JSON, one per part: cheap to post from a worker and parsed when the part renders. `losses`: what readers
 * will not get. A text that is too complex has the reason instead. The parser is the one that publishing uses, so a preview shows what the site receives.
 */
export type Preview = { parts: string[]; losses: Loss[] } | { problem: string };

/** A post's text with the title that it stands under, or any other text. */
export type PreviewOf = { text: string; title?: string | undefined };

/** What renders without a noticeable pause. */
const PART = { elements: 1_500, characters: 100_000 };

export function previewOf({ text, title }: PreviewOf): Preview {
  try {
    const problem = complexityProblem(text);
    if (problem) return { problem };
    const { tree, losses } = renderMarkdown(text, title);
    assertTreeSize(tree);
    giveDirections(tree);
    forget(tree);
    return { parts: splitTree(tree, PART).map((part) => JSON.stringify(part)), losses };
  } catch (error) {
    const problem = tooComplexMessage(error);
    if (!problem) throw error;
    return { problem };
  }
}

/** In a preview an id of a heading could be another element's of the page, and nothing needs the lines of a block. */
function forget(node: Root | RootContent): void {
  delete node.position;
  if (node.type === "element" && !("dataFootnotes" in node.properties) && /^h[1-6]$/.test(node.tagName))
    delete node.properties.id;
  if (node.type === "element" && "dataFootnotes" in node.properties) return;
  if ("children" in node) for (const child of node.children) forget(child);
}

const BLOCKS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "figcaption"]);

/** Each block follows its own script: an Arabic text may quote an English one. */
function giveDirections(node: Root | RootContent): void {
  if (node.type === "element" && BLOCKS.has(node.tagName)) node.properties.dir = "auto";
  if ("children" in node) for (const child of node.children) giveDirections(child);
}
