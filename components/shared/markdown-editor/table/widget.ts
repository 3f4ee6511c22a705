import { type EditorView, type Rect, WidgetType } from "@codemirror/view";
import { cellMarkdown } from "@/components/shared/markdown-editor/language";
import { renderInline } from "@/components/shared/markdown-editor/render-inline";
import { shownText } from "@/components/shared/markdown-editor/table/cell-text";
import { alignmentOf, type Place, placeAt, type Table, wordsOf } from "@/components/shared/markdown-editor/table/model";
import { element } from "@/components/shared/markdown-editor/widgets";

const ROW_HEIGHT = 40;

/** The cell with this class has an editor, which alone changes what is in it. */
export const OPEN = "cm-cell-open";

/** Draws a table. When its source changes, only the changed cells are redrawn, and the open one never is. */
export class TableWidget extends WidgetType {
  constructor(readonly table: Table) {
    super();
  }

  override eq(other: TableWidget): boolean {
    return other.table.source === this.table.source;
  }

  override get estimatedHeight(): number {
    return this.table.rows.length * ROW_HEIGHT;
  }

  override toDOM(): HTMLElement {
    const table = document.createElement("table");
    fill(table, this.table);
    const scroller = element("div", "cm-table-scroller");
    scroller.append(table);
    const frame = element("div", "cm-table");
    frame.append(scroller);
    return frame;
  }

  override updateDOM(frame: HTMLElement, _view: EditorView, before: WidgetType): boolean {
    const table = frame.querySelector("table");
    if (!table || !(before instanceof TableWidget)) return false;
    fill(table, this.table, before.table);
    return true;
  }

  override coordsAt(frame: HTMLElement, position: number): Rect | null {
    return cellAt(frame, placeAt(this.table, position))?.getBoundingClientRect() ?? null;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The element of a cell. */
export function cellAt(frame: Element, { row, column }: Place): HTMLTableCellElement | undefined {
  return frame.querySelector("table")?.rows[row]?.cells[column];
}

/** The words of a cell as they look. */
export function renderWords(words: string): DocumentFragment {
  const text = shownText(words);
  const paragraph = cellMarkdown.parser.parse(text).topNode.firstChild;
  if (!paragraph) return document.createDocumentFragment();
  return renderInline({ sliceDoc: (from, to) => text.slice(from, to) }, paragraph);
}

/** Brings the element of a table from what it shows to what it is to show. */
function fill(shown: HTMLTableElement, table: Table, before?: Table): void {
  const direction = directionOf(table.source);
  if (shown.dir !== direction) shown.dir = direction;
  const alignments = Array.from({ length: table.columns }, (_, column) => alignmentOf(table, column));
  while (shown.rows.length > table.rows.length) shown.rows[shown.rows.length - 1]?.remove();
  for (let row = 0; row < table.rows.length; row += 1) {
    const line = shown.rows[row] ?? shown.appendChild(document.createElement("tr"));
    while (line.cells.length > table.columns) line.cells[line.cells.length - 1]?.remove();
    for (const [column, alignment] of alignments.entries()) {
      const cell = line.cells[column] ?? line.appendChild(emptyCell(row));
      if (cell.dataset.align !== alignment) cell.dataset.align = alignment;
      const words = wordsOf(table, { row, column });
      const isSame = before && row < before.rows.length && words === wordsOf(before, { row, column });
      if (!isSame && !cell.classList.contains(OPEN)) cell.replaceChildren(renderWords(words));
    }
  }
}

function emptyCell(row: number): HTMLTableCellElement {
  const cell = document.createElement(row === 0 ? "th" : "td") as HTMLTableCellElement;
  if (row === 0) cell.scope = "col";
  cell.dir = "auto";
  return cell;
}

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]|\uD802|\uD803|\uD83A|\uD83B/;

/** The columns go the way of the first letter, as its line would. */
function directionOf(source: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(LETTER.exec(source)?.[0] ?? "") ? "rtl" : "ltr";
}
