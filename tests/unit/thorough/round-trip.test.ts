/** @jest-environment jsdom */
import { undo } from "@codemirror/commands";
import { markdownParser } from "@/components/shared/markdown-editor/language";
import { cpuTime } from "@/tests/support/cpu-time";
import { HOSTILE_MARKDOWN } from "@/tests/support/hostile-markdown";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { editorOf } from "@/tests/support/markdown-editor";
import { randomNumbers } from "@/tests/support/random-numbers";

const DOCUMENTS = [...COMMONMARK, ...GFM, ...generatedDocuments(1_400)];

it("holds at least 2,000 documents", () => {
  expect(DOCUMENTS.length).toBeGreaterThan(2_000);
});

it("gives every document back as it was, and changes nothing but what is typed", () => {
  const random = randomNumbers(1);
  for (const text of DOCUMENTS) {
    const editor = editorOf(text);
    expect(editor.text()).toBe(text);
    const at = Math.floor(random() * (text.length + 1));
    editor.view.dispatch({ selection: { anchor: at } });
    editor.view.dispatch(editor.view.state.replaceSelection("typed"));
    expect(editor.text()).toBe(`${text.slice(0, at)}typed${text.slice(at)}`);
    undo(editor.view);
    expect(editor.text()).toBe(text);
    editor.setSource(true);
    editor.setSource(false);
    editor.setFocusMode(true);
    expect(editor.text()).toBe(text);
    editor.close();
    document.body.replaceChildren();
  }
});

it("takes over a text changed elsewhere, whole, and keeps the caret in what did not change", () => {
  const random = randomNumbers(2);
  for (const [index, text] of DOCUMENTS.slice(0, 500).entries()) {
    const next = DOCUMENTS[(index * 7 + 1) % DOCUMENTS.length] ?? "";
    const editor = editorOf(text);
    editor.replace(next);
    expect(editor.text()).toBe(next);
    const at = 1 + Math.floor(random() * next.length);
    editor.view.dispatch({ selection: { anchor: at } });
    editor.replace(`First line.\n${next}`);
    expect(editor.view.state.selection.main.head).toBe(at + "First line.\n".length);
    editor.close();
    document.body.replaceChildren();
  }
});

// The second length is below what shows plain for its length alone.
it.each(Object.keys(HOSTILE_MARKDOWN).flatMap((shape) => [[shape, 100_000] as const, [shape, 5_900] as const]))(
  "opens and edits %s, %d characters",
  (shape, length) => {
    const text = (HOSTILE_MARKDOWN[shape]?.(length) ?? "").slice(0, length);
    const ms = cpuTime(() => {
      // As a whole: the editor itself stops for a pause at each block.
      markdownParser.parse(text);
      const editor = editorOf(text);
      editor.view.dispatch({ changes: { from: 0, insert: "typed" } });
      expect(editor.text()).toBe(`typed${text}`);
      editor.close();
    });
    // Most take less than 50 ms; without the limits of language.ts some take ten seconds and more.
    expect(ms).toBeLessThan(8_000);
  },
);

it("shows brackets nested more deeply than any post has them as they are typed", () => {
  const images = (depth: number) => `${"![".repeat(depth)}a${"](b)".repeat(depth)}`;
  const hasImage = (text: string) => /Image/.test(String(markdownParser.parse(text)));
  expect([hasImage(images(20)), hasImage(images(21))]).toEqual([true, false]);
});
