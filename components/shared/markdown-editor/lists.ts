import { EditorSelection, type EditorState, type SelectionRange, type StateCommand } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { linesBetween } from "@/components/shared/markdown-editor/lines-between";
import { BULLETS } from "@/lib/utils/block-marks";

/** Quotes, white space and the mark of a list's item with its task box. */
const ITEM = new RegExp(`^((?:\\s*>)*\\s*)([-*+${BULLETS}]|(\\d{1,9})([.)]))(\\s+)(\\[[ xX]\\]\\s+)?`);
const QUOTE = /^(\s*>\s?)+/;

/** Enter in a list or quote goes on with it; in an empty item or line of a quote it ends it. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly || !state.selection.ranges.every((range) => next(state, range))) return false;
  dispatch(
    state.update(
      state.changeByRange((range) => next(state, range) ?? { range }),
      { userEvent: "input", scrollIntoView: true },
    ),
  );
  return true;
};

function next(state: EditorState, { from, to }: SelectionRange) {
  const line = state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  if (isInCode(state, from)) return null;
  const item = ITEM.exec(line.text);
  if (item) {
    const [prefix, indent = "", mark = "", number, point, space = " ", box] = item;
    // If the caret is before the item's text, Enter moves the item down.
    if (before.length < prefix.length) return null;
    if (from === to && line.text.length === prefix.length) return ended(state, line, indent);
    const following = number === undefined ? mark : `${Number(number) + 1}${point}`;
    return insertedLine(from, to, `${indent}${following}${space}${box ? "[ ] " : ""}`);
  }
  const quote = QUOTE.exec(line.text)?.[0];
  if (!quote || before.length < quote.length) return null;
  if (from === to && line.text.length === quote.length) {
    return ended(state, line, "");
  }
  return insertedLine(from, to, quote);
}

/** An empty item moves out of the list that it is nested in. At the outermost level a blank line ends the list. */
function ended(state: EditorState, line: { from: number; to: number; number: number }, indent: string) {
  const outer = outerItem(state, line.number, indent.length);
  const insert = outer ?? "\n";
  return {
    changes: { from: line.from, to: line.to, insert },
    range: EditorSelection.cursor(line.from + insert.length),
  };
}

/** Returns the beginning of the item that would follow the one around this line. */
function outerItem({ doc }: EditorState, number: number, indent: number): string | null {
  for (let above = number - 1; above >= 1 && indent > 0; above -= 1) {
    const [, outer = "", mark = "", digits, point, space = ""] = ITEM.exec(doc.line(above).text) ?? [];
    if (mark && outer.length < indent)
      return `${outer}${digits === undefined ? mark : `${Number(digits) + 1}${point}`}${space}`;
  }
  return null;
}

function insertedLine(from: number, to: number, prefix: string) {
  const insert = `\n${prefix}`;
  return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
}

/** Backspace after the mark of an item or quote takes the mark away. */
export const deleteMark: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection;
  if (state.readOnly || ranges.length > 1 || !main.empty || isInCode(state, main.head)) return false;
  const line = state.doc.lineAt(main.head);
  const before = line.text.slice(0, main.head - line.from);
  const item = ITEM.exec(before);
  const isItem = item?.[0].length === before.length;
  const quote = QUOTE.exec(before)?.[0];
  if (!isItem && quote?.length !== before.length) return false;
  const kept = isItem ? (item?.[1] ?? "") : before.replace(/>\s?$/, "");
  dispatch(state.update({ changes: { from: line.from + kept.length, to: main.head }, userEvent: "delete.backward" }));
  return true;
};

/** Tab and Shift+Tab move items of a list in and out; elsewhere Tab leaves the editor. */
export function indentItem(by: 1 | -1): StateCommand {
  return ({ state, dispatch }) => {
    const lines = itemLines(state);
    if (state.readOnly || lines.length === 0) return false;
    const changes = lines.flatMap(({ from, text }) => {
      const [, indent = "", mark = ""] = ITEM.exec(text) ?? [];
      const at = from + indent.length;
      // The indent is as wide as the mark of the item above, so that it is this item's parent in every parser.
      const width = mark.length + 1;
      if (by === 1) return { from: at, insert: " ".repeat(width) };
      const spaces = /\s*$/.exec(indent)?.[0].length ?? 0;
      return spaces > 0 ? { from: at - Math.min(width, spaces), to: at } : [];
    });
    dispatch(state.update({ changes, userEvent: by === 1 ? "input.indent" : "delete.dedent" }));
    return true;
  };
}

function itemLines(state: EditorState): { from: number; text: string }[] {
  const { from, to } = state.selection.main;
  return [...linesBetween(state.doc, from, to)].filter(({ text, to }) => ITEM.test(text) && !isInCode(state, to));
}

/** Is the position in a block of code or HTML? */
export function isInCode(state: EditorState, at: number): boolean {
  for (let node: SyntaxNode | null = treeUpTo(state, at).resolveInner(at, -1); node; node = node.parent) {
    if (node.name === "FencedCode" || node.name === "CodeBlock" || node.name === "HTMLBlock") return true;
  }
  return false;
}
