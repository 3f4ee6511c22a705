import type { Element, Root } from "hast";
import { attribute, classesOf, findElement, hasElement, replaceElements } from "@/lib/markdown/from-html/tree";
import { element, textOf } from "@/lib/markdown/nodes";

/**
 * Leaves one copy of each formula, its TeX, as `math` with `tex` and `display`. Pages have two: MathML and what is seen, as KaTeX
 * and Wikipedia write them.
 */
export function singleFormulas(root: Root): void {
  replaceElements(root, (node) => {
    if (!isFormula(node)) return undefined;
    const tex = texOf(node).trim();
    if (tex === "") return node.tagName === "math" ? node.children : undefined;
    return [element("math", { tex, display: isDisplayed(node) })];
  });
}

const WRAPPERS = ["katex-display", "katex", "mwe-math-element", "math-block", "math-inline"];

function isFormula(node: Element): boolean {
  return (
    node.tagName === "math" ||
    node.tagName === "mjx-container" ||
    node.properties.dataMath !== undefined ||
    classesOf(node).some((name) => WRAPPERS.includes(name))
  );
}

function texOf(node: Element): string {
  const annotation = findElement(node, (inside) => attribute(inside, "encoding") === "application/x-tex");
  if (annotation) return textOf(annotation);
  if (node.properties.dataMath !== undefined) return attribute(node, "dataMath");
  const math = node.tagName === "math" ? node : findElement(node, ({ tagName }) => tagName === "math");
  return math ? attribute(math, "alttext") : "";
}

function isDisplayed(node: Element): boolean {
  const isDisplay = (inside: Element) =>
    attribute(inside, "display") === "block" ||
    classesOf(inside).some((name) => name === "katex-display" || name === "math-block");
  return isDisplay(node) || hasElement(node, isDisplay);
}
