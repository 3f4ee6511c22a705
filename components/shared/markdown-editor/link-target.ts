import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { encodeBrackets } from "@/components/shared/markdown-editor/web-address";
import { isLinkAddress } from "@/lib/markdown/addresses";

/** A stretch of the text that is a link, or is about to be one. `source`: what is there. */
export type LinkTarget = { from: number; to: number; source: string; isLink: boolean } & LinkParts;

/** `text` is Markdown, `title` the words in quotes after the address; empty where there are none. */
export type LinkParts = { text: string; address: string; title: string };

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** The link at the selection; else what is selected on one line, or the word at the caret, to be linked. */
export function linkTargetAt(state: EditorState): LinkTarget {
  const { main } = state.selection;
  const link = linkAround(state, main);
  if (link) return link;
  const isOneLine = state.doc.lineAt(main.from).to >= main.to;
  // A link ends with its line.
  const { from, to } = (main.empty ? state.wordAt(main.head) : isOneLine && main) || { from: main.head, to: main.head };
  const source = state.sliceDoc(from, to);
  const isAddress = ADDRESS.test(source);
  return {
    from,
    to,
    source,
    isLink: false,
    text: isAddress ? "" : source,
    address: isAddress ? source : "",
    title: "",
  };
}

function linkAround(state: EditorState, { from, to }: { from: number; to: number }): LinkTarget | null {
  for (const side of [1, -1] as const) {
    for (let node: SyntaxNode | null = treeUpTo(state, to).resolveInner(from, side); node; node = node.parent) {
      if (node.from > from || node.to < to) continue;
      const parts = partsOf(state, node);
      if (parts)
        return { from: node.from, to: node.to, source: state.sliceDoc(node.from, node.to), isLink: true, ...parts };
    }
  }
  return null;
}

/** Of `[text](address "title")`, `[text]()` and `<address>`; others, as `[text][label]`, are edited where their address is. */
function partsOf(state: EditorState, node: SyntaxNode): LinkParts | null {
  const url = node.getChild("URL");
  if (!url && !state.sliceDoc(node.from, node.to).endsWith("]()")) return null;
  const address = url ? state.sliceDoc(url.from, url.to).replace(/^<|>$/g, "") : "";
  if (node.name === "Autolink") return { text: "", address, title: "" };
  const [open, close] = node.getChildren("LinkMark");
  if (node.name !== "Link" || !open || !close) return null;
  const title = node.getChild("LinkTitle");
  return {
    text: state.sliceDoc(open.to, close.from),
    address,
    title: title ? state.sliceDoc(title.from + 1, title.to - 1) : "",
  };
}

/** The Markdown of a link. Without a text, its address is shown. */
export function linkMarkdown({ text, address, title }: LinkParts): string {
  const shown = withPairs(text.trim().replace(/\s*\n\s*/g, " "));
  const encoded = encodeBrackets(address);
  if (shown === "") return ADDRESS.test(encoded) ? `<${encoded}>` : `[${withPairs(address)}](${encoded})`;
  return `[${shown}](${encoded}${title ? ` "${title.replace(/(?<!\\)"/g, '\\"')}"` : ""})`;
}

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
