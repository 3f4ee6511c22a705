import type { Element, Root } from "hast";
import { attribute, hasElement, isBlock, isHeading, replaceElements, styleOf } from "@/lib/markdown/from-html/tree";

/** Removes what is not to be read: scripts, styles, frames, controls, comments and what the page hides. */
export function removeUnseen(root: Root): void {
  const kept = new WeakSet<Element>();
  replaceElements(root, (node) => {
    if (isUnseen(node) && !kept.has(node)) return [];
    // An accordion's heading is a button.
    if (isHeading(node) || node.tagName === "summary") keepButtons(node, kept);
    node.children = node.children.filter(({ type }) => type !== "comment");
    return undefined;
  });
  root.children = root.children.filter(({ type }) => type !== "comment" && type !== "doctype");
}

const UNSEEN: ReadonlySet<string> = new Set(
  (
    "script style meta link title base template noscript svg iframe object embed canvas video audio select textarea datalist " +
    "button clipboard-copy"
  ).split(" "),
);

function isUnseen(node: Element): boolean {
  if (UNSEEN.has(node.tagName) || isHiddenElement(node)) return true;
  return node.tagName === "input" && attribute(node, "type").toLowerCase() !== "checkbox";
}

function isHiddenElement(node: Element): boolean {
  const { properties } = node;
  if (properties.hidden !== undefined && properties.hidden !== false && properties.hidden !== null) return true;
  if (styleOf(node, "display") === "none" || styleOf(node, "mso-hide") === "all") return true;
  // A dialog hides the whole page behind it from screen readers, which is no icon.
  return attribute(node, "ariaHidden") === "true" && !isBlock(node) && !hasElement(node, isBlock);
}

function keepButtons(node: Element, kept: WeakSet<Element>): void {
  for (const child of node.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "button") kept.add(child);
    keepButtons(child, kept);
  }
}
