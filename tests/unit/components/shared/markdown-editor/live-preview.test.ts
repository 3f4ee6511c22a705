/** @jest-environment jsdom */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { markdown } from "@/components/shared/markdown-editor/language";
import { livePreview } from "@/components/shared/markdown-editor/live-preview";

it.each([
  ["H<sub>2</sub>O", ["<sub>", "</sub>"]],
  ["the key <your-key> and List<T>", []],
])("shows the tags of HTML as code, and not words that only look like one: %p", (doc, tags) => {
  const view = new EditorView({ state: EditorState.create({ doc, extensions: [markdown, livePreview] }) });
  expect([...view.dom.querySelectorAll(".cm-code-mark")].map(({ textContent }) => textContent)).toEqual(tags);
  view.destroy();
});
