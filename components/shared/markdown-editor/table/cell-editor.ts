import { redo, standardKeymap, undo } from "@codemirror/commands";
import { Annotation, EditorState, type Extension, Prec, Transaction, type TransactionSpec } from "@codemirror/state";
import { EditorView, type KeyBinding, keymap, tooltips, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { edges } from "@/components/shared/markdown-editor/edges";
import { keptSelection } from "@/components/shared/markdown-editor/kept-selection";
import { cellMarkdown } from "@/components/shared/markdown-editor/language";
import { livePreview } from "@/components/shared/markdown-editor/live-preview";
import { type SelectionTool, selectionBar } from "@/components/shared/markdown-editor/selection-bar";
import { openByClick, openInCell } from "@/components/shared/markdown-editor/source-chips";
import { shownPlace, shownText, sourcePlace, sourceText } from "@/components/shared/markdown-editor/table/cell-text";
import { cellKeys } from "@/components/shared/markdown-editor/table/keys";
import {
  changed,
  difference,
  rangeOf,
  readTable,
  withWords,
  wordsOf,
} from "@/components/shared/markdown-editor/table/model";
import { leaving } from "@/components/shared/markdown-editor/table/moving";
import {
  cellOf,
  complete,
  editing,
  focused,
  fromCell,
  type OpenCell,
  opening,
  TABLE_BAR,
  tableAt,
} from "@/components/shared/markdown-editor/table/state";
import { TableBar } from "@/components/shared/markdown-editor/table/table-bar";
import { cellAt, OPEN, renderWords } from "@/components/shared/markdown-editor/table/widget";
import { typing } from "@/components/shared/markdown-editor/typing";

/** What the editors of cells have of the editor around them. */
export type CellOptions = {
  /** Keys that act on the text around the cell, such as undo. */
  keys: readonly KeyBinding[];
  tools: readonly SelectionTool[];
  /** What takes pastes and drops, into the text of this editor. */
  pasting: (around: EditorView) => Extension;
};

/** Marks what a cell's editor takes over from the text. */
const fromText = Annotation.define<boolean>();

/** Edits the cell with the caret in an editor of its own, whose text is a part of the text and has no history. */
export function cellEditor(options: CellOptions): Extension {
  const plugin = ViewPlugin.define((view) => new CellEditor(view, options));
  return [
    plugin,
    EditorView.updateListener.of((update) => update.view.plugin(plugin)?.follow(update)),
    Prec.highest(
      EditorView.domEventHandlers({
        // With the table out of sight, the caret comes into sight first.
        keydown: (event, view) => view.plugin(plugin)?.comeBack(event) ?? false,
        focus: (_event, view) => view.plugin(plugin)?.goOn(),
      }),
    ),
    EditorView.focusChangeEffect.of((_state, hasFocus) => (hasFocus ? focused.of(true) : null)),
  ];
}

const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

class CellEditor {
  #open: { view: EditorView; element: HTMLTableCellElement; bar: TableBar } | null = null;
  #hadFocus = false;
  readonly #press = (event: MouseEvent) => this.#pressed(event);

  constructor(
    readonly view: EditorView,
    readonly options: CellOptions,
  ) {
    view.contentDOM.addEventListener("mousedown", this.#press, { capture: true });
  }

  /** Before the text is drawn, which may take away the element with the focus. */
  update(): void {
    this.#hadFocus = this.#open?.view.hasFocus ?? false;
  }

  /** Once the text is drawn. */
  follow(update: ViewUpdate): void {
    const { view } = this;
    const cell = cellOf(view.state);
    const element = cell && this.#elementOf(cell);
    const isSame = this.#open !== null && element === this.#open.element;
    if (!isSame) this.#close();
    if (cell && element) {
      if (this.#open) this.#sync(this.#open.view, cell, update);
      else this.#mount(cell, element, update);
      if (update.docChanged || update.selectionSet) this.#open?.bar.close();
    }
    // What a key has opened, such as the search, keeps the focus that it took.
    const isLost = this.#hadFocus && (document.activeElement ?? document.body) === document.body;
    const isWanted = view.hasFocus || isLost;
    if (!isWanted) return;
    if (this.#open) {
      if (!this.#open.view.hasFocus) this.#open.view.focus();
    } else if (!view.hasFocus) view.focus();
  }

  /** The focus of the text is the cell's. */
  goOn(): void {
    if (this.#open && cellOf(this.view.state)) this.#open.view.focus();
  }

  comeBack(event: KeyboardEvent): boolean {
    const { view } = this;
    const { key, ctrlKey, metaKey } = event;
    // AltGr, which types, comes with Ctrl on Windows.
    const isShortcut = (ctrlKey || metaKey) && !event.getModifierState("AltGraph");
    if (this.#open !== null || cellOf(view.state) === null || isShortcut || MODIFIERS.has(key)) return false;
    view.dispatch({ scrollIntoView: true });
    if (key.length === 1 && !view.state.readOnly) {
      complete(view);
      view.dispatch(view.state.replaceSelection(sourceText(key)), { userEvent: "input.type" });
    }
    return true;
  }

  #elementOf({ inText, row, column }: OpenCell): HTMLTableCellElement | undefined {
    const frame = this.#frames().find((each) => this.view.posAtDOM(each) === inText.from);
    return frame && cellAt(frame, { row, column });
  }

  #frames(): Element[] {
    return [...this.view.contentDOM.getElementsByClassName("cm-table")];
  }

  #mount(cell: OpenCell, element: HTMLTableCellElement, { transactions }: ViewUpdate): void {
    const around = this.view;
    const frame = element.closest(".cm-table") as HTMLElement;
    const text = shownText(around.state.sliceDoc(cell.from, cell.to));
    const view = new EditorView({
      state: EditorState.create({
        doc: text,
        selection: shownSelection(around.state, cell, text),
        extensions: extensionsOf(around, nameOf(cell), this.options),
      }),
      dispatchTransactions: (transactions, made) => this.#dispatch(transactions, made),
    });
    element.classList.add(OPEN);
    element.replaceChildren(view.dom);
    this.#open = { view, element, bar: new TableBar(around, frame) };
    const isSought = transactions.some(({ scrollIntoView }) => scrollIntoView);
    if (isSought) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main) });
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    open.bar.destroy();
    open.view.destroy();
    open.element.classList.remove(OPEN);
    const frame = open.element.closest(".cm-table");
    const table = frame?.isConnected ? tableAt(this.view.state, this.view.posAtDOM(frame)) : null;
    const line = open.element.parentElement as HTMLTableRowElement | null;
    if (!table || !line) return;
    const place = { row: line.rowIndex, column: open.element.cellIndex };
    open.element.replaceChildren(renderWords(wordsOf(table.table, place)));
  }

  /** Applies what the cell's editor does to the text first, which may refuse it. */
  #dispatch(transactions: readonly Transaction[], made: EditorView): void {
    const last = transactions.at(-1);
    const around = this.view;
    const cell = cellOf(around.state);
    const isOwn = transactions.some((each) => !each.annotation(fromText) && (each.docChanged || each.selection));
    if (!last || !cell || !isOwn || this.#open?.view !== made) {
      made.update(transactions);
      return;
    }
    const { doc } = around.state;
    const isChanged = transactions.some(({ docChanged }) => docChanged);
    around.dispatch(isChanged ? changeOf(around.state, cell, transactions) : selectionOf(cell, last.state));
    // It would be longer than allowed.
    if (isChanged && around.state.doc.eq(doc)) return;
    made.update(transactions);
  }

  /** Applies a change of the text to the cell's editor. */
  #sync(made: EditorView, cell: OpenCell, { transactions, docChanged, selectionSet, state }: ViewUpdate): void {
    if (!docChanged && !selectionSet) return;
    if (transactions.every((each) => each.annotation(fromCell))) return;
    const shown = made.state.sliceDoc();
    const source = state.sliceDoc(cell.from, cell.to);
    const change = sourceText(shown) === source ? null : difference(shown, shownText(source));
    const text = change ? shownText(source) : shown;
    const selection = shownSelection(state, cell, text);
    const { main } = made.state.selection;
    const isSelected = main.anchor === selection.anchor && main.head === selection.head;
    if (!change && isSelected) return;
    made.dispatch({ ...(change ? { changes: change } : {}), selection, annotations: fromText.of(true) });
  }

  #pressed(event: MouseEvent): void {
    const { view } = this;
    const target = event.target instanceof Element ? event.target : null;
    const frame = target?.closest(".cm-table") ?? null;
    if (!frame || event.button !== 0) {
      if (event.button === 0) this.#pressedOutside(event);
      return;
    }
    const isOwn = target?.closest(`.${OPEN} .cm-editor, .cm-table-edge`);
    const inText = tableAt(view.state, view.posAtDOM(frame));
    if (isOwn || !inText) return;
    event.preventDefault();
    const element = target?.closest<HTMLTableCellElement>("td, th") ?? nearestCell(frame, event);
    const line = element?.parentElement as HTMLTableRowElement | undefined;
    if (!element || !line) return;
    const place = { row: line.rowIndex, column: element.cellIndex };
    const chip = [...element.querySelectorAll(".cm-source-mark")].findIndex((each) => each.contains(target));
    if (chip >= 0) {
      openInCell(view, rangeOf(inText.table, place, inText.from).from, chip);
      return;
    }
    view.dispatch(opening(inText, place, "end"));
    const open = this.#open?.view;
    if (!open) return;
    open.focus();
    const anchor = open.posAtCoords({ x: event.clientX, y: event.clientY }, false);
    open.dispatch({ selection: { anchor } });
    // From here on the pointer selects in the cell.
    if (open.dom.contains(document.elementFromPoint(event.clientX, event.clientY))) {
      open.contentDOM.dispatchEvent(new MouseEvent("mousedown", event));
    }
  }

  /** Below a table that ends the text, a press begins a line. */
  #pressedOutside(event: MouseEvent): void {
    const { view } = this;
    const table = tableAt(view.state, view.state.doc.length);
    const frame = table && this.#frames().find((each) => view.posAtDOM(each) === table.from);
    if (!table || !frame || event.clientY <= frame.getBoundingClientRect().bottom) return;
    event.preventDefault();
    view.dispatch(leaving(view.state, table, true));
    view.focus();
  }

  destroy(): void {
    this.view.contentDOM.removeEventListener("mousedown", this.#press, { capture: true });
    const open = this.#open;
    this.#open = null;
    open?.bar.destroy();
    open?.view.destroy();
  }
}

function nearestCell(frame: Element, { clientX: x, clientY: y }: MouseEvent): HTMLTableCellElement | undefined {
  const distance = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return Math.max(left - x, x - right, 0) + Math.max(top - y, y - bottom, 0);
  };
  const cells = [...frame.querySelectorAll<HTMLTableCellElement>("td, th")];
  const nearest = Math.min(...cells.map(distance));
  return cells.find((cell) => distance(cell) === nearest);
}

function extensionsOf(around: EditorView, name: string, { keys, tools, pasting }: CellOptions): Extension {
  return [
    EditorState.lineSeparator.of("\n"),
    EditorState.readOnly.of(around.state.readOnly),
    oneLine,
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({
      "aria-label": name,
      "aria-multiline": "false",
      "aria-keyshortcuts": "Alt+F10",
      spellcheck: "true",
      autocorrect: "on",
      autocapitalize: "sentences",
    }),
    cellMarkdown,
    livePreview,
    keptSelection,
    selectionBar(tools.map((tool) => ({ ...tool, run: () => tool.run(around) }))),
    edges(() => TABLE_BAR),
    tooltips({ parent: around.dom }),
    EditorView.domEventHandlers({
      // A menu's undo is no key.
      beforeinput({ inputType }) {
        if (inputType === "historyUndo") return undo(around) || true;
        return inputType === "historyRedo" && (redo(around) || true);
      },
      click: (event, view) => openByClick(event, view, around, (shown) => sourceOf(around, view, shown)),
    }),
    pasting(around),
    typing,
    Prec.high(cellKeys(around)),
    keymap.of([...keys.map((binding) => inText(binding, around)), ...standardKeymap]),
  ];
}

/** The place in the text of a place in a cell's editor. */
function sourceOf(around: EditorView, { state }: EditorView, shown: number): number {
  return (cellOf(around.state)?.from ?? 0) + sourcePlace(state.sliceDoc(), shown);
}

/** The binding of a key that acts on the text around. */
function inText(binding: KeyBinding, around: EditorView): KeyBinding {
  const { run, shift } = binding;
  return { ...binding, ...(run ? { run: () => run(around) } : {}), ...(shift ? { shift: () => shift(around) } : {}) };
}

/** A cell is one line: breaks that come with a text are spaces. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const changes: { from: number; to: number; insert: string }[] = [];
  transaction.changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    changes.push({ from, to, insert: inserted.toString().replace(/\s*\n\s*/g, " ") });
  });
  const set = transaction.startState.changes(changes);
  const userEvent = transaction.annotation(Transaction.userEvent) ?? "input";
  return { changes: set, selection: transaction.startState.selection.map(set, 1), userEvent };
});

function nameOf({ row, column, inText: { table } }: OpenCell): string {
  const heading = renderWords(wordsOf(table, { row: 0, column })).textContent?.trim();
  return `${row === 0 ? "Heading" : `Row ${row + 1}`}, ${heading || `column ${column + 1}`}`;
}

function shownSelection({ selection: { main } }: EditorState, { from, to }: OpenCell, text: string) {
  const [anchor, head] = [main.anchor, main.head].map((at) =>
    shownPlace(text, Math.max(from, Math.min(at, to)) - from),
  ) as [number, number];
  return { anchor, head };
}

function selectionOf({ from }: OpenCell, { doc, selection: { main } }: EditorState) {
  const shown = doc.toString();
  const anchor = from + sourcePlace(shown, main.anchor);
  const head = from + sourcePlace(shown, main.head);
  return { selection: { anchor, head }, annotations: fromCell.of(true), userEvent: "select" };
}

/** The change of the text after which the cell has what its editor shows. */
function changeOf(state: EditorState, cell: OpenCell, transactions: readonly Transaction[]) {
  const last = transactions.at(-1) as Transaction;
  const userEvent = transactions.findLast(({ docChanged }) => docChanged)?.annotation(Transaction.userEvent) ?? "input";
  const shown = last.state.sliceDoc();
  const words = sourceText(shown);
  if (!cell.isReady) return { ...making(cell, words, last.state), annotations: fromCell.of(true), userEvent };
  const old = state.sliceDoc(cell.from, cell.to);
  const change = difference(old, words, sourcePlace(shown, beginningOf(transactions)));
  const from = cell.from;
  const changes = change && { from: from + change.from, to: from + change.to, insert: change.insert };
  return { ...selectionOf(cell, last.state), ...(changes ? { changes } : {}), userEvent };
}

/** Writes the words of a cell that its row lacks, or that lacks pipes or spaces; the selection stays in them. */
function making(cell: OpenCell, words: string, shown: EditorState): TransactionSpec {
  const { table, from } = cell.inText;
  const edit = withWords(table, cell, words);
  const made = readTable(changed(table.source, edit.changes));
  const start = made ? rangeOf(made, cell, from).from - (words.length - words.trimStart().length) : cell.from;
  return { ...editing(cell.inText, edit), selection: selectionOf({ ...cell, from: start }, shown).selection };
}

/** Where the change of one transaction begins: of equal letters in a row, the typed one is not the last. */
function beginningOf(transactions: readonly Transaction[]): number {
  let first = Number.POSITIVE_INFINITY;
  if (transactions.length > 1) return first;
  for (const { changes } of transactions) {
    changes.iterChanges((from) => {
      first = Math.min(first, from);
    });
  }
  return first;
}
