import type { Break, ListItem, PhrasingContent, Root, RootContent } from "mdast";
import { tidyMarks } from "@/lib/markdown/from-html/marks";
import { withoutEnd, withoutStart } from "@/lib/markdown/from-html/spaces";
import { isBreak, isPhrasing, lineBreak } from "@/lib/markdown/from-html/words";

/** Makes the tree one that Markdown can say: words in paragraphs, marks around words, no empty blocks, tight lists. */
export function tidy(tree: Root): void {
  tree.children = blocks(tree.children);
}

function blocks(nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap(block);
}

function block(node: RootContent): RootContent[] {
  switch (node.type) {
    case "paragraph":
      return paragraphs(node.children);
    case "heading": {
      node.children = trimmed(tidyMarks(withoutBold(node.children), space));
      return node.children.length > 0 ? [node] : [];
    }
    case "table":
      for (const [index, { children }] of node.children.entries())
        for (const cell of children) cell.children = words(index === 0 ? withoutBold(cell.children) : cell.children);
      return [node];
    case "list":
      for (const item of node.children) tidyItem(item);
      node.children = node.children.filter(({ children, checked }) => children.length > 0 || checked !== null);
      node.spread = node.children.some(({ spread }) => spread);
      return node.children.length > 0 ? [node] : [];
    case "blockquote":
      node.children = blocks(node.children) as typeof node.children;
      return node.children.length > 0 ? [node] : [];
    case "code":
      return node.value === "" ? [] : [node];
    default:
      return isPhrasing(node) ? paragraphs([node]) : [node];
  }
}

function words(nodes: PhrasingContent[]): PhrasingContent[] {
  return trimmed(tidyMarks(nodes, lineBreak));
}

function space(): PhrasingContent {
  return { type: "text", value: " " };
}

/** A displayed formula in a paragraph is on lines of its own, and two breaks end a paragraph. */
function paragraphs(nodes: readonly RootContent[]): RootContent[] {
  const made: RootContent[] = [];
  let line: RootContent[] = [];
  const endLine = () => {
    const children = trimmed(tidyMarks(line, (): Break => ({ type: "break" })));
    if (children.length > 0) made.push({ type: "paragraph", children });
    line = [];
  };
  for (const node of nodes) {
    const last = line.findLast((before) => before.type !== "text" || before.value.trim() !== "");
    if (node.type === "math" || (isBreak(node) && isBreak(last))) endLine();
    if (node.type === "math") made.push(node);
    else line.push(node);
  }
  endLine();
  return made;
}

/** Without spaces and breaks at either end. */
function trimmed(nodes: PhrasingContent[]): PhrasingContent[] {
  const kept = [...nodes];
  for (let first = kept[0]; first; first = kept[0]) {
    const value = first.type === "text" ? withoutStart(first.value) : "";
    if (value !== "") kept[0] = { type: "text", value };
    if (value !== "" || !(first.type === "text" || isBreak(first))) break;
    kept.shift();
  }
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    const value = last.type === "text" ? withoutEnd(last.value) : "";
    if (value !== "") kept[kept.length - 1] = { type: "text", value };
    if (value !== "" || !(last.type === "text" || isBreak(last))) break;
    kept.pop();
  }
  return kept;
}

/** Headings and the cells of a heading are bold by themselves. */
function withoutBold(nodes: PhrasingContent[]): PhrasingContent[] {
  const isAllBold = nodes.every((node) => node.type === "strong" || (node.type === "text" && node.value.trim() === ""));
  return isAllBold ? nodes.flatMap((node) => (node.type === "strong" ? node.children : [node])) : nodes;
}

const TIGHT: readonly string[] = ["list", "code", "blockquote"];

/** An item with one paragraph is tight, whatever paragraphs the page makes of its items. */
function tidyItem(item: ListItem): void {
  item.children = blocks(item.children) as typeof item.children;
  if (typeof item.checked === "boolean" && item.children[0]?.type !== "paragraph") item.checked = null;
  item.spread = item.children.some(
    ({ type }, index) => index > 0 && (!TIGHT.includes(type) || (type === "blockquote" && index > 1)),
  );
}
