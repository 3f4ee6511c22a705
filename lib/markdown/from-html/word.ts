import type { Element, ElementContent, Parents, Root } from "hast";
import { attribute, findElement, hasElement, isBlank, replaceElements } from "@/lib/markdown/from-html/tree";
import { element, textOf } from "@/lib/markdown/nodes";

/** Word writes the items of a list as paragraphs, their marks as text to leave out. */
export function listsOfWord(root: Root): void {
  if (hasElement(root, isWordItem)) listsIn(root);
}

function listsIn(parent: Parents): void {
  const kept: Parents["children"] = [];
  let open: { level: number; list: Element }[] = [];
  for (const child of parent.children) {
    if (child.type !== "element" || !isWordItem(child)) {
      if (!isBlank(child)) open = [];
      if (child.type === "element" && child.tagName !== "li") listsIn(child);
      kept.push(child as ElementContent);
      continue;
    }
    const level = Number(/level(\d+)/i.exec(attribute(child, "style"))?.[1] ?? 1);
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    if ((open.at(-1)?.level ?? 0) < level) {
      const list = element(isNumbered(child) ? "ol" : "ul");
      const item = open.at(-1)?.list.children.at(-1);
      if (item?.type === "element") item.children.push(list);
      else kept.push(list);
      open.push({ level, list });
    }
    replaceElements(child, (node) => (isMark(node) ? [] : undefined));
    open.at(-1)?.list.children.push(element("li", {}, child.children));
  }
  parent.children = kept as ElementContent[];
}

function isWordItem(node: Element): boolean {
  return node.tagName === "p" && /mso-list:\s*l\d/i.test(attribute(node, "style"));
}

function isMark(node: Element): boolean {
  return /mso-list:\s*ignore/i.test(attribute(node, "style"));
}

function isNumbered(item: Element): boolean {
  const mark = findElement(item, isMark);
  return mark !== undefined && /^\s*[\da-z]{1,4}[.)]/i.test(textOf(mark));
}
