import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { sourceText } from "@/components/shared/markdown-editor/table/cell-text";
import { BULLETS } from "@/lib/utils/block-marks";

/** Quotes and white space at the start of a line, then the mark of a list's item. */
const PREFIX = new RegExp(`^((?:\\s*>)*\\s*)((?:[-*+${BULLETS}]|\\d{1,9}[.)])\\s+)?(?:\\[[ xX]\\]\\s+)?`);
/** What begins a block of Markdown. */
const BLOCK = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|~~~|\||---$|\$\$)/;

/**
 * The change that puts a page's Markdown in place of a selection. In a quote or a list item it continues there, a
 * block that would share a line with other text gets its own, and in a table row it stays on one line.
 */
export function fittingChange(
  state: EditorState,
  { from, to }: { from: number; to: number },
  markdown: string,
): { from: number; to: number; insert: string } {
  if (isInTable(state, from)) return { from, to, insert: inRow(markdown) };
  const line = state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  const after = state.doc.lineAt(to).text.slice(to - state.doc.lineAt(to).from);
  const [prefix = "", outer = "", mark = ""] = PREFIX.exec(before) ?? [];
  const isBlock = BLOCK.test(markdown);
  // In an empty item, items take its place.
  const isItsPlace = isBlock && mark !== "" && before === prefix && after.trim() === "";
  const start = isItsPlace ? line.from + outer.length : from;
  const lead = isBlock && before.length > prefix.length ? "\n\n" : "";
  const trail = (isBlock || markdown.includes("\n\n")) && after.trim() !== "" ? "\n\n" : "";
  const inner = outer + (isItsPlace ? "" : " ".repeat(mark.length));
  return { from: start, to, insert: indented(lead + markdown + trail, inner) };
}

/** Plain text for this place. In a row of a table it stays on one line. */
export function fittingText(state: EditorState, at: number, text: string): string {
  return isInTable(state, at) ? inRow(text) : text;
}

/** Text for a row of a table. */
export function inRow(text: string): string {
  return sourceText(text.trim().replace(/\s*\n\s*/g, " "));
}

/** All lines but the first with these marks of quotes and this indent. */
function indented(text: string, inner: string): string {
  if (inner === "") return text;
  return text.split("\n").join(`\n${inner}`).replaceAll(`\n${inner}\n`, `\n${inner.trimEnd()}\n`);
}

export function isInTable(state: EditorState, at: number): boolean {
  for (let node: SyntaxNode | null = treeUpTo(state, at).resolveInner(at, -1); node; node = node.parent) {
    if (node.name === "Table")
      return at > node.from && (at < node.to || !state.sliceDoc(node.from, at).trimEnd().endsWith("|"));
  }
  return false;
}
