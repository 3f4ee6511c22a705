import type { Element, ElementContent } from "hast";
import { element, isSpace, text } from "@/lib/markdown/nodes";

/** Pictures that Markdown gave a title. That of a tag of HTML is no caption: editors write the names of files there. */
const TITLED = new WeakSet<Element>();

/** Notes that a picture's title may be its caption. */
export function markTitled(picture: Element): Element {
  if (String(picture.properties.title ?? "").trim() !== "") TITLED.add(picture);
  return picture;
}

/** Turns a paragraph of nothing but pictures, at least one with a title, into figures with captions. */
export function figuresOf(paragraph: Element): Element[] {
  const nodes = paragraph.children.filter((node) => !isSpace(node));
  const pictures = nodes.map(pictureIn);
  if (!pictures.some((picture) => picture && TITLED.has(picture)) || pictures.includes(undefined)) return [paragraph];
  return nodes.map((node, index) => {
    const captions = captionsOf(pictures[index]);
    return { ...paragraph, tagName: "figure", properties: {}, children: [node, ...captions] };
  });
}

/** The picture that a node is, or that it only links. */
function pictureIn(node: ElementContent): Element | undefined {
  if (node.type !== "element") return undefined;
  if (node.tagName === "img") return node;
  const [only] = node.children;
  return node.tagName === "a" && node.children.length === 1 && only ? pictureIn(only) : undefined;
}

function captionsOf(picture: Element | undefined): Element[] {
  if (!picture || !TITLED.has(picture)) return [];
  const { title, ...others } = picture.properties;
  picture.properties = others;
  return [element("figcaption", {}, [text(String(title).trim())])];
}
