import { EditorSelection, EditorState, Prec, type Transaction, type TransactionSpec } from "@codemirror/state";
import { Direction, EditorView, keymap } from "@codemirror/view";
import type { Place } from "@/components/shared/markdown-editor/table/model";
import {
  cellOf,
  opening,
  type TableInText,
  tableAt,
  tableField,
} from "@/components/shared/markdown-editor/table/state";

/** Ways of the caret into tables and out of them. */
export const moving = [
  Prec.high(
    keymap.of([
      { key: "ArrowDown", run: (view) => enterByLine(view, true) },
      { key: "ArrowUp", run: (view) => enterByLine(view, false) },
      { key: "ArrowRight", run: (view) => enterByCharacter(view, true) },
      { key: "ArrowLeft", run: (view) => enterByCharacter(view, false) },
      { key: "Backspace", run: keepApart(false) },
      { key: "Delete", run: keepApart(true) },
      // A line that is right below a table, but for the empty one, goes no further up.
      {
        key: "Alt-ArrowUp",
        run: ({ state }) => endAbove(state, state.doc.lineAt(state.selection.main.from).from - 1) !== null,
      },
    ]),
  ),
  EditorView.domEventHandlers({
    // The line that keeps apart what is composed comes first: a change beside it would end the composition.
    compositionstart(_event, view) {
      const { main } = view.state.selection;
      const end = main.empty ? endAbove(view.state, main.head) : null;
      if (end !== null) view.dispatch({ changes: { from: end, insert: "\n" }, userEvent: "input" });
    },
  }),
  EditorState.transactionFilter.of((transaction) => {
    const gaps =
      transaction.docChanged && EVENTS.some((event) => transaction.isUserEvent(event)) ? gapsFor(transaction) : [];
    return gaps.length > 0 ? [transaction, { changes: gaps, sequential: true }] : transaction;
  }),
];

/** What the user does to the text. Undo and changes from elsewhere leave each character as it was. */
const EVENTS = ["input", "delete", "move"];

/** The empty lines that keep what comes right below a table out of it: it would be a row. */
function gapsFor({ startState, changes, newDoc }: Transaction): { from: number; insert: string }[] {
  const gaps = new Map<number, string>();
  if (startState.field(tableField, false)?.tables.size === 0) return [];
  changes.iterChangedRanges((from, to) => {
    const end = to > from && tableAt(startState, from)?.to === from ? from : endAbove(startState, from);
    if (end === null) return;
    const place = changes.mapPos(end, -1);
    const last = newDoc.lineAt(place);
    const isBelow = last.number < newDoc.lines && newDoc.line(last.number + 1).text.trim() !== "";
    if (newDoc.sliceString(place, last.to).trim() !== "") gaps.set(place, "\n\n");
    else if (isBelow) gaps.set(last.to, "\n");
  });
  return [...gaps].map(([from, insert]) => ({ from, insert }));
}

/** The end of the table above, if this is on the empty line right below it. */
function endAbove(state: EditorState, at: number): number | null {
  if (at < 0) return null;
  const line = state.doc.lineAt(at);
  const end = line.from - 1;
  return line.text.trim() === "" && end >= 0 && tableAt(state, end)?.to === end ? end : null;
}

function enterByLine(view: EditorView, isForward: boolean): boolean {
  const { main } = view.state.selection;
  const table = main.empty ? tableBeside(view.state, main.head, isForward) : null;
  if (!table) return false;
  const line = view.state.doc.lineAt(main.head);
  const { head } = view.moveVertically(main, isForward);
  // Lines that wrap have more rows to go through.
  if (head !== main.head && head >= line.from && head <= line.to && isOtherRow(view, main.head, head)) return false;
  return enter(view, table, isForward);
}

/** True if two places of a line that wraps are on different rows of the screen. */
export function isOtherRow(view: EditorView, head: number, other: number): boolean {
  const [here, there] = [view.coordsAtPos(head), view.coordsAtPos(other)];
  return here !== null && there !== null && Math.abs(here.top - there.top) > (here.bottom - here.top) / 2;
}

function enterByCharacter(view: EditorView, isRight: boolean): boolean {
  const { main } = view.state.selection;
  const isForward = isRight === (view.textDirectionAt(main.head) === Direction.LTR);
  const line = view.state.doc.lineAt(main.head);
  const table =
    main.empty && main.head === (isForward ? line.to : line.from)
      ? tableBeside(view.state, main.head, isForward)
      : null;
  return table !== null && enter(view, table, isForward);
}

/** The table right below or above the line of this position. */
function tableBeside(state: EditorState, position: number, isBelow: boolean): TableInText | null {
  const line = state.doc.lineAt(position);
  const at = isBelow ? line.to + 1 : line.from - 1;
  if (at < 0 || at > state.doc.length) return null;
  const table = tableAt(state, at);
  return table && (isBelow ? table.from === at : table.to === at) ? table : null;
}

function enter(view: EditorView, inText: TableInText, isFirst: boolean): boolean {
  const { table } = inText;
  const place: Place = isFirst ? { row: 0, column: 0 } : { row: table.rows.length - 1, column: table.columns - 1 };
  view.dispatch(opening(inText, place, isFirst ? "start" : "end"), { scrollIntoView: true });
  return true;
}

/** A line that came to be beside a table would become a row of it, so that the caret goes into the table instead. */
function keepApart(isForward: boolean) {
  return (view: EditorView): boolean => {
    const { state } = view;
    const { head, empty } = state.selection.main;
    const line = state.doc.lineAt(head);
    if (!empty || head !== (isForward ? line.to : line.from)) return false;
    const table = tableBeside(state, head, isForward);
    if (table) return isForward && line.text.trim() === "" ? false : enter(view, table, isForward);
    if (isForward || line.text.trim() === "" || line.number < 3) return false;
    const blank = state.doc.line(line.number - 1);
    const above = blank.text.trim() === "" ? tableBeside(state, blank.from, false) : null;
    return above !== null && enter(view, above, false);
  };
}

/** The transaction after which the caret is below a table or above it, on a new line if there is none. */
export function leaving(state: EditorState, { from, to }: TableInText, isBelow: boolean): TransactionSpec {
  const line = state.doc.lineAt(isBelow ? to : from);
  const isThere = isBelow ? line.number < state.doc.lines : line.number > 1;
  if (isThere) return { selection: EditorSelection.cursor(isBelow ? to + 1 : from - 1), scrollIntoView: true };
  return isBelow
    ? { changes: { from: to, insert: "\n" }, selection: { anchor: to + 1 }, scrollIntoView: true, userEvent: "input" }
    : { changes: { from, insert: "\n\n" }, selection: { anchor: from }, scrollIntoView: true, userEvent: "input" };
}

/** Moves the caret out of its table, below or above it. */
export function leave(view: EditorView, isBelow: boolean): boolean {
  const cell = cellOf(view.state);
  if (!cell) return false;
  view.dispatch(leaving(view.state, cell.inText, isBelow));
  view.focus();
  return true;
}
