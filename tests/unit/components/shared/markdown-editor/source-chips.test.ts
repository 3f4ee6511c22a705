/** @jest-environment jsdom */
import { fireEvent, getByLabelText, getByRole, queryByRole } from "@testing-library/react";
import type { Editor } from "@/components/shared/markdown-editor/create-editor";
import { editorAt, editorOf, marked, press } from "@/tests/support/markdown-editor";

const chipsOf = ({ view }: Editor) => [...view.contentDOM.querySelectorAll(".cm-source-mark")];
const popoverOf = ({ view }: Editor) => queryByRole(view.dom, "dialog");

it.each([
  ["Ten [source needed: homes] have one.", ["Source needed: homes"]],
  ["## Ten [source needed]", ["Source needed"]],
  ["> - Ten [Source needed: a] or [source needed: b]", ["Source needed: a", "Source needed: b"]],
  ["- [ ] Ten [source needed: a]", ["Source needed: a"]],
  ["`[source needed: a]`\n\n    [source needed: a]\n\n```\n[source needed: a]\n```", []],
  ["Ten [source needed: homes", []],
])("shows the marks of %p as buttons: %p", (text, names) => {
  const editor = editorOf(text);
  expect(chipsOf(editor).map((chip) => chip.getAttribute("aria-label"))).toEqual(names);
  expect(chipsOf(editor).every((chip) => chip.getAttribute("role") === "button")).toBe(true);
  expect(editor.text()).toBe(text);
});

it("opens the chip of a table that is clicked", () => {
  const editor = editorOf("| a |\n| --- |\n| [source needed: b] |\n| [source needed: c] or [source needed: d] |");
  const chips = chipsOf(editor);
  expect(chips.map((chip) => chip.textContent)).toEqual(["b", "c", "d"].map((claim) => `[source needed: ${claim}]`));
  fireEvent.mouseDown(chips[2] as Element);
  expect(popoverOf(editor)?.getAttribute("aria-label")).toBe("Source needed: d");
});

it("shows the marks of the source as they are typed", () => {
  expect(chipsOf(editorOf("[source needed: a]", { isSource: true }))).toEqual([]);
});

it.each([
  ["Enter", "Ten [source| needed: homes]."],
  ["Ctrl+.", "Ten [source| needed: homes]."],
  ["Ctrl+.", "Ten |[source needed: homes]."],
  ["Ctrl+.", "Ten [source needed: homes]|."],
])("opens the ways out by %s in %p, with the focus in their field", (key, text) => {
  const editor = editorAt(text);
  press(editor, key);
  const popover = popoverOf(editor);
  expect(popover?.getAttribute("aria-label")).toBe("Source needed: homes");
  expect(getByLabelText(popover as HTMLElement, "Paste a link")).toBe(document.activeElement);
});

it.each([
  ["Ten |[source needed: homes].", "Ten \n|[source needed: homes]."],
  ["Ten [source needed: homes]|.", "Ten [source needed: homes]\n|."],
])("leaves Enter beside a mark to the text: %p", (text, after) => {
  const editor = editorAt(text);
  press(editor, "Enter");
  expect(popoverOf(editor)).toBeNull();
  expect(marked(editor)).toBe(after);
});

const TEXT = "One. Ten [source| needed: homes] have one. Two.";

/** The popover of the mark in `TEXT`. */
function opened(options: Parameters<typeof editorAt>[1] = {}) {
  const editor = editorAt(TEXT, options);
  press(editor, "Ctrl+.");
  const popover = popoverOf(editor) as HTMLElement;
  const field = getByLabelText<HTMLInputElement>(popover, "Paste a link");
  return { editor, popover, field, take: (name: string) => fireEvent.click(getByRole(popover, "button", { name })) };
}

/** Nothing is open and the text has the focus; one step back is the text as it was. */
function expectOneStep(editor: Editor): void {
  expect(popoverOf(editor)).toBeNull();
  expect(document.activeElement).toBe(editor.view.contentDOM);
  press(editor, "Ctrl+Z");
  expect(marked(editor)).toBe(TEXT);
}

it("makes a citation of a pasted link by Enter, as one step", () => {
  const { editor, field } = opened();
  fireEvent.input(field, { target: { value: "https://a.example/b" } });
  fireEvent.keyDown(field, { key: "Enter" });
  const cited = "One. Ten ([source](https://a.example/b))| have one. Two.";
  expect(marked(editor)).toBe(cited);
  editor.view.dispatch({ ...editor.view.state.replaceSelection("!"), userEvent: "input.type" });
  press(editor, "Ctrl+Z");
  expect(marked(editor)).toBe(cited);
  expectOneStep(editor);
});

it("keeps an address that is not one of the web, and says so", () => {
  const { editor, popover, field, take } = opened();
  fireEvent.input(field, { target: { value: "a.example/b" } });
  take("Add link");
  expect(getByRole(popover, "alert").textContent).toBe("Paste an address that begins with https:// or http://.");
  expect(field.getAttribute("aria-describedby")).toBe(getByRole(popover, "alert").id);
  expect(field.value).toBe("a.example/b");
  expect(document.activeElement).toBe(field);
  expect(marked(editor)).toBe(TEXT);
});

it("keeps a link for which the text has no room", () => {
  const onTooLong = jest.fn();
  const { editor, popover, field, take } = opened({ maxLength: TEXT.length - 1, onTooLong });
  fireEvent.input(field, { target: { value: `https://a.example/${"b".repeat(50)}` } });
  take("Add link");
  expect(onTooLong).toHaveBeenCalled();
  expect(popoverOf(editor)).toBe(popover);
  expect(editor.text()).toBe(TEXT.replace("|", ""));
});

it("selects the mark, so that the fact replaces it as one step", () => {
  const { editor, take } = opened();
  take("Write the fact");
  expect(marked(editor)).toBe("One. Ten |[source needed: homes]| have one. Two.");
  editor.view.dispatch({ ...editor.view.state.replaceSelection("3"), userEvent: "input.type" });
  expect(popoverOf(editor)).toBeNull();
  expect(document.activeElement).toBe(editor.view.contentDOM);
  press(editor, "Ctrl+Z");
  expect(editor.text()).toBe(TEXT.replace("|", ""));
});

it("drops the sentence of the claim as one step", () => {
  const { editor, take } = opened();
  take("Drop the claim");
  expect(marked(editor)).toBe("One. |Two.");
  expectOneStep(editor);
});

it("drops what a cell claims, and leaves its row", () => {
  const text = "| a | b |\n| --- | --- |\n| One. | Two [source needed]. |\n\nThree.";
  const editor = editorOf(text);
  editor.view.dispatch({ selection: { anchor: text.indexOf("[") } });
  press(editor, "Ctrl+.");
  fireEvent.click(getByRole(popoverOf(editor) as HTMLElement, "button", { name: "Drop the claim" }));
  expect(editor.text()).toBe("| a | b |\n| --- | --- |\n| One. |  |\n\nThree.");
});

it("closes by Escape without a change, with the focus back in the text", () => {
  const { editor, field } = opened();
  const isPassedOn = fireEvent.keyDown(field, { key: "Escape" });
  expect(isPassedOn).toBe(false);
  expect(popoverOf(editor)).toBeNull();
  expect(document.activeElement).toBe(editor.view.contentDOM);
  expect(marked(editor)).toBe(TEXT);
});

it("follows its mark while the text before it changes elsewhere, and closes when the mark is gone", () => {
  const { editor, take } = opened();
  editor.replace(`Zero. ${TEXT.replace("|", "")}`);
  take("Drop the claim");
  expect(editor.text()).toBe("Zero. One. Two.");

  const other = opened();
  other.editor.replace("One. Two.");
  expect(popoverOf(other.editor)).toBeNull();
});

it("stays open while the window has lost the focus, and closes on a click elsewhere", () => {
  const { editor, popover, field } = opened();
  fireEvent.focusOut(field);
  expect(popoverOf(editor)).toBe(popover);
  fireEvent.pointerDown(document.body);
  expect(popoverOf(editor)).toBeNull();
});
