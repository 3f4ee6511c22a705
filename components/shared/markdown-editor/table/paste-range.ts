import type { EditorState, TransactionSpec } from "@codemirror/state";
import { inRow } from "@/components/shared/markdown-editor/paste-fit";
import { placeAt, readTable, withRange, wordsOf } from "@/components/shared/markdown-editor/table/model";
import { editing, tableAt } from "@/components/shared/markdown-editor/table/state";

/** The words of cells that are pasted, as Markdown. */
export type CellRange = string[][];

/** The cells of a text that is one table of Markdown and no more. */
export function rangeOfMarkdown(markdown: string): CellRange | null {
  const table = readTable(markdown.trim());
  if (!table) return null;
  const { rows, columns } = table;
  return rows.map((_, row) => Array.from({ length: columns }, (_, column) => wordsOf(table, { row, column })));
}

/** The cells that a spreadsheet copies as text: tabs between them, and quotes around those with tabs or lines. */
export function rangeOfText(text: string): CellRange {
  const rows: CellRange = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(CELL)) {
    rows.at(-1)?.push(inRow(quoted === undefined ? plain : quoted.replaceAll('""', '"')));
    if (end === "\n") rows.push([]);
    // The end of the text is found once more.
    if (end === "") break;
  }
  const last = rows.at(-1);
  if (rows.length > 1 && last?.every((words) => words === "")) rows.pop();
  return rows;
}

const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/g;

/** The transaction that fills cells from the one at this position, or null outside of tables. */
export function fillingFrom(state: EditorState, position: number, range: CellRange): TransactionSpec | null {
  const inText = tableAt(state, position);
  if (!inText) return null;
  return editing(inText, withRange(inText.table, placeAt(inText.table, position - inText.from), range));
}
