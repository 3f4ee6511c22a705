import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { chipAttributes } from "@/components/shared/markdown-editor/source-chips";
import { element } from "@/components/shared/markdown-editor/widgets";
import { type SourceMark, sourceMarks } from "@/lib/utils/source-marks";

const ELEMENTS: Record<string, { name: string; className: string }> = {
  Emphasis: { name: "em", className: "cm-emphasis" },
  StrongEmphasis: { name: "strong", className: "cm-strong" },
  Strikethrough: { name: "s", className: "cm-strikethrough" },
  InlineCode: { name: "code", className: "cm-code" },
  Link: { name: "span", className: "cm-link" },
  Autolink: { name: "span", className: "cm-link" },
};

const UNSEEN = new Set(["EmphasisMark", "StrikethroughMark", "CodeMark", "LinkMark", "LinkTitle", "LinkLabel"]);

/** What a node's positions are in. */
type Text = Pick<EditorState, "sliceDoc">;

/** The text of a node with its formatting, for a widget; nothing in it can be opened or loaded. */
export function renderInline(state: Text, node: SyntaxNode): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    fragment.append(state.sliceDoc(at, child.from));
    fragment.append(renderChild(state, child, node));
    at = child.to;
  }
  fragment.append(state.sliceDoc(at, node.to));
  return fragment;
}

function renderChild(state: Text, child: SyntaxNode, parent: SyntaxNode): Node {
  const isTarget = child.name === "URL" && (parent.name === "Link" || parent.name === "Image");
  if (isTarget || UNSEEN.has(child.name)) return document.createTextNode("");
  if (child.name === "Escape") return document.createTextNode(state.sliceDoc(child.from + 1, child.to));
  const source = state.sliceDoc(child.from, child.to);
  if (child.name === "HTMLTag" && /^<br\s*\/?>$/i.test(source)) return document.createElement("br");
  const [mark] = child.name === "Link" ? sourceMarks(source) : [];
  if (mark) return chip(source, mark);
  const { name, className } = ELEMENTS[child.name] ?? { name: "span", className: "" };
  const shown = element(name, className);
  shown.append(renderInline(state, child));
  return shown;
}

function chip(source: string, mark: SourceMark): HTMLElement {
  const shown = element("span", "", source);
  for (const [name, value] of Object.entries(chipAttributes(mark))) shown.setAttribute(name, value);
  return shown;
}
