/** @jest-environment jsdom */
import { EditorView } from "@codemirror/view";
import type { Stretch } from "@/components/shared/difference/rows";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { leaveChanges, proposalState } from "@/components/shared/markdown-editor/proposal";
import { editorAt, editorOf, marked, press } from "@/tests/support/markdown-editor";

function partOf(text: string, from: number, to: number): EditorPart {
  const [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  return { kind: "selection", from, to, text: part, before, after, untilCaret: before + part, fromCaret: after };
}

const TEXT = "Keep. Fill the tray and wait a week. End.";
const FROM = TEXT.indexOf("Fill");
const PART = partOf(TEXT, FROM, TEXT.indexOf(" End"));
const STRETCHES: Stretch[] = [
  { same: "Fill " },
  { old: "the", new: "every" },
  { same: " tray and wait" },
  { old: " a week", new: "" },
  { same: "." },
  { old: "", new: " Then look." },
];

function proposedFor(text = TEXT) {
  const onChange = jest.fn();
  const editor = editorOf(text, { onChange });
  const { view, proposal } = editor;
  expect(proposal.begin(PART)).toBe(true);
  return {
    ...editor,
    editor,
    onChange,
    state: () => proposalState(view.state),
    show: () => proposal.show(FROM, STRETCHES),
  };
}

const shownIn = (dom: HTMLElement) =>
  [...dom.querySelectorAll("del, ins")].map((each) => each.outerHTML.match(/^<\w+/)?.[0] + each.textContent);

it("shows what is proposed in the text, and changes nothing", () => {
  const { view, show, text, onChange, state } = proposedFor();
  show();
  expect(shownIn(view.contentDOM)).toEqual(["<delthe", "<insevery", "<del a week", "<ins Then look."]);
  expect(text()).toBe(TEXT);
  expect(onChange).not.toHaveBeenCalled();
  expect(state()).toEqual({ from: PART.from, to: PART.to, isArriving: false, count: 3, current: 0 });
});

it("shows words behind the part as they arrive", () => {
  const { view, proposal, state, text } = proposedFor();
  proposal.arriving("Fill every");
  proposal.arriving("Fill every tray");
  expect(shownIn(view.contentDOM)).toEqual(["<insFill every tray"]);
  expect(state()).toMatchObject({ isArriving: true, count: 0 });
  expect(text()).toBe(TEXT);
});

it("takes all in one step that is undone at once", () => {
  const { editor, proposal, text, show, state } = proposedFor();
  show();
  proposal.take("all");
  expect(text()).toBe("Keep. Fill every tray and wait. Then look. End.");
  expect(state()).toBeNull();
  press(editor, "Ctrl+Z");
  expect(text()).toBe(TEXT);
});

it("takes one, leaves another, and is over after the last", () => {
  const { proposal, text, show, state } = proposedFor();
  show();
  proposal.look(1);
  expect(state()).toMatchObject({ current: 1 });
  proposal.take("current");
  expect(text()).toBe("Keep. Fill the tray and wait. End.");
  expect(state()).toMatchObject({ count: 2, current: 1 });
  proposal.take("current");
  expect(text()).toBe("Keep. Fill the tray and wait. Then look. End.");
  proposal.leave("current");
  expect(state()).toBeNull();
  expect(text()).toBe("Keep. Fill the tray and wait. Then look. End.");
});

it("goes from the last change to the first, and from the first to the last", () => {
  const { proposal, show, state } = proposedFor();
  show();
  proposal.look(-1);
  expect(state()).toMatchObject({ current: 2 });
  proposal.look(1);
  expect(state()).toMatchObject({ current: 0 });
  proposal.look(-1);
  proposal.leave("current");
  expect(state()).toMatchObject({ count: 2, current: 1 });
});

it("leaves the text as it was", () => {
  const { view, proposal, text, show, onChange } = proposedFor();
  show();
  proposal.leave("all");
  expect([text(), shownIn(view.contentDOM)]).toEqual([TEXT, []]);
  expect(onChange).not.toHaveBeenCalled();
});

it.each([
  [
    "before the part, while words arrive",
    { from: 0, insert: "New. " },
    "New. Keep. Fill every tray and wait. Then look. End.",
  ],
  [
    "in words that stay",
    { from: FROM + 9, to: FROM + 13, insert: "pot" },
    "Keep. Fill every pot and wait. Then look. End.",
  ],
  [
    "in words that would change",
    { from: FROM + 6, to: FROM + 7, insert: "HE" },
    "Keep. Fill tHEe tray and wait. Then look. End.",
  ],
  [
    "at the edge of words that would change",
    { from: FROM + 5, insert: "all " },
    "Keep. Fill all every tray and wait. Then look. End.",
  ],
])("goes with the text, and gives up a change of words that the user has changed: %s", (_where, changes, after) => {
  for (const isEarly of [true, false]) {
    const { view, proposal, text, show } = proposedFor();
    if (!isEarly) show();
    view.dispatch({ changes });
    if (isEarly) show();
    proposal.take("all");
    expect(text()).toBe(after);
  }
});

it("has nothing left when the part was deleted meanwhile", () => {
  const { view, show, state, text, proposal } = proposedFor();
  view.dispatch({ changes: { from: 0, to: TEXT.length } });
  show();
  expect(state()).toMatchObject({ count: 0 });
  proposal.take("all");
  expect(text()).toBe("");
});

it("does not begin where the text has changed meanwhile", () => {
  const editor = editorOf("Keep. Something else is here.");
  expect(editor.proposal.begin(PART)).toBe(false);
  // An empty stretch is the same everywhere.
  expect(editor.proposal.begin(PART, true)).toBe(false);
  expect(editor.proposal.state()).toBeNull();
});

it("shows the marks of words that would change", () => {
  const editor = editorOf("a **bold** word");
  editor.proposal.begin(partOf("a **bold** word", 0, 15));
  expect(editor.view.contentDOM.textContent).toBe("a bold word");
  editor.proposal.show(0, [{ same: "a **" }, { old: "bold", new: "strong" }, { same: "** word" }]);
  expect(editor.view.contentDOM.textContent).toBe("a **boldstrong** word");
  editor.proposal.leave("all");
  expect(editor.view.contentDOM.textContent).toBe("a bold word");
});

it("stays with an editor that is opened again, but for words that were arriving", () => {
  const { view, show } = proposedFor();
  show();
  expect(editorOf(TEXT, { from: view.state }).proposal.state()).toMatchObject({ count: 3 });
  const arriving = proposedFor();
  arriving.proposal.arriving("Fill");
  expect(editorOf(TEXT, { from: arriving.view.state }).proposal.state()).toBeNull();
});

it("shows lines as they will look, as they arrive too, and loads nothing of them", () => {
  const text = "One.";
  const editor = editorOf(text);
  editor.proposal.begin(partOf(text, 0, 4));
  const lines = () =>
    [...editor.view.contentDOM.querySelectorAll(".cm-proposed-lines .cm-line")].map((line) => line.textContent);
  editor.proposal.arriving("## Next\n\nTwo **bo");
  expect(lines()).toEqual(["Next", "", "Two **bo"]);
  editor.proposal.arriving("## Next\n\nTwo **bold** words ![x](https://a.example/i.png)");
  expect(lines()).toEqual(["Next", "", "Two bold words ![x](https://a.example/i.png)"]);
  editor.proposal.show(4, [{ old: "", new: "\n\n## Next\n\nThree" }]);
  expect(lines()).toEqual(["Next", "", "Three"]);
  expect(editor.view.contentDOM.querySelector("img:not(.cm-widgetBuffer)")).toBeNull();
  expect(editor.text()).toBe(text);
});

it("takes the selection away, which would cover the colours", () => {
  const editor = editorAt("a |word| here");
  editor.proposal.begin(editor.part());
  expect(marked(editor)).toBe("a word| here");
});

it("keeps what is proposed where the text is too long to take it", () => {
  const onTooLong = jest.fn();
  const editor = editorOf(TEXT, { maxLength: TEXT.length, onTooLong });
  editor.proposal.begin(PART);
  editor.proposal.show(FROM, STRETCHES);
  editor.proposal.take("all");
  expect(onTooLong).toHaveBeenCalledTimes(1);
  expect(editor.text()).toBe(TEXT);
  expect(editor.proposal.state()).toMatchObject({ count: 3 });
});

it("makes one line of what goes on or is written again in a row of a table", () => {
  const table = "| a | b |\n| --- | --- |\n| one. | x |";
  const editor = editorOf(table);
  const at = table.indexOf("one");
  expect(editor.fittedIn(partOf(table, at, at + 3), "a | b\nc")).toBe("a \\| b c");
  expect(editor.fittedAfter(partOf(table, at, at + 4), "a\n\nb")).toBe(" a b");
});

it("fits a text to where its part is by now", () => {
  const table = "| a | b |\n| --- | --- |\n| one | x |";
  const editor = editorOf(table);
  const part = partOf(table, table.indexOf("one"), table.indexOf("one") + 3);
  editor.proposal.begin(part);
  editor.view.dispatch({ changes: { from: 0, insert: "A paragraph that is longer than the table below it.\n\n" } });
  expect(editor.fittedIn(part, "a\nb")).toBe("a b");
});

it("makes the cell that its row lacks before it asks", () => {
  const editor = editorOf("| a | b |\n| --- | --- |\n| one |");
  editor.view.focus();
  editor.view.dispatch({ selection: { anchor: editor.text().indexOf("one") } });
  press({ view: EditorView.findFromDOM(document.activeElement as HTMLElement) } as typeof editor, "Tab");
  expect(editor.part().untilCaret).toMatch(/\| one \| $/);
});

it("says each change to a screen reader", () => {
  const { view, proposal, show } = proposedFor();
  show();
  proposal.look(1);
  expect(view.dom.querySelector(".cm-announced")?.textContent).toBe("Change 2 of 3: remove “a week”");
});

it("looks at the change that is pressed", () => {
  const { view, show, state } = proposedFor();
  show();
  const last = [...view.contentDOM.querySelectorAll("ins")].at(-1);
  last?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  expect(state()).toMatchObject({ current: 2 });
});

it("puts the caret behind what was taken", () => {
  const editor = editorAt("It goes|");
  const part = editor.part();
  const caret = part.untilCaret.length;
  editor.proposal.begin(part, true);
  expect(editor.proposal.state()).toMatchObject({ from: caret, to: caret });
  editor.proposal.show(caret, [{ old: "", new: editor.fittedAfter(part, "on.") }]);
  editor.proposal.take("all");
  expect(marked(editor)).toBe("It goes on.|");
  leaveChanges(editor.view, "all");
  expect(editor.text()).toBe("It goes on.");
});
