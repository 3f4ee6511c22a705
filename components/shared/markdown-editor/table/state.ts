import { syntaxTree } from "@codemirror/language";
import {
  Annotation,
  type EditorState,
  type Range,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { SyntaxNode, Tree } from "@lezer/common";
import { treeUpTo } from "@/components/shared/markdown-editor/language";
import { partsOf } from "@/components/shared/markdown-editor/parser-in-parts";
import { isProposedFor, proposalOf } from "@/components/shared/markdown-editor/proposal";
import {
  changed,
  type Edit,
  isIn,
  type Place,
  placeAt,
  rangeOf,
  readTable,
  segmentOf,
  type Table,
  withWords,
  wordsOf,
} from "@/components/shared/markdown-editor/table/model";
import { TableWidget } from "@/components/shared/markdown-editor/table/widget";

/** A table in the text, which begins and ends there. */
export type TableInText = { table: Table; from: number; to: number };

/** The cell with the caret. Its words are in the text from here to there; see `rangeOf` about `isReady`. */
export type OpenCell = Place & { inText: TableInText; from: number; to: number; isReady: boolean };

type Shown = {
  tables: DecorationSet;
  cell: OpenCell | null;
  /** Where the table begins that shows as Markdown, while the caret is in it. */
  asSource: number | null;
  /** False until the user focuses or selects: the initial caret opens no cell. */
  isEntered: boolean;
};

/** The height of a table's bar with the room around it, in pixels. */
export const TABLE_BAR = 48;

/** The text has the focus. */
export const focused = StateEffect.define<boolean>();
/** Opens this cell of the table with the selection. */
export const opened = StateEffect.define<Place>();
/** Shows the table that begins here as Markdown. */
export const shownAsSource = StateEffect.define<number>();
/** Marks what the editor of a cell does. */
export const fromCell = Annotation.define<boolean>();

/** Shows tables as tables, and knows the cell with the caret. A state field, because a block changes the height of the text. */
export const tableField = StateField.define<Shown>({
  create: (state) => ({
    tables: decorate(state, null, syntaxTree(state)),
    cell: null,
    asSource: null,
    isEntered: false,
  }),
  update(shown, transaction) {
    const { state, selection, effects, changes } = transaction;
    const isEntered = shown.isEntered || selection !== undefined || effects.some((effect) => effect.is(focused));
    if (isEntered === shown.isEntered && !isStale(transaction)) return shown;
    const moved = shown.asSource === null ? null : changes.mapPos(shown.asSource, -1);
    const asked = effects.findLast((effect) => effect.is(shownAsSource))?.value ?? moved;
    const asSource = asked !== null && isInSource(state, asked) ? asked : null;
    // The cell stays open while the rest of the text is still being parsed.
    const tree = shown.cell ? treeUpTo(state, changes.mapPos(shown.cell.inText.to)) : syntaxTree(state);
    const tables = decorate(state, asSource, tree);
    return { tables, asSource, isEntered, cell: isEntered ? openCell(tables, shown.cell, transaction) : null };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ tables }) => tables),
    EditorView.atomicRanges.of((view) => view.state.field(field, false)?.tables ?? Decoration.none),
  ],
});

function isStale({ docChanged, selection, effects, startState, state }: Transaction): boolean {
  const isAsked = effects.some((effect) => effect.is(opened) || effect.is(shownAsSource));
  if (proposalOf(startState) !== proposalOf(state)) return true;
  return isAsked || docChanged || selection !== undefined || syntaxTree(startState) !== syntaxTree(state);
}

/** A longer table shows as it is typed. */
const MAX_CHARACTERS = 20_000;
/** A table with more cells shows as it is typed, too: each is an element, even one that its row lacks. */
const MAX_CELLS = 10_000;

function decorate(state: EditorState, asSource: number | null, tree: Tree): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { part, from: start } of partsOf(tree)) {
    for (const { from, to, widget } of tablesIn(state, tree, part, start)) {
      if (start + from === asSource || isProposedFor(state, start + from, start + to)) continue;
      ranges.push(Decoration.replace({ widget, block: true }).range(start + from, start + to));
    }
  }
  return Decoration.set(ranges);
}

type TableInPart = { from: number; to: number; widget: TableWidget };

const found = new WeakMap<Tree, TableInPart[]>();

/** The tables of the outermost level. Looked for once in each part, because a key changes only one. */
function tablesIn(state: EditorState, tree: Tree, part: Tree, start: number): TableInPart[] {
  const known = found.get(part);
  if (known) return known;
  const tables: TableInPart[] = [];
  for (let child = part.topNode.firstChild; child; child = child.nextSibling) {
    const node = child.name === "Table" ? tableNodeAt(tree, start + child.from) : null;
    if (!node || node.to - node.from > MAX_CHARACTERS) continue;
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    const table = readTable(state.sliceDoc(from, to));
    if (table && table.rows.length * table.columns <= MAX_CELLS)
      tables.push({ from: from - start, to: to - start, widget: new TableWidget(table) });
  }
  // A part that is still being parsed may grow.
  if (tree.length === state.doc.length || start + part.length < tree.length) found.set(part, tables);
  return tables;
}

function tableNodeAt(tree: Tree, position: number): SyntaxNode | null {
  let node: SyntaxNode | null = tree.resolveInner(position, 1);
  while (node && node.name !== "Table") node = node.parent;
  return node;
}

function isInSource(state: EditorState, from: number): boolean {
  const node = tableNodeAt(syntaxTree(state), from);
  const { main } = state.selection;
  return node !== null && main.from >= from && main.to <= state.doc.lineAt(node.to).to;
}

/** The table that is shown as one at this position. */
export function tableAt(state: EditorState, position: number): TableInText | null {
  return tableIn(state.field(tableField, false)?.tables ?? Decoration.none, position);
}

function tableIn(tables: DecorationSet, position: number): TableInText | null {
  let inText: TableInText | null = null;
  tables.between(position, position, (from, to, { spec }) => {
    inText = { table: (spec.widget as TableWidget).table, from, to };
  });
  return inText;
}

/** The cell with the caret, if it is in a table that is shown as one. */
export function cellOf(state: EditorState): OpenCell | null {
  return state.field(tableField, false)?.cell ?? null;
}

function openCell(tables: DecorationSet, before: OpenCell | null, transaction: Transaction): OpenCell | null {
  const { state, changes, effects } = transaction;
  const { head, anchor, from, to } = state.selection.main;
  const inText = tableIn(tables, head);
  if (!inText || anchor < inText.from || anchor > inText.to) return null;
  const isWhole = head !== anchor && from === inText.from && to === inText.to;
  if (isWhole) return null;
  const { table } = inText;
  const asked = effects.findLast((effect) => effect.is(opened))?.value;
  const start = before && changes.mapPos(before.inText.from, -1) === inText.from ? before : null;
  const kept = start && { from: changes.mapPos(start.from, -1), to: changes.mapPos(start.to, 1) };
  // While it is being typed in, the white space at its ends belongs to it.
  if (start && kept && transaction.annotation(fromCell) && !asked && isIn(table, start))
    return { ...start, ...kept, inText };
  const isSameGap = start && kept?.from === head && isIn(table, start) && segmentOf(table, start) === null;
  const place = asked && isIn(table, asked) ? asked : isSameGap ? start : placeAt(table, head - inText.from);
  const { row, column } = place;
  const range = rangeOf(table, place, inText.from);
  const segment = segmentOf(table, place);
  const isKept =
    start?.isReady &&
    start.row === row &&
    start.column === column &&
    kept !== null &&
    segment !== null &&
    inText.from + segment.from <= kept.from &&
    kept.to <= inText.from + segment.to &&
    kept.from <= range.from &&
    kept.to >= range.to;
  return { row, column, inText, ...range, ...(isKept && range.isReady ? kept : {}) };
}

/** The transaction that opens a cell, with the caret at an end of its words. */
export function opening({ table, from }: TableInText, place: Place, at: "start" | "end"): TransactionSpec {
  const words = rangeOf(table, place, from);
  return {
    selection: { anchor: at === "start" ? words.from : words.to },
    effects: opened.of(place),
    userEvent: "select",
  };
}

/** The transaction of a command: its changes, and the cell that is edited then, with the caret at the end of its words. */
export function editing({ table, from }: TableInText, { changes, place }: Edit): TransactionSpec {
  const made = readTable(changed(table.source, changes));
  const caret = made ? rangeOf(made, place).to : 0;
  return {
    changes: changes.map((change) => ({ ...change, from: from + change.from, to: from + change.to })),
    selection: { anchor: from + caret },
    effects: opened.of(place),
  };
}

/** Gives the cell with the caret its pipes and spaces in the text, if its row lacks them. Words and selection stay. */
export function complete(view: EditorView): void {
  const { state } = view;
  const cell = cellOf(state);
  if (!cell || cell.isReady || state.readOnly) return;
  const { table, from } = cell.inText;
  const edit = withWords(table, cell, wordsOf(table, cell));
  const made = readTable(changed(table.source, edit.changes));
  const moved = made ? from + rangeOf(made, cell).to - cell.to : 0;
  const { anchor, head } = state.selection.main;
  const selection = { anchor: anchor + moved, head: head + moved };
  view.dispatch({ ...editing(cell.inText, edit), selection, userEvent: "input" });
}

/** A command for a cell that its row may lack. */
export function inMadeCell(run: (view: EditorView) => boolean): (view: EditorView) => boolean {
  return (view) => {
    complete(view);
    return run(view);
  };
}
