import type { Extension } from "@codemirror/state";
import { Direction, type EditorView, keymap } from "@codemirror/view";
import { COMMANDS, isIn, type TableCommand } from "@/components/shared/markdown-editor/table/model";
import { isOtherRow, leave } from "@/components/shared/markdown-editor/table/moving";
import { cellOf, opening } from "@/components/shared/markdown-editor/table/state";
import { focusBar, runCommand } from "@/components/shared/markdown-editor/table/table-bar";

/** The keys in a cell's editor that have to do with the table around. */
export function cellKeys(around: EditorView): Extension {
  return keymap.of([
    { key: "Tab", run: () => goOn(around, 1, "end"), shift: () => goOn(around, -1, "end") },
    { key: "Enter", run: () => goByRow(around, 1) || addRow(around, COMMANDS.rowBelow), shift: breakLine },
    { key: "ArrowDown", run: (view) => isAtEdge(view, true) && (goByRow(around, 1) || leave(around, true)) },
    { key: "ArrowUp", run: (view) => isAtEdge(view, false) && (goByRow(around, -1) || leave(around, false)) },
    { key: "ArrowRight", run: (view) => goByCharacter(view, around, true) },
    { key: "ArrowLeft", run: (view) => goByCharacter(view, around, false) },
    { key: "Escape", run: () => leave(around, true) },
    { key: "Alt-F10", run: () => focusBar(around) },
    { key: "Mod-a", run: (view) => selectText(view, around) },
    // At its ends, a cell has nothing to delete.
    { key: "Backspace", run: ({ state: { selection } }) => selection.main.empty && selection.main.head === 0 },
    {
      key: "Delete",
      run: ({ state: { selection, doc } }) => selection.main.empty && selection.main.head === doc.length,
    },
    { key: "Mod-Enter", run: () => true },
  ]);
}

/** Goes to the cell after this one or before it; `isLeaving`: after the last one to the text below, not to a new row. */
function goOn(around: EditorView, by: 1 | -1, at: "start" | "end", isLeaving = false): boolean {
  const cell = cellOf(around.state);
  if (!cell) return false;
  const { table } = cell.inText;
  const index = cell.row * table.columns + cell.column + by;
  const place = { row: Math.floor(index / table.columns), column: index % table.columns };
  if (isIn(table, place)) {
    around.dispatch(opening(cell.inText, place, at), { scrollIntoView: true });
    return true;
  }
  return by < 0 || isLeaving ? leave(around, by > 0) : addRow(around, rowFromStart);
}

function goByRow(around: EditorView, by: 1 | -1): boolean {
  const cell = cellOf(around.state);
  const place = cell && { row: cell.row + by, column: cell.column };
  if (!place || !isIn(cell.inText.table, place)) return false;
  around.dispatch(opening(cell.inText, place, by > 0 ? "start" : "end"), { scrollIntoView: true });
  return true;
}

const rowFromStart: TableCommand = (table, { row }) => COMMANDS.rowBelow(table, { row, column: 0 });

function addRow(around: EditorView, command: TableCommand): boolean {
  runCommand(around, command, "Row added");
  return true;
}

function breakLine(view: EditorView): boolean {
  if (!view.state.readOnly) {
    view.dispatch(view.state.replaceSelection("<br>"), { userEvent: "input", scrollIntoView: true });
  }
  return true;
}

/** True on the first row of a cell's words, or the last one. */
function isAtEdge(view: EditorView, isBelow: boolean): boolean {
  const { head, empty } = view.state.selection.main;
  return empty && !isOtherRow(view, head, isBelow ? view.state.doc.length : 0);
}

function goByCharacter(view: EditorView, around: EditorView, isRight: boolean): boolean {
  const { main, ranges } = view.state.selection;
  if (!main.empty || ranges.length > 1) return false;
  const isForward = isRight === (view.textDirectionAt(main.head) === Direction.LTR);
  if (main.head !== (isForward ? view.state.doc.length : 0)) return false;
  return goOn(around, isForward ? 1 : -1, isForward ? "start" : "end", true);
}

/** All of the cell, then all of the text. */
function selectText(view: EditorView, around: EditorView): boolean {
  const { main } = view.state.selection;
  if (main.from > 0 || main.to < view.state.doc.length) return false;
  around.dispatch({ selection: { anchor: 0, head: around.state.doc.length }, userEvent: "select" });
  around.focus();
  return true;
}
