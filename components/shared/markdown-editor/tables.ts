import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Range, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { SyntaxNode, Tree } from "@lezer/common";
import { partsOf } from "@/components/shared/markdown-editor/parser-in-parts";
import { isProposedFor, proposalOf } from "@/components/shared/markdown-editor/proposal";
import { renderInline } from "@/components/shared/markdown-editor/render-inline";
import { openInCell } from "@/components/shared/markdown-editor/source-chips";
import { element } from "@/components/shared/markdown-editor/widgets";

type Shown = { hasFocus: boolean; tables: DecorationSet };

const focused = StateEffect.define<boolean>();

/** Shows tables as tables while the caret is elsewhere. A state field, because a block changes the height of the text. */
const field = StateField.define<Shown>({
  create: (state) => ({ hasFocus: false, tables: decorate(state, false) }),
  update(shown, transaction) {
    const hasFocus = transaction.effects.findLast((effect) => effect.is(focused))?.value ?? shown.hasFocus;
    if (hasFocus === shown.hasFocus && !isStale(transaction)) return shown;
    return { hasFocus, tables: decorate(transaction.state, hasFocus) };
  },
  provide: (value) => EditorView.decorations.from(value, ({ tables }) => tables),
});

export const tables = [field, EditorView.focusChangeEffect.of((_state, hasFocus) => focused.of(hasFocus))];

function isStale({ docChanged, selection, startState, state }: Transaction): boolean {
  if (docChanged || selection !== undefined || proposalOf(startState) !== proposalOf(state)) return true;
  return syntaxTree(startState) !== syntaxTree(state);
}

/** A longer table shows as it is typed. */
const MAX_CHARACTERS = 20_000;

function decorate(state: EditorState, hasFocus: boolean): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const tree = syntaxTree(state);
  for (const { part, from: start } of partsOf(tree)) {
    for (const place of tablesIn(part)) {
      const node = tableAt(tree, start + place);
      if (!node || node.to - node.from > MAX_CHARACTERS) continue;
      const { from } = state.doc.lineAt(node.from);
      const { to } = state.doc.lineAt(node.to);
      const isTouched = hasFocus && state.selection.ranges.some((range) => range.from <= to && range.to >= from);
      if (isTouched || isProposedFor(state, from, to)) continue;
      const widget = new TableWidget(state.sliceDoc(from, to), state, node, from);
      ranges.push(Decoration.replace({ widget, block: true }).range(from, to));
    }
  }
  return Decoration.set(ranges);
}

const found = new WeakMap<Tree, number[]>();

/** Where the tables of the outermost level begin. Looked for once in each part, because a key changes only one. */
function tablesIn(part: Tree): number[] {
  const known = found.get(part);
  if (known) return known;
  const places: number[] = [];
  for (let node = part.topNode.firstChild; node; node = node.nextSibling) {
    if (node.name === "Table") places.push(node.from);
  }
  found.set(part, places);
  return places;
}

function tableAt(tree: Tree, position: number): SyntaxNode | null {
  let node: SyntaxNode | null = tree.resolveInner(position, 1);
  while (node && node.name !== "Table") node = node.parent;
  return node;
}

class TableWidget extends WidgetType {
  constructor(
    readonly source: string,
    readonly state: EditorState,
    readonly node: SyntaxNode,
    readonly from: number,
  ) {
    super();
  }

  override eq(other: TableWidget): boolean {
    return other.source === this.source;
  }

  override get estimatedHeight(): number {
    return (this.source.split("\n").length - 1) * ROW_HEIGHT;
  }

  override toDOM(view: EditorView): HTMLElement {
    const table = element("table", "");
    const alignments = alignmentsOf(this.source);
    for (const row of [...this.node.getChildren("TableHeader"), ...this.node.getChildren("TableRow")]) {
      const line = element("tr", "");
      for (const [index, cell] of cellsOf(this.state, row).entries()) {
        if (index >= alignments.length) break;
        const shown = element(row.name === "TableHeader" ? "th" : "td", alignments[index] ?? "");
        shown.dir = "auto";
        shown.dataset.offset = String(cell.at - this.from);
        if (cell.node) shown.append(renderInline(this.state, cell.node));
        line.append(shown);
      }
      table.append(line);
    }
    const frame = element("div", "cm-table");
    frame.append(table);
    // A click puts the caret into the cell, where the table becomes text, or opens a chip.
    frame.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const target = event.target instanceof Element ? event.target : null;
      const cell = target?.closest<HTMLElement>("[data-offset]");
      const anchor = view.posAtDOM(frame) + Number(cell?.dataset.offset ?? 0);
      const chip = [...(cell?.querySelectorAll(".cm-source-mark") ?? [])].findIndex((each) => each.contains(target));
      if (chip >= 0) return openInCell(view, anchor, chip);
      view.dispatch({ selection: { anchor } });
      view.focus();
    });
    return frame;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const ROW_HEIGHT = 40;

/** The cells of a row, also those without text. */
function cellsOf(state: EditorState, row: SyntaxNode): { node: SyntaxNode | null; at: number }[] {
  const cells: { node: SyntaxNode | null; at: number }[] = [];
  let at = row.from;
  let cell: SyntaxNode | null = null;
  let hasText = state.sliceDoc(row.from, row.from + 1) !== "|";
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === "TableCell") {
      cell = child;
      at = child.from;
      hasText = true;
    } else if (child.name === "TableDelimiter") {
      if (hasText) cells.push({ node: cell, at });
      cell = null;
      at = child.to;
      hasText = child.to < row.to && state.sliceDoc(child.to, row.to).trim() !== "";
    }
  }
  if (hasText) cells.push({ node: cell, at });
  return cells;
}

/** The class of each column, by the second line. */
function alignmentsOf(source: string): string[] {
  const [, line = ""] = source.split("\n", 2);
  const columns = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|");
  return columns.map((column) => {
    const mark = column.trim();
    if (mark.endsWith(":")) return mark.startsWith(":") ? "cm-center" : "cm-end";
    return "";
  });
}
