import type { Root, RootContent } from "hast";
import { complexityProblem } from "@/lib/markdown/complexity";
import { inParts } from "@/lib/markdown/parts";
import { markdownToHast } from "@/lib/markdown/render";
import { refusalOf } from "@/lib/markdown/too-complex";
import { refuseHuge } from "@/lib/markdown/tree-size";

/**
 * A text as it will be read, in parts that are each drawn in one go: sanitised trees, as JSON, which leaves a worker in no
 * time and is parsed when its part is drawn. Or the sentence that says what is too complex in it.
 */
export type Preview = { parts: string[] } | { problem: string };

/** What a screen draws, lays out and keeps at once without a pause that is felt. */
const PART = { elements: 1_500, characters: 100_000 };

export function previewOf(markdown: string): Preview {
  try {
    const problem = complexityProblem(markdown);
    if (problem) return { problem };
    const tree = markdownToHast(markdown);
    refuseHuge(tree);
    giveDirections(tree);
    return { parts: inParts(tree, PART).map((part) => JSON.stringify(part)) };
  } catch (error) {
    const problem = refusalOf(error);
    if (!problem) throw error;
    return { problem };
  }
}

const BLOCKS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table"]);

/** Each block runs in the direction of its own script: an Arabic text may quote an English one. */
function giveDirections(node: Root | RootContent): void {
  if (node.type === "element" && BLOCKS.has(node.tagName)) node.properties.dir = "auto";
  if ("children" in node) for (const child of node.children) giveDirections(child);
}
