/** @jest-environment jsdom */
import { editorAt } from "@/tests/support/markdown-editor";

afterEach(() => document.body.replaceChildren());

/** What of these events is heard outside of the editor. */
function heardOf(key: string, modifiers: KeyboardEventInit = {}): string[] {
  editorAt("One.|");
  const content = document.querySelector(".cm-content") as HTMLElement;
  const heard: string[] = [];
  for (const type of ["keydown", "keypress", "keyup", "input"]) {
    document.body.addEventListener(type, () => heard.push(type), { once: true });
    const event =
      type === "input"
        ? new InputEvent(type, { bubbles: true })
        : new KeyboardEvent(type, { key, ...modifiers, bubbles: true });
    content.dispatchEvent(event);
  }
  return heard;
}

it.each(["a", " ", "ß", "雨"])(
  "keeps the key %j from the handlers around the editor, and not what it has typed",
  (key) => {
    expect(heardOf(key)).toEqual(["input"]);
  },
);

it.each<[string, KeyboardEventInit]>([
  ["s", { ctrlKey: true }],
  ["k", { metaKey: true }],
  ["x", { altKey: true }],
  ["Escape", {}],
  ["Tab", {}],
  ["ArrowDown", {}],
])("lets %s with %j pass, which may be a shortcut", (key, modifiers) => {
  expect(heardOf(key, modifiers)).toEqual(["keydown", "keypress", "keyup", "input"]);
});
