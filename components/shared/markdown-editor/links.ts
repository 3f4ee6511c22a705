import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode, Tree } from "@lezer/common";

/** The brackets around a link's text, or null if it is no link: the parser takes any brackets for one. */
export function linkBrackets(state: EditorState, node: SyntaxNode): { open: SyntaxNode; close: SyntaxNode } | null {
  const [open, close] = node.getChildren("LinkMark");
  if (!open || !close) return null;
  const hasTarget = node.to > close.to && state.sliceDoc(close.to, close.to + 1) === "(";
  const label = node.getChild("LinkLabel");
  const name = label && label.to - label.from > 2 ? label : { from: open.from, to: close.to };
  return hasTarget || isDefined(state, state.sliceDoc(name.from + 1, name.to - 1)) ? { open, close } : null;
}

const known = new WeakMap<Tree, Set<string>>();

/** True if the text defines this label, as in `[label]: https://…`. */
export function isDefined(state: EditorState, label: string): boolean {
  const tree = syntaxTree(state);
  let labels = known.get(tree);
  if (!labels) {
    labels = labelsOf(state, tree);
    known.set(tree, labels);
  }
  return labels.has(normal(label));
}

/** The nodes that definitions can be in. */
const CONTAINERS = new Set(["Document", "Blockquote", "BulletList", "OrderedList", "ListItem"]);

/** The label of a footnote of one word, which the parser takes for a link's address. */
const FOOTNOTE = /^\^\S+$/;

function labelsOf(state: EditorState, tree: Tree): Set<string> {
  const labels = new Set<string>();
  tree.iterate({
    enter({ name, node }) {
      const label = name === "LinkReference" ? node.getChild("LinkLabel") : null;
      const text = label ? state.sliceDoc(label.from + 1, label.to - 1) : "";
      if (label && !FOOTNOTE.test(text)) labels.add(normal(text));
      return CONTAINERS.has(name);
    },
  });
  return labels;
}

function normal(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}
