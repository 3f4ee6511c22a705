import { isolateHistory } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import {
  type Alignment,
  alignmentOf,
  COMMANDS,
  removeTable,
  type TableCommand,
} from "@/components/shared/markdown-editor/table/model";
import { cellOf, editing, type OpenCell, shownAsSource } from "@/components/shared/markdown-editor/table/state";
import { element } from "@/components/shared/markdown-editor/widgets";

type Entry = { label: string; done: string; command: TableCommand; alignment?: Alignment };

const MENUS: { label: string; entries: Entry[] }[] = [
  {
    label: "Row",
    entries: [
      { label: "Insert row above", done: "Row added", command: COMMANDS.rowAbove },
      { label: "Insert row below", done: "Row added", command: COMMANDS.rowBelow },
      { label: "Move row up", done: "Row moved", command: COMMANDS.rowUp },
      { label: "Move row down", done: "Row moved", command: COMMANDS.rowDown },
      { label: "Delete row", done: "Row deleted", command: COMMANDS.removeRow },
      { label: "Delete table", done: "Table deleted", command: removeTable },
    ],
  },
  {
    label: "Column",
    entries: [
      { label: "Insert column before", done: "Column added", command: COMMANDS.columnBefore },
      { label: "Insert column after", done: "Column added", command: COMMANDS.columnAfter },
      { label: "Move column back", done: "Column moved", command: COMMANDS.columnBack },
      { label: "Move column forward", done: "Column moved", command: COMMANDS.columnOn },
      { label: "Align to the start", done: "Aligned to the start", command: COMMANDS.alignStart, alignment: "start" },
      {
        label: "Align to the center",
        done: "Aligned to the center",
        command: COMMANDS.alignCenter,
        alignment: "center",
      },
      { label: "Align to the end", done: "Aligned to the end", command: COMMANDS.alignEnd, alignment: "end" },
      { label: "Delete column", done: "Column deleted", command: COMMANDS.removeColumn },
    ],
  },
];

/** A bar above the table with the caret. It is one stop for Tab, and shows while the focus is in the table or in it. */
export class TableBar {
  readonly #edge = element("div", "cm-table-edge");
  readonly #bar = element("div", "cm-table-bar");
  #menu: HTMLElement | null = null;

  constructor(
    readonly around: EditorView,
    frame: HTMLElement,
  ) {
    this.#bar.setAttribute("role", "toolbar");
    this.#bar.setAttribute("aria-label", "Table");
    for (const { label, entries } of MENUS) {
      const button = this.#button(label, (event) => this.#toggle(button, label, entries, event.detail === 0));
      button.setAttribute("aria-haspopup", "menu");
      button.setAttribute("aria-expanded", "false");
      this.#bar.append(button);
    }
    this.#bar.append(this.#button("Markdown", () => this.#showSource()));
    this.#edge.contentEditable = "false";
    this.#edge.append(this.#bar);
    // The caret stays in its cell.
    this.#edge.addEventListener("mousedown", (event) => event.preventDefault());
    this.#edge.addEventListener("keydown", (event) => this.#press(event));
    frame.prepend(this.#edge);
  }

  destroy(): void {
    this.#edge.remove();
  }

  #button(label: string, act: (event: MouseEvent) => void): HTMLElement {
    const button = element("button", "cm-table-button", label);
    button.setAttribute("type", "button");
    button.tabIndex = -1;
    button.addEventListener("click", act);
    return button;
  }

  #toggle(button: HTMLElement, label: string, entries: Entry[], isByKey: boolean): void {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    this.close();
    const cell = cellOf(this.around.state);
    if (isOpen || !cell) return;
    const menu = element("div", "cm-table-menu");
    menu.setAttribute("role", "menu");
    menu.setAttribute("aria-label", label);
    for (const entry of entries) menu.append(this.#item(entry, cell));
    button.setAttribute("aria-expanded", "true");
    this.#edge.append(menu);
    this.#menu = menu;
    if (isByKey) menu.querySelector<HTMLElement>("button")?.focus();
  }

  #item({ label, done, command, alignment }: Entry, cell: OpenCell): HTMLElement {
    const item = this.#button(label, () => this.#run(command, done));
    item.className = "cm-table-item";
    item.setAttribute("role", alignment ? "menuitemradio" : "menuitem");
    const { table } = cell.inText;
    if (alignment) item.setAttribute("aria-checked", String(alignmentOf(table, cell.column) === alignment));
    if (!command(table, cell)) item.setAttribute("aria-disabled", "true");
    return item;
  }

  #run(command: TableCommand, done: string): void {
    if (!runCommand(this.around, command, done)) return;
    this.close();
    this.around.focus();
  }

  #showSource(): void {
    const cell = cellOf(this.around.state);
    if (!cell) return;
    this.around.dispatch({
      selection: { anchor: cell.to },
      effects: [shownAsSource.of(cell.inText.from), EditorView.announce.of("Table as Markdown")],
      scrollIntoView: true,
    });
    this.around.focus();
  }

  /** Closes the menu that is open. Its focus goes to the text. */
  close(): void {
    const menu = this.#menu;
    this.#menu = null;
    if (menu?.contains(document.activeElement)) this.around.focus();
    menu?.remove();
    for (const button of this.#bar.children) {
      if (button.hasAttribute("aria-expanded")) button.setAttribute("aria-expanded", "false");
    }
  }

  #press(event: KeyboardEvent): void {
    const { key } = event;
    const menu = this.#menu;
    if (key === "Escape") {
      const opener = menu && this.#bar.querySelector<HTMLElement>("[aria-expanded=true]");
      // The bar goes with the focus.
      if (opener && event.target !== opener) opener.focus();
      else this.around.focus();
      this.close();
    } else if (key === "Tab") {
      this.close();
      this.around.focus();
    } else {
      const isInMenu = menu?.contains(event.target as Node) ?? false;
      const buttons = [...(isInMenu && menu ? menu : this.#bar).querySelectorAll<HTMLElement>("button")];
      const at = buttons.indexOf(event.target as HTMLElement);
      const step = (isInMenu ? MENU_STEPS : BAR_STEPS)[key];
      if (step === undefined || at < 0) return;
      const next =
        key === "Home" ? 0 : key === "End" ? buttons.length - 1 : (at + step + buttons.length) % buttons.length;
      buttons[next]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Changes the table with the caret, and says so to screen readers. False if the command cannot. */
export function runCommand(around: EditorView, command: TableCommand, done: string): boolean {
  const cell = cellOf(around.state);
  const edit = cell && !around.state.readOnly && command(cell.inText.table, cell);
  if (!edit) return false;
  around.dispatch(editing(cell.inText, edit), {
    userEvent: "input.table",
    annotations: isolateHistory.of("full"),
    scrollIntoView: true,
    effects: EditorView.announce.of(done),
  });
  return true;
}

/** Brings the focus to the bar at the table with the caret. */
export function focusBar(around: EditorView): boolean {
  around.contentDOM.querySelector<HTMLElement>(".cm-table-bar button")?.focus();
  return true;
}

const BAR_STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: 0, End: 0 };
const MENU_STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: 0, End: 0 };
