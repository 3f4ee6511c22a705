import type { Comment, Doctype, Element, ElementContent, Parents, RootContent } from "hast";

export type Child = RootContent | ElementContent | Comment | Doctype;

/** Replaces each element by what `change` returns for it, outermost first; undefined keeps it and goes on inside. */
export function replaceElements(parent: Parents, change: (node: Element) => ElementContent[] | undefined): void {
  const kept: Child[] = [];
  for (const child of parent.children) {
    const made = child.type === "element" ? change(child) : undefined;
    if (made) for (const node of made) kept.push(node);
    else kept.push(child);
    if (!made && child.type === "element") replaceElements(child, change);
  }
  parent.children = kept as ElementContent[];
}

/** The elements in a node that `is` holds for, in the order of the page. */
export function elementsIn(parent: Parents, is: (node: Element) => boolean, found: Element[] = []): Element[] {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (is(child)) found.push(child);
    elementsIn(child, is, found);
  }
  return found;
}

/** True if an element that `is` holds for is anywhere inside. */
export function hasElement(parent: Parents, is: (node: Element) => boolean): boolean {
  return parent.children.some((child) => child.type === "element" && (is(child) || hasElement(child, is)));
}

/** The first element that `is` holds for, in the order of the page. */
export function findElement(parent: Parents, is: (node: Element) => boolean): Element | undefined {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const found = is(child) ? child : findElement(child, is);
    if (found) return found;
  }
  return undefined;
}

/** A comment, or nothing but white space. */
export function isBlank(node: Child | undefined): boolean {
  return node?.type === "comment" || (node?.type === "text" && node.value.trim() === "");
}

export function classesOf({ properties }: Element): string[] {
  return Array.isArray(properties.className) ? properties.className.map(String) : [];
}

/** An attribute as it was written; "" if there is none. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name];
  return value === null || value === undefined || value === false ? "" : String(value);
}

/** The value of a property in the element's `style`, in lower case; "" if there is none. */
export function styleOf(node: Element, name: string): string {
  const style = attribute(node, "style").toLowerCase();
  if (!style.includes(name)) return "";
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    if (declaration.slice(0, colon).trim() === name) return declaration.slice(colon + 1).trim();
  }
  return "";
}

const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr li main menu nav ol p pre section summary table ul"
  ).split(" "),
);

export function isBlock({ tagName }: Element): boolean {
  return BLOCKS.has(tagName);
}

export function isHeading({ tagName }: Element): boolean {
  return /^h[1-6]$/.test(tagName);
}
