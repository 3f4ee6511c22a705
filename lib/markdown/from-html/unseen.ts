import type { Element, Parents, Root } from "hast";
import { attribute, hasElement, isBlock, isHeading, replaceElements, styleOf } from "@/lib/markdown/from-html/tree";

/** Removes what is not to be read: scripts, styles, frames, controls, comments and what the page hides. Buttons stay. */
export function removeUnseen(root: Root): void {
  replaceElements(root, (node) => {
    if (isUnseen(node)) return [];
    node.children = node.children.filter(({ type }) => type !== "comment");
    return undefined;
  });
  root.children = root.children.filter(({ type }) => type !== "comment" && type !== "doctype");
}

/** Removes buttons, but those that are the heading of an accordion. */
export function removeButtons(parent: Parents): void {
  replaceElements(parent, (node) => {
    if (node.tagName === "button" || node.tagName === "clipboard-copy") return [];
    return isHeading(node) || node.tagName === "summary" ? [node] : undefined;
  });
}

const UNSEEN: ReadonlySet<string> = new Set(
  "script style meta link title base template noscript svg iframe object embed canvas video audio select textarea datalist".split(
    " ",
  ),
);

function isUnseen(node: Element): boolean {
  if (UNSEEN.has(node.tagName) || isHiddenElement(node)) return true;
  return node.tagName === "input" && attribute(node, "type").toLowerCase() !== "checkbox";
}

function isHiddenElement(node: Element): boolean {
  const { properties } = node;
  if (properties.hidden !== undefined) return true;
  if (styleOf(node, "display") === "none" || styleOf(node, "mso-hide") === "all") return true;
  // Only inline elements, such as icons: an open dialog hides the whole page behind it from screen readers.
  return attribute(node, "ariaHidden") === "true" && !isBlock(node) && !hasElement(node, isBlock);
}
