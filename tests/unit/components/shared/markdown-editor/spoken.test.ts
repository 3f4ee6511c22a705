/** @jest-environment jsdom */
import { editorAt, editorOf, press } from "@/tests/support/markdown-editor";

/** What a screen reader is given. */
const said = () => document.querySelector(".cm-announced")?.textContent;

afterEach(() => document.body.replaceChildren());

it.each([
  ["Ctrl+B", "a |word| here", "Bold on"],
  ["Ctrl+B", "a **|word|** here", "Bold off"],
  ["Ctrl+I", "a |word| here", "Italic on"],
  ["Ctrl+Alt+2", "A head|ing", "Heading, level 2"],
  ["Ctrl+Alt+2", "## A head|ing", "Paragraph"],
  ["Ctrl+Shift+8", "o|ne", "Bulleted list"],
  ["Ctrl+Shift+9", "o|ne", "Quote"],
])("says what %s does to %j", (key, text, words) => {
  const editor = editorAt(text);
  press(editor, key);
  expect(said()).toBe(words);
});

it("says what the toolbar inserts", () => {
  const editor = editorOf("One.");
  editor.run("table");
  expect(said()).toBe("Table inserted");
});

it("says that the text was changed elsewhere", () => {
  const editor = editorOf("One.");
  editor.replace("One. Two.");
  expect(said()).toBe("The text was changed elsewhere");
});

it("says that a proposal was taken", () => {
  const editor = editorAt("a |word| here");
  editor.proposal.begin(editor.part());
  editor.proposal.show(2, [{ old: "word", new: "text" }]);
  editor.proposal.take("current");
  expect(said()).toBe("Change taken");
});
