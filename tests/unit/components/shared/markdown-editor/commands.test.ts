/** @jest-environment jsdom */
import { editorAt, marked, press } from "@/tests/support/markdown-editor";

/** A key, a text with its selection before, and after. */
const KEYS: [string, string, string][] = [
  ["Ctrl+B", "a |word| here", "a **|word|** here"],
  ["Ctrl+B", "a **|word|** here", "a |word| here"],
  ["Ctrl+B", "a wo|rd here", "a **wo|rd** here"],
  ["Ctrl+B", "a **wo|rd** here", "a wo|rd here"],
  ["Ctrl+B", "here |", "here **|**"],
  ["Ctrl+B", "here **|**", "here |"],
  ["Ctrl+B", "a| word |here", "a| **word** |here"],
  ["Ctrl+B", "|- one\n- two|", "|- **one**\n- **two|**"],
  ["Ctrl+I", "a |word| here", "a *|word|* here"],
  ["Ctrl+I", "a **|word|** here", "a ***|word|*** here"],
  ["Ctrl+E", "a |word| here", "a `|word|` here"],
  ["Ctrl+Shift+X", "a |word| here", "a ~~|word|~~ here"],
  ["Ctrl+Alt+2", "A head|ing", "## A head|ing"],
  ["Ctrl+Alt+2", "### A head|ing", "## A head|ing"],
  ["Ctrl+Alt+2", "## A head|ing", "A head|ing"],
  ["Ctrl+Alt+0", "## A head|ing", "A head|ing"],
  ["Ctrl+Shift+8", "|one\n\ntwo|", "- |one\n\n- two|"],
  ["Ctrl+Shift+7", "|one\ntwo|", "1. |one\n2. two|"],
  ["Ctrl+Shift+7", "|- one\n- two|", "|1. one\n2. two|"],
  ["Ctrl+Shift+9", "o|ne", "> o|ne"],
  ["Ctrl+Shift+8", "|• one\n• two|", "|one\ntwo|"],
  ["Ctrl+Shift+7", "|•\u00a0one\n•\u00a0two|", "|1. one\n2. two|"],
  ["Ctrl+Alt+2", "##\u00a0A head|ing", "A head|ing"],
  ["Ctrl+B", "|• one|", "|• **one|**"],
  ["Enter", "- one|", "- one\n- |"],
  ["Enter", "• one\n• two|", "• one\n• two\n• |"],
  ["Enter", "◦\u00a0one|", "◦\u00a0one\n◦\u00a0|"],
  ["Enter", "• one\n• |", "• one\n\n|"],
  ["Enter", "- one\n- |", "- one\n\n|"],
  ["Enter", "- one\n  - two\n  - |", "- one\n  - two\n- |"],
  ["Enter", "1. one\n   - |", "1. one\n2. |"],
  ["Enter", "  * one|", "  * one\n  * |"],
  ["Enter", "9. one|", "9. one\n10. |"],
  ["Enter", "1) one|", "1) one\n2) |"],
  ["Enter", "- [x] one|", "- [x] one\n- [ ] |"],
  ["Enter", "> one|", "> one\n> |"],
  ["Enter", "> one\n> |", "> one\n\n|"],
  ["Enter", "> - one|", "> - one\n> - |"],
  ["Enter", "- o|ne", "- o\n- |ne"],
  ["Enter", "|- one", "\n|- one"],
  ["Enter", "```\n- one|", "```\n- one\n|"],
  ["Enter", "plain|", "plain\n|"],
  ["Backspace", "- |one", "|one"],
  ["Backspace", "- [ ] |one", "|one"],
  ["Backspace", "> |one", "|one"],
  ["Backspace", "- o|ne", "- |ne"],
  ["Tab", "- one\n- tw|o", "- one\n  - tw|o"],
  ["Tab", "1. one\n2. tw|o", "1. one\n   2. tw|o"],
  ["Shift+Tab", "- one\n  - tw|o", "- one\n- tw|o"],
  ["Shift+Tab", "- o|ne", "- o|ne"],
];

it.each(KEYS)("%s turns %j into %j", (key, before, after) => {
  const editor = editorAt(before);
  press(editor, key);
  expect(marked(editor)).toBe(after);
});

it("undoes each of them in one step", () => {
  for (const [key, before, after] of KEYS) {
    const editor = editorAt(before);
    const text = editor.text();
    press(editor, key);
    if (before !== after) press(editor, "Ctrl+Z");
    expect([key, before, editor.text()]).toEqual([key, before, text]);
  }
});

it("leaves Tab to the page outside of lists", () => {
  const editor = editorAt("plain|");
  const event = new KeyboardEvent("keydown", { key: "Tab", keyCode: 9, bubbles: true, cancelable: true });
  editor.view.contentDOM.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

it("keeps its shortcuts from the rest of the page", () => {
  const seen = jest.fn();
  window.addEventListener("keydown", seen);
  press(editorAt("a |word|"), "Ctrl+B");
  press(editorAt("a |word|"), "Ctrl+K");
  window.removeEventListener("keydown", seen);
  expect(seen).not.toHaveBeenCalled();
});

it.each([
  ["table", "One.|\nTwo.", "One.\n\n| |Column| | Column |\n| --- | --- |\n|  |  |\n\nTwo."],
  ["divider", "One.|", "One.\n\n---\n\n|"],
] as const)("inserts a %s with blank lines around it", (command, before, after) => {
  const editor = editorAt(before);
  editor.run(command);
  const { from, to } = editor.view.state.selection.main;
  const text = editor.text();
  const shown =
    from === to
      ? `${text.slice(0, from)}|${text.slice(from)}`
      : `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
  expect(shown).toBe(after);
});

it("refuses what would make the text too long, says so, and still takes what shortens it", () => {
  const onTooLong = jest.fn();
  const editor = editorAt("12345|", { maxLength: 5, onTooLong });
  editor.view.dispatch(editor.view.state.replaceSelection("6"));
  expect(editor.text()).toBe("12345");
  expect(onTooLong).toHaveBeenCalledTimes(1);
  editor.replace("1234567");
  editor.view.dispatch({ changes: { from: 6, to: 7 } });
  expect(editor.text()).toBe("123456");
  expect(onTooLong).toHaveBeenCalledTimes(1);
});

it("puts the caret at a change from elsewhere that goes beyond the selected words", () => {
  const editor = editorAt("one |two| three");
  editor.replace("Something else");
  const { main } = editor.view.state.selection;
  expect(main.empty && main.from <= editor.text().length).toBe(true);
  editor.view.dispatch(editor.view.state.replaceSelection("!"));
  expect(editor.text()).toHaveLength("Something else!".length);
});

it("goes on with the history of an editor that was closed, if the text is the same", () => {
  const first = editorAt("one|");
  first.view.dispatch(first.view.state.replaceSelection(" two"));
  first.close();
  const onChange = jest.fn();
  const second = editorAt("one two|", { from: first.view.state, onChange });
  press(second, "Ctrl+Z");
  expect(second.text()).toBe("one");
  expect(onChange).toHaveBeenCalled();
  expect(editorAt("another|", { from: first.view.state }).text()).toBe("another");
});

it("tells the toolbar what is at the caret", () => {
  const onForms = jest.fn();
  const editor = editorAt("## A **bold|** heading", { onForms });
  expect(onForms).toHaveBeenLastCalledWith(
    expect.objectContaining({ strong: true, emphasis: false, block: "heading-2" }),
  );
  editor.view.dispatch({ selection: { anchor: 4 } });
  expect(onForms).toHaveBeenLastCalledWith(expect.objectContaining({ strong: false, block: "heading-2" }));
});
