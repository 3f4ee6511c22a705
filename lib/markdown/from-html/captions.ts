import type { Element, Root } from "hast";
import { elementsIn, hasElement, replaceElements } from "@/lib/markdown/from-html/tree";
import { textOf } from "@/lib/markdown/nodes";

/** Makes a figure's caption the title of its picture. One with a link stays a paragraph, and one in a cell stays in sight. */
export function captionsAsTitles(root: Root): void {
  replaceElements(root, (node) => {
    if (/^t[dh]$/.test(node.tagName)) return [node];
    const caption = node.tagName === "figure" ? node.children.find(isCaption) : undefined;
    const pictures = caption ? elementsIn(node, ({ tagName }) => tagName === "img") : [];
    const [picture] = pictures;
    if (!caption || !picture || pictures.length > 1 || hasElement(caption, isLinkOrPicture)) return undefined;
    const words = textOf(caption).trim();
    if (textOf(node).trim() !== words) return undefined;
    picture.properties.title = words.replace(/\s+/g, " ");
    node.children = node.children.filter((child) => child !== caption);
    return [node];
  });
}

function isCaption(node: Element["children"][number]): node is Element {
  return node.type === "element" && node.tagName === "figcaption";
}

function isLinkOrPicture({ tagName }: Element): boolean {
  return tagName === "a" || tagName === "img";
}
