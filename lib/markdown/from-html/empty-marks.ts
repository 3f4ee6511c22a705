import type { ElementContent, Parents } from "hast";
import { isBlock } from "@/lib/markdown/from-html/tree";

/**
 * Replaces inline elements that hold only spaces with those spaces, and joins adjacent texts. The library looks ahead past
 * each of them, which would take too long where a page has thousands in a row.
 */
export function withoutEmptyMarks(parent: Parents): void {
  const kept: ElementContent[] = [];
  for (const child of parent.children as ElementContent[]) {
    if (child.type === "element") withoutEmptyMarks(child);
    const node = child.type === "element" && isEmptyMark(child) ? child.children[0] : child;
    const last = kept.at(-1);
    if (node?.type === "text" && last?.type === "text") last.value += node.value;
    else if (node) kept.push(node);
  }
  parent.children = kept;
}

const WITH_CONTENT: ReadonlySet<string> = new Set("img br wbr hr input math td th tr caption".split(" "));

function isEmptyMark(node: Extract<ElementContent, { type: "element" }>): boolean {
  if (isBlock(node) || WITH_CONTENT.has(node.tagName)) return false;
  const [only, another] = node.children;
  return !another && (!only || (only.type === "text" && only.value.trim() === ""));
}
