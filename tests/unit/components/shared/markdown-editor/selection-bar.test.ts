/** @jest-environment jsdom */
import { act } from "@testing-library/react";
import type { EditorOptions } from "@/components/shared/markdown-editor/create-editor";
import { editorAt, marked, press } from "@/tests/support/markdown-editor";
import { polyfillBrowser } from "@/tests/support/render";

let isFine = true;
beforeEach(() => {
  jest.useFakeTimers();
  isFine = true;
  polyfillBrowser(() => isFine);
});
afterEach(() => jest.useRealTimers());

const bar = (editor: ReturnType<typeof editorAt>) => editor.view.dom.querySelector("[role=toolbar]");
const wait = (ms = 1_000) => act(async () => jest.advanceTimersByTime(ms));

async function select(text: string, options: Partial<EditorOptions> = {}) {
  const editor = editorAt(text, options);
  const { main } = editor.view.state.selection;
  editor.view.focus();
  editor.view.dispatch({ selection: { anchor: main.anchor, head: main.head } });
  await wait();
  return editor;
}

const tool = (editor: ReturnType<typeof editorAt>, label: string) =>
  bar(editor)?.querySelector<HTMLElement>(`[aria-label="${label}"]`);

it("comes once words stay selected, and goes when others are or the text changes", async () => {
  const editor = editorAt("one |two| three");
  editor.view.focus();
  editor.view.dispatch({ selection: { anchor: 4, head: 7 } });
  await wait(100);
  expect(bar(editor)).toBeNull();
  await wait();
  expect(bar(editor)).toBeVisible();
  editor.view.dispatch({ selection: { anchor: 0, head: 7 } });
  expect(bar(editor)).toBeNull();
  await wait();
  expect(bar(editor)).toBeVisible();
  editor.view.dispatch(editor.view.state.replaceSelection("x"));
  await wait();
  expect(bar(editor)).toBeNull();
});

it("makes the words what its buttons say, and leaves the focus in the text", async () => {
  const editor = await select("one |two| three");
  tool(editor, "Bold")?.click();
  expect(marked(editor)).toBe("one **|two|** three");
  expect(editor.view.hasFocus).toBe(true);
  expect(bar(editor)).toBeNull();
});

it("asks for a link, and asks the AI where there is one", async () => {
  const asked: string[] = [];
  const onAssist = () => asked.push("AI");
  const editor = await select("one |two| three", { onAssist, onLink: ({ text }) => asked.push(text) });
  tool(editor, "Link")?.click();
  editor.view.dispatch({ selection: { anchor: 4, head: 7 } });
  await wait();
  tool(editor, "Write with AI")?.click();
  expect(asked).toEqual(["two", "AI"]);
  expect(tool(await select("one |two| three"), "Write with AI")).toBeFalsy();
});

it("is closed by Escape until other words are selected", async () => {
  const editor = await select("one |two| three");
  press(editor, "Escape");
  await wait();
  expect(bar(editor)).toBeNull();
  editor.view.dispatch({ selection: { anchor: 0, head: 3 } });
  await wait();
  expect(bar(editor)).toBeVisible();
});

it.each([
  ["nothing is selected", "one |two three"],
  ["only space is", "one| |two"],
])("does not come where %s", async (_what, text) => {
  expect(bar(await select(text))).toBeNull();
});

it("does not come on a phone, and goes when the text loses the focus", async () => {
  const editor = await select("one |two| three");
  editor.view.contentDOM.blur();
  await wait();
  expect(bar(editor)).toBeNull();
  isFine = false;
  expect(bar(await select("one |two| three"))).toBeNull();
});

it("waits while a pointer is selecting", async () => {
  const editor = editorAt("one |two| three");
  editor.view.focus();
  editor.view.contentDOM.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  editor.view.dispatch({ selection: { anchor: 4, head: 7 } });
  await wait();
  expect(bar(editor)).toBeNull();
  window.dispatchEvent(new Event("pointerup"));
  await wait();
  expect(bar(editor)).toBeVisible();
});
