/** @jest-environment jsdom */
import { editorAt, editorOf, marked } from "@/tests/support/markdown-editor";

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

describe("a text that takes its place", () => {
  it("is selected, and undone in one step", () => {
    const editor = editorAt("a |word| here");
    const part = editor.part();
    expect(editor.put(part, "better word")).toBe(true);
    expect(marked(editor)).toBe("a |better word| here");
    editor.view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
    expect(editor.text()).toBe("a word here");
  });

  it("is not put where the text has changed meanwhile", () => {
    const editor = editorAt("a |word| here");
    const part = editor.part();
    editor.replace("another word here");
    expect(editor.put(part, "better")).toBe(false);
    expect(editor.text()).toBe("another word here");
  });
});

it.each([
  ["A sentence.|", "Next.", "A sentence.\n\nNext.|"],
  ["It goes|", "on.", "It goes on.|"],
  ["A paragraph.\n\n|", "Next.", "A paragraph.\n\nNext.|"],
  ["|", "First.", "First.|"],
  ["It goes |on.", "well, and", "It goes well, and |on."],
  ["One.|\n\nTwo.", "Between.", "One.\n\nBetween.|\n\nTwo."],
])("writes on at the caret of %j", (before, text, after) => {
  const editor = editorAt(before);
  expect(editor.putAtCaret(editor.part(), text)).toBe(true);
  expect(marked(editor)).toBe(after);
});

it("does not write on where what stood before has changed", () => {
  const editor = editorAt("One.|");
  const part = editor.part();
  editor.replace("Another. One.");
  expect(editor.putAtCaret(part, "Two.")).toBe(false);
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
