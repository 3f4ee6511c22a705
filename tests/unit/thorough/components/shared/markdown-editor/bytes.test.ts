/** @jest-environment jsdom */

import { generatedDocuments } from "@/tests/support/markdown-corpus";
import { editorOf } from "@/tests/support/markdown-editor";
import { corpusPosts } from "@/tests/support/post-corpus";

const DOCUMENTS = [...corpusPosts().map(({ markdown }) => markdown), ...generatedDocuments(2_000)];
const STOPS = 6;

/** What an editor has after the caret was all over the text, and its source was shown. */
function afterAWalk(text: string): string {
  const onChange = jest.fn();
  const editor = editorOf(text, { onChange });
  for (let stop = 0; stop <= STOPS; stop += 1) {
    editor.view.dispatch({ selection: { anchor: Math.floor((editor.view.state.doc.length * stop) / STOPS) } });
  }
  editor.setSource(true);
  editor.setSource(false);
  editor.view.dispatch({ selection: { anchor: 0, head: editor.view.state.doc.length } });
  const after = editor.text();
  editor.destroy();
  document.body.replaceChildren();
  return onChange.mock.calls.length > 0 ? `changed: ${after}` : after;
}

it("gives back 2,067 documents byte for byte after the caret was all over them", () => {
  expect(DOCUMENTS.length).toBeGreaterThanOrEqual(2_067);
  expect(DOCUMENTS.filter((text) => afterAWalk(text) !== text)).toEqual([]);
});
