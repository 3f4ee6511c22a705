/** @jest-environment jsdom */
import { editorAt, editorOf } from "@/tests/support/markdown-editor";

const TEXT = "Before.\n\n## One\n\nFirst.\n\n### Inside\n\nMore.\n\n## Two\n\nSecond.";
const at = (word: string) => editorAt(TEXT.replace(word, `|${word}`));

it.each([
  ["First", "section", "## One\n\nFirst.\n\n### Inside\n\nMore."],
  ["More", "section", "## One\n\nFirst.\n\n### Inside\n\nMore."],
  ["## One", "section", "## One\n\nFirst.\n\n### Inside\n\nMore."],
  ["Second", "section", "## Two\n\nSecond."],
  ["Before", "section", "Before."],
])("is the section at the caret: %s", (word, kind, text) => {
  const part = at(word).part();
  expect(part).toMatchObject({ kind, text });
  expect(part.before + part.text + part.after).toBe(TEXT);
});

it("is what is selected, without white space around it", () => {
  const part = editorAt("One | two three \n|four").part();
  expect(part).toMatchObject({ kind: "selection", text: "two three", before: "One  ", after: " \nfour" });
});

it("counts a heading with a line below as one", () => {
  expect(editorAt("One\n---\n\nFi|rst.\n\nTwo\n---\n\nSecond.").part().text).toBe("One\n---\n\nFirst.");
});

it.each([
  ["A sentence.|", "Next.", "\n\nNext."],
  ["It goes|", "on.", " on."],
  ["A paragraph.\n\n|", "Next.", "Next."],
  ["|", "First.", "First."],
  ["It goes |on.", "well, and", "well, and "],
  ["One.|\n\nTwo.", "Between.", "\n\nBetween."],
])("divides what goes on at the caret of %j from what is there", (before, text, fitted) => {
  const editor = editorAt(before);
  expect(editor.fittedAfter(editor.part(), text)).toBe(fitted);
});

it("is asked for by Ctrl+J, and only where somebody listens", () => {
  const onAssist = jest.fn();
  const press = (editor: ReturnType<typeof editorOf>) =>
    editor.view.contentDOM.dispatchEvent(
      new KeyboardEvent("keydown", { key: "j", ctrlKey: true, bubbles: true, cancelable: true }),
    );
  // dispatchEvent returns false once the key is taken.
  expect(press(editorOf("a", { onAssist }))).toBe(false);
  expect(onAssist).toHaveBeenCalledWith(false);
  expect(press(editorOf("a"))).toBe(true);
});
