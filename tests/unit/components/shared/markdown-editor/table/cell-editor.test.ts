/** @jest-environment jsdom */
import { redo, undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import type { EditorOptions } from "@/components/shared/markdown-editor/create-editor";
import { linkTargetAt } from "@/components/shared/markdown-editor/link-target";
import { rangeOfText } from "@/components/shared/markdown-editor/table/paste-range";
import { cellOf } from "@/components/shared/markdown-editor/table/state";
import { editorOf, press } from "@/tests/support/markdown-editor";

const TABLE = "| a | b |\n|---|---|\n| one \\| two | |\n|three|";

afterEach(() => document.body.replaceChildren());

/** An editor with the caret in the cell that has these words, and the editor of that cell. */
function openAt(words: string, text = TABLE, options: Partial<EditorOptions> = {}) {
  const editor = editorOf(text, options);
  editor.view.focus();
  editor.view.dispatch({ selection: { anchor: text.indexOf(words) } });
  return { editor, cell: () => cellEditor(editor) };
}

function cellEditor({ view }: ReturnType<typeof editorOf>): EditorView {
  const field = view.contentDOM.querySelector<HTMLElement>(".cm-table [contenteditable=true]");
  const found = field && EditorView.findFromDOM(field);
  if (!found) throw new Error("No cell is open");
  return found;
}

const label = (view: EditorView) => view.contentDOM.getAttribute("aria-label");
const type = (view: EditorView, text: string) =>
  view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type" });
const pressIn = (view: EditorView, key: string) => press({ view } as ReturnType<typeof editorOf>, key);

it("shows the words of the cell with the caret, which has the focus", () => {
  const { cell } = openAt("one");
  expect(cell().state.sliceDoc()).toBe("one | two");
  expect(label(cell())).toBe("Row 2, a");
  expect(document.activeElement).toBe(cell().contentDOM);
});

it("writes each change to the text at once, with its pipes escaped", () => {
  const { editor, cell } = openAt("one");
  type(cell(), "|");
  expect(editor.text()).toBe(TABLE.replace("one", "\\|one"));
  expect(cell().state.sliceDoc()).toBe("|one | two");
  undo(editor.view);
  expect(editor.text()).toBe(TABLE);
  expect(cell().state.sliceDoc()).toBe("one | two");
});

it("keeps a space that is typed at the end, although the table's words end before it", () => {
  const { editor, cell } = openAt("one");
  cell().dispatch({ selection: { anchor: 9 } });
  type(cell(), " ");
  type(cell(), "x");
  expect(editor.text()).toBe(TABLE.replace("two", "two x"));
});

it("writes at the same place after all words were replaced by a space", () => {
  const { editor, cell } = openAt("x", "|   x |\n| --- |");
  cell().dispatch({ selection: { anchor: 0, head: 1 } });
  type(cell(), " ");
  type(cell(), "y");
  expect(editor.text()).toBe("|    y |\n| --- |");
});

it("adds the cell that a row lacks with its first letter", () => {
  const { editor, cell } = openAt("three");
  pressIn(cell(), "Tab");
  expect(label(cell())).toBe("Row 3, b");
  expect(editor.text()).toBe(TABLE);
  type(cell(), "x");
  type(cell(), "y");
  expect(editor.text()).toBe(TABLE.replace("|three|", "|three| xy |"));
  undo(editor.view);
  expect(editor.text()).toBe(TABLE);
});

it("puts marks and links into the cell that a row lacks", () => {
  const onLink = jest.fn();
  const table = "| a | b | c |\n|---|---|---|\n| one |";
  const { editor, cell } = openAt("one", table, { onLink });
  pressIn(cell(), "Tab");
  pressIn(cell(), "Tab");
  editor.run("strong");
  type(cell(), "x");
  expect(editor.text()).toBe(table.replace("| one |", "| one |  | **x** |"));
  const other = openAt("one", table, { onLink });
  pressIn(other.cell(), "Tab");
  other.editor.run("link");
  expect(onLink.mock.lastCall?.[0].from).toBe(table.indexOf("one |") + "one | ".length);
});

it("keeps the words and the selection of a cell without spaces around them", () => {
  const onLink = jest.fn();
  const { editor, cell } = openAt("three", TABLE, { onLink });
  editor.run("link");
  expect(onLink.mock.lastCall?.[0]).toMatchObject({ source: "three", from: TABLE.indexOf("three") + 1 });
  undo(editor.view);
  cell().dispatch({ selection: { anchor: 1, head: 3 } });
  editor.run("strong");
  expect(editor.text()).toBe(TABLE.replace("|three|", "| t**hr**ee |"));
  expect(cell().state.selection.main).toMatchObject({ anchor: 3, head: 5 });
});

it("adds the spaces that a cell lacks with its first letter", () => {
  const { editor, cell } = openAt("three");
  type(cell(), "x");
  type(cell(), "y");
  expect(editor.text()).toBe(TABLE.replace("|three|", "| xythree |"));
});

it("refuses what would make the text too long, as elsewhere", () => {
  const onTooLong = jest.fn();
  const { editor, cell } = openAt("one", TABLE, { maxLength: TABLE.length, onTooLong });
  type(cell(), "x");
  expect(onTooLong).toHaveBeenCalled();
  expect(editor.text()).toBe(TABLE);
  expect(cell().state.sliceDoc()).toBe("one | two");
});

it("makes spaces of line breaks, and breaks the line with Shift+Enter as the published table does", () => {
  const { editor, cell } = openAt("one");
  type(cell(), "a \n b");
  expect(editor.text()).toBe(TABLE.replace("one", "a bone"));
  pressIn(cell(), "Shift+Enter");
  expect(editor.text()).toBe(TABLE.replace("one", "a b<br>one"));
});

it("follows a change of the text elsewhere, without a new editor", () => {
  const { editor, cell } = openAt("one", `Old.\n\n${TABLE}`);
  const before = cell();
  editor.replace(`New.\n\n${TABLE}`);
  editor.replace(`New.\n\n${TABLE.replace("one", "once")}`);
  expect(cell() === before).toBe(true);
  expect(cell().state.sliceDoc()).toBe("once | two");
  type(cell(), "x");
  expect(editor.text()).toBe(`New.\n\n${TABLE.replace("one", "xonce")}`);
});

it("has no blocks: headings and lists stay away", () => {
  const { editor, cell } = openAt("one");
  editor.run("heading-2");
  editor.run("bullets");
  editor.run("table");
  pressIn(cell(), "Ctrl+Alt+2");
  expect(editor.text()).toBe(TABLE);
});

it("selects the cell, then the text, with Ctrl+A", () => {
  const { editor, cell } = openAt("one");
  pressIn(cell(), "Ctrl+A");
  expect(cell().state.selection.main).toMatchObject({ from: 0, to: 9 });
  pressIn(cell(), "Ctrl+A");
  expect(editor.view.state.selection.main).toMatchObject({ from: 0, to: TABLE.length });
  expect(cellOf(editor.view.state)).toBeNull();
  expect(document.activeElement).toBe(editor.view.contentDOM);
});

it.each(["- item\n\n  | a |\n  | --- |", "> | a |\n> | --- |", "| a |\r\n| --- |\r"])(
  "leaves %j as Markdown",
  (text) => {
    const { editor } = openAt("a", text);
    expect(editor.view.contentDOM.querySelector("table")).toBeNull();
  },
);

it("keeps what is typed right below a table out of it", () => {
  const { editor } = openAt("one", `${TABLE}\n`);
  editor.view.dispatch({ selection: { anchor: TABLE.length + 1 } });
  type(editor.view, "x");
  expect(editor.text()).toBe(`${TABLE}\n\nx`);
});

it.each([
  ["Backspace", `${TABLE}\n\nNext`, "Next"],
  ["Delete", `Before\n${TABLE}`, "\n"],
])("goes into the table by a %s that would make a row of its neighbour", (key, text, at) => {
  const { editor } = openAt(at, text);
  press(editor, key);
  expect(editor.text()).toBe(text);
  expect(cellOf(editor.view.state)).not.toBeNull();
});

it.each([
  ["is deleted", { from: 0, to: 1 }, "delete.forward", "\nNext"],
  ["takes a page that comes after the caret has gone", { from: 0, insert: "x\n" }, "input.paste", "\nx\n\nNext"],
  ["goes with the end of the table's line", { from: -1, to: 0 }, "delete", "\nNext"],
  ["is replaced with that end", { from: -1, to: 1, insert: "z" }, "input.type", "\nzNext"],
  ["is one of two", { from: 0, insert: "\n" }, "input", "\n\nNext"],
  ["is changed from elsewhere, which stays", { from: 0, to: 1 }, undefined, "Next"],
])("keeps the line below a table out of it where the blank line between %s", (_what, change, userEvent, after) => {
  const { editor } = openAt("one", `${TABLE}\n\nNext`);
  const at = TABLE.length + 1;
  const { from, to = from, insert = "" } = { to: undefined, insert: undefined, ...change };
  editor.view.dispatch({ changes: { from: at + from, to: at + to, insert }, ...(userEvent ? { userEvent } : {}) });
  expect(editor.text()).toBe(`${TABLE}\n${after}`);
});

it("moves a line no further up than to the empty one below a table", () => {
  const { editor } = openAt("Next", `${TABLE}\n\nNext`);
  press(editor, "Alt+ArrowUp");
  press(editor, "Alt+ArrowUp");
  expect(editor.text()).toBe(`${TABLE}\n\nNext`);
});

it("keeps what is composed right below a table out of it before it begins", () => {
  const { editor } = openAt("one", `${TABLE}\n`);
  editor.view.dispatch({ selection: { anchor: TABLE.length + 1 } });
  editor.view.contentDOM.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
  expect(editor.text()).toBe(`${TABLE}\n\n`);
  expect(editor.view.state.selection.main.head).toBe(TABLE.length + 2);
});

it("leaves a caret that works after undo and redo of a row that was moved", () => {
  const { editor, cell } = openAt("one");
  const text = editor.text();
  cell().dispatch({ selection: { anchor: 0, head: 3 } });
  pressIn(cell(), "Alt+F10");
  (document.activeElement as HTMLElement).click();
  const item = [...document.querySelectorAll<HTMLElement>(".cm-table-item")].find(
    ({ textContent }) => textContent === "Move row down",
  );
  item?.click();
  const moved = editor.text();
  undo(editor.view);
  redo(editor.view);
  const { main } = editor.view.state.selection;
  expect([main.from <= main.to, editor.text()]).toEqual([true, moved]);
  undo(editor.view);
  expect(editor.text()).toBe(text);
});

it("leaves the focus to what a key opens from a cell", () => {
  const { editor, cell } = openAt("one");
  const search = () => editor.view.dom.querySelector<HTMLInputElement>("[main-field]");
  const select = jest.spyOn(HTMLInputElement.prototype, "select").mockImplementation(function (this: HTMLElement) {
    this.focus();
  });
  pressIn(cell(), "Ctrl+F");
  expect(document.activeElement).toBe(search());
  select.mockRestore();
});

it("stays in a cell that its row lacks while the text changes elsewhere", () => {
  const { editor, cell } = openAt("three", `Old.\n\n${TABLE}`);
  pressIn(cell(), "Tab");
  editor.replace(`Other.\n\n${TABLE}`);
  expect(label(cell())).toBe("Row 3, b");
  type(cell(), "x");
  expect(editor.text()).toBe(`Other.\n\n${TABLE.replace("|three|", "|three| x |")}`);
});

it("keeps the caret behind the first letter in a cell without spaces", () => {
  const { editor, cell } = openAt("three");
  cell().dispatch({ selection: { anchor: 2 } });
  type(cell(), "Z");
  const at = editor.text().indexOf("Z") + 1;
  expect(editor.view.state.selection.main).toMatchObject({ anchor: at, head: at });
});

it("keeps the caret behind a space that is the first in such a cell", () => {
  const { editor, cell } = openAt("three");
  type(cell(), " ");
  const at = editor.text().indexOf("three");
  expect(editor.view.state.selection.main).toMatchObject({ anchor: at, head: at });
});

it("stays open while a slow device has not parsed the text as far as its table", () => {
  const { editor, cell } = openAt("one", `${"Words *and* words.\n\n".repeat(50)}${TABLE}`);
  const before = cell();
  let now = Date.now();
  const clock = jest.spyOn(Date, "now").mockImplementation(() => (now += 15));
  type(cell(), "x");
  editor.view.dispatch({ changes: { from: 0, insert: "*" } });
  expect(cell() === before).toBe(true);
  clock.mockRestore();
});

it("gives the focus of a menu back when the text changes elsewhere", () => {
  const { editor, cell } = openAt("one", `Old.\n\n${TABLE}`);
  pressIn(cell(), "Alt+F10");
  (document.activeElement as HTMLElement).click();
  expect(document.activeElement?.className).toBe("cm-table-item");
  editor.replace(`New.\n\n${TABLE}`);
  expect(document.activeElement).toBe(cell().contentDOM);
});

it("escapes a pipe in a link's text", () => {
  const { editor } = openAt("one");
  const target = linkTargetAt(editor.view.state, "link");
  editor.putLink(target, { text: "a | b", address: "https://a.example", title: "" });
  expect(editor.text()).toBe(TABLE.replace("one", "[a \\| b](https://a.example)"));
});

it("keeps the focus and the caret between the table and its Markdown", () => {
  const { editor, cell } = openAt("one");
  editor.setSource(true);
  expect(document.activeElement).toBe(editor.view.contentDOM);
  editor.setSource(false);
  expect(label(cell())).toBe("Row 2, a");
  expect(document.activeElement).toBe(cell().contentDOM);
});

it("undoes in the text what a menu asks to undo in a cell", () => {
  const { editor, cell } = openAt("one");
  type(cell(), "x");
  const ask = (inputType: string) =>
    cell().contentDOM.dispatchEvent(new InputEvent("beforeinput", { inputType, bubbles: true, cancelable: true }));
  expect(ask("historyUndo")).toBe(false);
  expect(editor.text()).toBe(TABLE);
  expect(ask("historyRedo")).toBe(false);
  expect(editor.text()).toBe(TABLE.replace("one", "xone"));
});

it("reads the cells that a spreadsheet copies", () => {
  expect(rangeOfText("a\tb\n1\t\n")).toEqual([
    ["a", "b"],
    ["1", ""],
  ]);
  expect(rangeOfText('"two\nlines"\t"a ""b"""\n|\t"open')).toEqual([
    ["two lines", 'a "b"'],
    ["\\|", '"open'],
  ]);
});
