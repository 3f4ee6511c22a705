import type { Element, ElementContent, Parents, Root } from "hast";
import {
  attribute,
  classesOf,
  elementsIn,
  findElement,
  isBlank,
  isBlock,
  replaceElements,
} from "@/lib/markdown/from-html/tree";
import { element } from "@/lib/markdown/nodes";

/** Puts nested lists into the items that they belong to, and boxes to tick before their items' words. */
export function properLists(root: Root): void {
  joinIndented(root);
  listsInItems(root);
  for (const item of elementsIn(root, ({ tagName }) => tagName === "li")) boxFirst(item);
}

function isList(node: ElementContent | Parents["children"][number] | undefined): node is Element {
  return node?.type === "element" && /^[uo]l$/.test(node.tagName);
}

/** Slack writes each run of items as a list of its own, with how far it is indented. */
function joinIndented(parent: Parents): void {
  const kept: ElementContent[] = [];
  let open: { indent: number; list: Element }[] = [];
  for (const child of parent.children as ElementContent[]) {
    const indent = isList(child) ? attribute(child, "dataIndent") : "";
    if (indent === "" || !isList(child)) {
      if (!isBlank(child)) open = [];
      if (child.type === "element") joinIndented(child);
      kept.push(child);
      continue;
    }
    while ((open.at(-1)?.indent ?? -1) > Number(indent)) open.pop();
    const before = open.at(-1)?.indent === Number(indent) ? open.pop() : undefined;
    if (before?.list.tagName === child.tagName) {
      before.list.children.push(...child.children);
      open.push(before);
      continue;
    }
    const item = open.at(-1)?.list.children.findLast((node) => node.type === "element");
    if (item?.type === "element") item.children.push(child);
    else kept.push(child);
    open.push({ indent: Number(indent), list: child });
  }
  parent.children = kept;
}

/** Google Docs puts a nested list beside the item that it belongs to. */
function listsInItems(parent: Parents): void {
  const kept: ElementContent[] = [];
  for (const child of parent.children as ElementContent[]) {
    if (child.type === "element") listsInItems(child);
    const item =
      isList(child) && parent.type === "element" && isList(parent) ? kept.findLast((n) => !isBlank(n)) : null;
    if (item?.type === "element" && item.tagName === "li") item.children.push(child);
    else kept.push(child);
  }
  parent.children = kept;
}

/** Puts the item's box, as GitHub, Notion and Google Docs write it, where the item begins. */
function boxFirst(item: Element): void {
  const checked = ownState(item) ?? stateOfBox(item) ?? stateOfMark(item);
  if (checked !== undefined) item.children.unshift(element("input", { type: "checkbox", checked }));
}

function ownState(item: Element): boolean | undefined {
  if (attribute(item, "role") !== "checkbox") return undefined;
  // Its box is a picture.
  replaceElements(item, (node) => (node.tagName === "img" && node.properties.ariaRoleDescription ? [] : undefined));
  return attribute(item, "ariaChecked") === "true";
}

function stateOfBox(item: Element): boolean | undefined {
  const box = firstIn(item, (node) => node.tagName === "input" || classesOf(node).includes("checkbox"));
  if (!box) return undefined;
  const isChecked = box.tagName === "input" ? box.properties.checked : classesOf(box).includes("checkbox-on");
  replaceElements(item, (node) => (node === box ? [] : undefined));
  return Boolean(isChecked);
}

/** The element with which the item's first line begins. */
function firstIn(parent: Element, is: (node: Element) => boolean): Element | undefined {
  const first = parent.children.find((node) => !isBlank(node));
  if (first?.type !== "element" || isList(first)) return undefined;
  return is(first) ? first : firstIn(first, is);
}

/** Notion writes a box as the mark that Markdown has for it. */
function stateOfMark(item: Element): boolean | undefined {
  const line = findElement(item, isBlock) && firstIn(item, ({ tagName }) => tagName === "p");
  const text = (line ?? item).children.find((node) => !isBlank(node));
  const mark = text?.type === "text" && /^\s*\[([ xX])\]\s+(?=\S)/.exec(text.value);
  if (!mark) return undefined;
  text.value = text.value.slice(mark[0].length);
  return mark[1] !== " ";
}
