import type { Element, Parents, Root } from "hast";
import { defaultHandlers, type Handle, type State, toMdast } from "hast-util-to-mdast";
import type { RootContent, Root as Tree } from "mdast";
import { table } from "@/lib/markdown/from-html/tables";
import { attribute } from "@/lib/markdown/from-html/tree";
import { tag } from "@/lib/markdown/from-html/words";
import { textOf } from "@/lib/markdown/nodes";

/** The Markdown tree of a page that the steps before have made plain. */
export function toTree(root: Root): Tree {
  return toMdast(root, { document: true, handlers: HANDLERS }) as Tree;
}

const children: Handle = (state: State, node: Element) => state.all(node);

const HANDLERS: Record<string, Handle> = {
  table,
  pre: (_state, node) => ({ type: "code", lang: attribute(node, "language") || null, value: textOf(node) }),
  code: inlineCode,
  kbd: inlineCode,
  samp: inlineCode,
  tt: inlineCode,
  math: (_state, { properties }) => ({
    type: properties.display ? "math" : "inlineMath",
    value: String(properties.tex ?? ""),
  }),
  sub: raised,
  sup: raised,
  // Marks that Markdown lacks leave their words.
  u: children,
  mark: children,
  var: children,
  q: children,
  menu: defaultHandlers.ul as Handle,
  picture: children,
  dialog: children,
};

function inlineCode(_state: State, node: Element): RootContent[] {
  const words = linesJoined(node).replace(/[\s\u00a0]+/g, " ");
  const value = words.trim();
  const before: RootContent[] = words.startsWith(" ") ? [{ type: "text", value: " " }] : [];
  const after: RootContent[] = words.endsWith(" ") ? [{ type: "text", value: " " }] : [];
  return value === "" ? before : [...before, { type: "inlineCode", value }, ...after];
}

function linesJoined(parent: Parents): string {
  let words = "";
  for (const child of parent.children) {
    if (child.type === "element") words += child.tagName === "br" ? " " : linesJoined(child);
    else if (child.type === "text") words += child.value;
  }
  return words;
}

/** Figures and letters below or above the line mean something else on it: 10² is not 102. */
function raised(state: State, node: Element): RootContent[] {
  const words = state.all(node);
  if (!/^[\p{L}\p{N}+−–*()=-]{1,20}$/u.test(textOf(node).trim()) || words.some(({ type }) => type !== "text"))
    return words;
  return [tag(`<${node.tagName}>`), ...words, tag(`</${node.tagName}>`)];
}
