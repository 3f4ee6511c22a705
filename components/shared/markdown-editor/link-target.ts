import type { EditorState, Text } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { decodeEntities } from "@/lib/utils/plain-text";
import { encodeBrackets, isLinkAddress } from "@/lib/utils/web-address";

export type LinkKind = "link" | "picture";

/** A stretch of the text that is a link or picture, or is about to be one. `source`: what is there; `above`: the text before it. */
export type LinkTarget = LinkParts & {
  kind: LinkKind;
  from: number;
  to: number;
  above: Text;
  source: string;
  isThere: boolean;
};

/** `text`: a link's Markdown, or a picture's alternative text; `title`: the words in quotes after the address, without escapes. */
export type LinkParts = { text: string; address: string; title: string };

const NODES = { link: "Link", picture: "Image" };
/** One address and no more, with its scheme. */
export const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** The link or picture at the selection; else what is selected on one line, or the word that is to be linked. */
export function linkTargetAt(state: EditorState, kind: LinkKind): LinkTarget {
  const there = targetAround(state, kind);
  if (there) return there;
  const { main } = state.selection;
  const word = kind === "link" ? state.wordAt(main.head) : null;
  const isOneLine = state.doc.lineAt(main.from).to >= main.to;
  // A link ends with its line.
  const { from, to } = (main.empty ? word : isOneLine && main) || { from: main.head, to: main.head };
  const source = state.sliceDoc(from, to);
  const parts = ADDRESS.test(source) ? { text: "", address: source } : { text: source, address: "" };
  return { kind, from, to, above: state.doc.slice(0, from), source, isThere: false, ...parts, title: "" };
}

function targetAround(state: EditorState, kind: LinkKind): LinkTarget | null {
  const { from, to } = state.selection.main;
  for (const side of [1, -1] as const) {
    for (let node: SyntaxNode | null = treeUpTo(state, to).resolveInner(from, side); node; node = node.parent) {
      const parts = node.from <= from && node.to >= to ? partsOf(state, node, kind) : null;
      const source = state.sliceDoc(node.from, node.to);
      const above = state.doc.slice(0, node.from);
      if (parts) return { kind, from: node.from, to: node.to, above, source, isThere: true, ...parts };
    }
  }
  return null;
}

/** Of `[text](address "title")`, `[text]()` and `<address>`; others, as `[text][label]`, are edited where their address is. */
function partsOf(state: EditorState, node: SyntaxNode, kind: LinkKind): LinkParts | null {
  const url = node.getChild("URL");
  if (!url && !state.sliceDoc(node.from, node.to).endsWith("]()")) return null;
  const source = url ? state.sliceDoc(url.from, url.to).replace(/^<|>$/g, "") : "";
  if (node.name === "Autolink" && kind === "link") return { text: "", address: source, title: "" };
  const address = unescaped(source);
  const [open, close] = node.getChildren("LinkMark");
  if (node.name !== NODES[kind] || !open || !close) return null;
  return { text: state.sliceDoc(open.to, close.from), address, title: titleOf(state, node) };
}

/** The title of a link or picture as readers get it. */
export function titleOf(state: EditorState, node: SyntaxNode): string {
  const title = node.getChild("LinkTitle");
  const source = title ? state.sliceDoc(title.from + 1, title.to - 1) : "";
  return unescaped(source)
    .trim()
    .replace(/\s*\n\s*/g, " ");
}

function unescaped(source: string): string {
  return source.replace(ESCAPED, (reference, character?: string) => character ?? decodeEntities(reference));
}

const ESCAPED = /\\([!-/:-@[-`{-~])|&#?\w{1,31};/g;

/** The Markdown of a link or picture. Without a text, a link shows its address. */
export function linkMarkdown(kind: LinkKind, { text, address, title }: LinkParts): string {
  const shown = withPairs(text.trim().replace(/\s*\n\s*/g, " "));
  const encoded = encodeBrackets(address);
  const words = title
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(ESCAPED_IN_TITLE, "\\$&");
  const target = `(${encoded.replace(REFERENCE, "&amp;")}${words && ` "${words}"`})`;
  if (kind === "picture") return `![${shown}]${target}`;
  if (shown === "") return ADDRESS.test(encoded) ? `<${encoded}>` : `[${withPairs(address)}]${target}`;
  return `[${shown}]${target}`;
}

/** A pipe would end the cell of a table. */
const ESCAPED_IN_TITLE = /["\\|]|&(?=#?\w{1,31};)/g;
const REFERENCE = /&(?=#?\w{1,31};)/g;

/** Brackets without a partner would end the text of the link. */
function withPairs(text: string): string {
  let depth = 0;
  for (const [mark] of text.matchAll(/\\.|[[\]]/g)) {
    if (mark === "[") depth += 1;
    if (mark === "]") depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? text : text.replace(/(?<!\\)[[\]]/g, "\\$&");
}

/**
 * An address as it was typed or pasted, for a link: `example.com` becomes `https://example.com`, `a@example.com` a `mailto:`.
 * Undefined if no post could link to it.
 */
export function linkAddress(typed: string): string | undefined {
  const bare = typed.trim().replace(/^<|>$/g, "");
  if (bare === "" || /\s/.test(bare)) return undefined;
  if (/^[^@/:]+@[^@/:]+\.[^@/:]+$/.test(bare)) return `mailto:${bare}`;
  if (/^[#/]/.test(bare)) return bare.length > 1 ? bare : undefined;
  const isBare = /^[^/:?#]+\.\p{L}{2,}(?:[:/?#]|$)/u.test(bare);
  const address = isBare ? `https://${bare}` : bare;
  if (!isLinkAddress(address) || !/^\w+:/.test(address)) return undefined;
  return /^https?:/i.test(address) && !URL.canParse(address) ? undefined : address;
}

/** The address of a picture that readers can load, as `linkAddress`. */
export function pictureAddress(typed: string): string | undefined {
  const address = linkAddress(typed);
  return address !== undefined && /^(?:https?:|\/)/i.test(address) ? address : undefined;
}
