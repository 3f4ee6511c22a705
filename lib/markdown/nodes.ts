import type { Element, ElementContent, Properties, Root, RootContent, Text } from "hast";

/** Leaves out properties that are null or undefined. */
export function element(
  tagName: string,
  properties: Record<string, Properties[string] | null> = {},
  children: ElementContent[] = [],
): Element {
  const given = Object.entries(properties).filter(([, value]) => value !== null && value !== undefined);
  return { type: "element", tagName, properties: Object.fromEntries(given), children };
}

export function text(value: string): Text {
  return { type: "text", value };
}

/** The text of a node, as in `textContent`. */
export function textOf(node: Root | RootContent | ElementContent): string {
  if (node.type === "text") return node.value;
  let words = "";
  if ("children" in node) for (const child of node.children) words += textOf(child);
  return words;
}

/** White space or a line break, beside which a picture still stands alone. */
export function isSpace(node: RootContent | ElementContent): boolean {
  return node.type === "text" ? node.value.trim() === "" : node.type === "element" && node.tagName === "br";
}

/** Puts line breaks between the nodes, or also before the first and after the last. */
export function separated<Node>(nodes: readonly Node[], where: "between" | "around" = "between"): (Node | Text)[] {
  const lines: (Node | Text)[] = where === "around" ? [text("\n")] : [];
  for (const [index, node] of nodes.entries()) {
    if (index > 0) lines.push(text("\n"));
    lines.push(node);
  }
  if (where === "around" && nodes.length > 0) lines.push(text("\n"));
  return lines;
}

/** The element with its children on lines of their own. */
export function withLines(parent: Element): Element {
  parent.children = separated(parent.children, "around");
  return parent;
}
