import type { Element, ElementContent, Root } from "hast";
import { isWrapperOfDocs } from "@/lib/markdown/from-html/source";
import {
  attribute,
  classesOf,
  hasElement,
  isBlock,
  isHeading,
  replaceElements,
  styleOf,
} from "@/lib/markdown/from-html/tree";
import { element, text } from "@/lib/markdown/nodes";

/** Makes elements of what Google Docs and others say in styles, and takes away marks that mark nothing. */
export function marksOfStyles(root: Root): void {
  replaceElements(root, (node) => {
    if (isHeading(node) || node.tagName === "th") return withoutBold(node);
    if (classesOf(node).includes("Apple-converted-space")) return [text(" ")];
    if (attribute(node, "dataStringifyType") === "paragraph-break") return [element("br"), element("br")];
    if (node.tagName === "span" && node.properties.style) addMarks(node);
    return undefined;
  });
  replaceElements(root, (node) => {
    if (!MARKS.has(node.tagName)) return undefined;
    const isNone = /^(?:b|strong)$/.test(node.tagName) && isWrapperOfDocs(node);
    if (!isNone && !hasElement(node, isBlock)) return undefined;
    node.tagName = "span";
    node.properties = {};
    return undefined;
  });
}

const MARKS: ReadonlySet<string> = new Set("b strong i em s strike del u mark code kbd samp tt sub sup".split(" "));

function addMarks(node: Element): void {
  if (hasElement(node, isBlock)) return;
  const weight = styleOf(node, "font-weight");
  const lines = `${styleOf(node, "text-decoration-line")} ${styleOf(node, "text-decoration")}`;
  const forms = [
    ...(weight === "bold" || Number(weight) >= 600 ? ["strong"] : []),
    ...(styleOf(node, "font-style") === "italic" ? ["em"] : []),
    ...(lines.includes("line-through") ? ["del"] : []),
    ...(styleOf(node, "vertical-align") === "super" ? ["sup"] : []),
    ...(styleOf(node, "vertical-align") === "sub" ? ["sub"] : []),
  ];
  node.children = forms.reduceRight<ElementContent[]>((inside, form) => [element(form, {}, inside)], node.children);
}

/** A heading is bold by itself. */
function withoutBold(heading: Element): undefined {
  replaceElements(heading, (node) => {
    const style = attribute(node, "style").replace(/font-weight\s*:[^;]*/gi, "");
    if (node.tagName === "span" && node.properties.style) node.properties.style = style;
    return undefined;
  });
}
