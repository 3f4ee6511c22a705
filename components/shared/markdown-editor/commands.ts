import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type SelectionRange,
  type StateCommand,
  type TransactionSpec,
} from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { linesBetween } from "@/components/shared/markdown-editor/lines-between";
import { ADDRESS } from "@/components/shared/markdown-editor/link-target";
import { BULLETS } from "@/lib/utils/block-marks";
import { encodeBrackets } from "@/lib/utils/web-address";

/** What is written around a text to give it a form. */
export type InlineForm = "strong" | "emphasis" | "strikethrough" | "code";

const FORMS: Record<InlineForm, { mark: string; node: string; child: string }> = {
  strong: { mark: "**", node: "StrongEmphasis", child: "EmphasisMark" },
  emphasis: { mark: "*", node: "Emphasis", child: "EmphasisMark" },
  strikethrough: { mark: "~~", node: "Strikethrough", child: "StrikethroughMark" },
  code: { mark: "`", node: "InlineCode", child: "CodeMark" },
};

/** Toggles bold, italic and so on: removes the form if the whole selection has it, else adds it. */
export function toggleForm(form: InlineForm): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    dispatch(
      state.update(
        state.changeByRange((range) => toggled(state, range, form)),
        { userEvent: "input", scrollIntoView: true },
      ),
    );
    return true;
  };
}

/** True if the selection has this form, for a pressed button. */
export function hasForm(state: EditorState, form: InlineForm): boolean {
  return formAround(state, state.selection.main, form) !== null;
}

function toggled(state: EditorState, range: SelectionRange, form: InlineForm) {
  const { mark, child } = FORMS[form];
  const around = formAround(state, range, form);
  if (around) {
    const changes = around.getChildren(child).map(({ from, to }) => ({ from, to }));
    return { changes, range: mapped(state, range, changes) };
  }
  // The marks were typed a moment ago, with nothing between them.
  const before = state.sliceDoc(range.from - mark.length, range.from);
  if (range.empty && before === mark && state.sliceDoc(range.to, range.to + mark.length) === mark) {
    const changes = { from: range.from - mark.length, to: range.to + mark.length };
    return { changes, range: EditorSelection.cursor(changes.from) };
  }
  const word = range.empty ? state.wordAt(range.head) : range;
  if (!word) {
    const at = range.head;
    return { changes: { from: at, insert: mark + mark }, range: EditorSelection.cursor(at + mark.length) };
  }
  const changes: ChangeSpec[] = partsOf(state, word.from, word.to).flatMap(({ from, to }) => [
    { from, insert: mark },
    { from: to, insert: mark },
  ]);
  const set = state.changes(changes);
  if (range.empty) return { changes, range: EditorSelection.cursor(set.mapPos(range.head, -1)) };
  return {
    changes,
    range: EditorSelection.range(
      set.mapPos(range.anchor, range.anchor < range.head ? 1 : -1),
      set.mapPos(range.head, range.anchor < range.head ? -1 : 1),
    ),
  };
}

function mapped(state: EditorState, range: SelectionRange, changes: ChangeSpec): SelectionRange {
  return range.map(state.changes(changes));
}

/** Marks do not work across blocks and beside white space: returns one part for each line, without its list or quote marks. */
function partsOf(state: EditorState, start: number, end: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const line of linesBetween(state.doc, start, end)) {
    const from = Math.max(start, line.from + prefixOf(line.text).length);
    const to = Math.min(end, line.to);
    const text = state.sliceDoc(from, Math.max(from, to));
    const trimmed = text.trim();
    if (trimmed) {
      const begin = from + text.indexOf(trimmed);
      parts.push({ from: begin, to: begin + trimmed.length });
    }
  }
  return parts;
}

function formAround(
  state: EditorState,
  { from, to }: { from: number; to: number },
  form: InlineForm,
): SyntaxNode | null {
  const { node } = FORMS[form];
  for (const side of [1, -1] as const) {
    for (let at: SyntaxNode | null = treeUpTo(state, to).resolveInner(from, side); at; at = at.parent) {
      if (at.name === node && at.from <= from && at.to >= to) return at;
    }
  }
  return null;
}

const BULLET = `[-*+${BULLETS}]`;

/** Marks at the start of a line: quotes, then a list's or a heading's. */
const PREFIX = new RegExp(`^\\s*(?:>\\s?)*(?:(?:${BULLET}|\\d{1,9}[.)])\\s+(?:\\[[ xX]\\]\\s+)?|#{1,6}\\s+)?`);

function prefixOf(text: string): string {
  return PREFIX.exec(text)?.[0] ?? "";
}

export type BlockForm =
  | "paragraph"
  | "heading-2"
  | "heading-3"
  | "heading-4"
  | "bullets"
  | "numbers"
  | "tasks"
  | "quote";

const BLOCK_MARK: Record<BlockForm, RegExp> = {
  paragraph: /^$/,
  "heading-2": /^##\s+/,
  "heading-3": /^###\s+/,
  "heading-4": /^####\s+/,
  bullets: new RegExp(`^${BULLET}\\s+(?!\\[[ xX]\\] )`),
  numbers: /^\d{1,9}[.)]\s+/,
  tasks: new RegExp(`^${BULLET}\\s+\\[[ xX]\\] +`),
  quote: /^>\s?/,
};
const ANY_BLOCK_MARK = new RegExp(`^(?:#{1,6}\\s+|${BULLET}\\s+(?:\\[[ xX]\\] +)?|\\d{1,9}[.)]\\s+|>\\s?)`);

/** Makes the lines of the selection a heading, list or quote; lines that are one already become paragraphs. */
export function toggleBlock(form: BlockForm): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const lines = selectedLines(state);
    const isOn = form !== "paragraph" && lines.every(({ text }) => BLOCK_MARK[form].test(text.trimStart()));
    const changes = lines.map(({ from, text }, index) => {
      const indent = text.length - text.trimStart().length;
      const old = ANY_BLOCK_MARK.exec(text.trimStart())?.[0] ?? "";
      const start = from + indent;
      return { from: start, to: start + old.length, insert: isOn ? "" : newMark(form, index + 1) };
    });
    const set = state.changes(changes);
    dispatch(
      state.update({ changes: set, selection: state.selection.map(set, 1), userEvent: "input", scrollIntoView: true }),
    );
    return true;
  };
}

/** The form of the caret's line, for a pressed button. */
export function blockForm(state: EditorState): BlockForm {
  const text = state.doc.lineAt(state.selection.main.head).text.trimStart();
  const forms = Object.keys(BLOCK_MARK) as BlockForm[];
  return forms.find((form) => form !== "paragraph" && BLOCK_MARK[form].test(text)) ?? "paragraph";
}

function newMark(form: BlockForm, number: number): string {
  if (form.startsWith("heading-")) return `${"#".repeat(Number(form.slice(-1)))} `;
  return { bullets: "- ", numbers: `${number}. `, tasks: "- [ ] ", quote: "> " }[form as string] ?? "";
}

function selectedLines(state: EditorState): { from: number; text: string }[] {
  const { from, to } = state.selection.main;
  const lines = [...linesBetween(state.doc, from, to)];
  return from === to ? lines : lines.filter(({ text }) => text.trim() !== "");
}

/** Puts the selected text in `[…](address)`, if the pasted text is one address. */
export function linkFromPaste(state: EditorState, pasted: string): TransactionSpec | null {
  const address = pasted.trim();
  if (!ADDRESS.test(address)) return null;
  if (state.selection.ranges.some(({ empty, from, to }) => empty || state.doc.lineAt(from).to < to)) return null;
  return {
    ...state.changeByRange(({ from, to }) => {
      const insert = `[${state.sliceDoc(from, to)}](${encodeBrackets(address)})`;
      return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
    }),
    userEvent: "input.paste",
    scrollIntoView: true,
  };
}

const TABLE = ["| Column | Column |", "| --- | --- |", "|  |  |"];

export const insertTable = (view: EditorView) => insertBlock(view, TABLE.join("\n"), { from: 2, to: 8 });
export const insertDivider = (view: EditorView) => insertBlock(view, "---");

/** Inserts a block after the caret's line, with blank lines around it; `selected` is relative to the block. */
function insertBlock({ state, dispatch }: EditorView, block: string, selected?: { from: number; to: number }): boolean {
  if (state.readOnly) return false;
  const line = state.doc.lineAt(state.selection.main.head);
  const isBlank = line.text.trim() === "";
  const previous = line.number > 1 ? state.doc.line(line.number - 1).text : "";
  const before = isBlank ? (previous.trim() ? "\n" : "") : "\n\n";
  const at = isBlank ? line.from : line.to;
  const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : null;
  const after = next === null ? "\n\n" : next.trim() ? "\n" : "";
  const start = at + before.length;
  dispatch(
    state.update({
      changes: { from: at, to: line.to, insert: before + block + after },
      selection: selected
        ? EditorSelection.range(start + selected.from, start + selected.to)
        : { anchor: start + block.length + after.length },
      userEvent: "input",
      scrollIntoView: true,
    }),
  );
  return true;
}
