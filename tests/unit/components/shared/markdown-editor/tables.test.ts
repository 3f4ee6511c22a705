/** @jest-environment jsdom */
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { markdown } from "@/components/shared/markdown-editor/language";
import { tableField } from "@/components/shared/markdown-editor/table/state";

const TABLE = "| Plant | Depth |\n| --- | --- |\n| Iris | 30 cm |";
/** More than one part of the parser. */
const LONG = Array.from({ length: 500 }, (_, index) => `Paragraph ${index}, of some length.`).join("\n\n");

/** The texts that are drawn as tables. */
function drawn(state: EditorState): string[] {
  const found: string[] = [];
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === "function") continue;
    set.between(0, state.doc.length, (from, to) => void found.push(state.sliceDoc(from, to)));
  }
  return found;
}

/** Parsed to the end: the editor itself goes on when it has time. */
function parsed(state: EditorState): EditorState {
  expect(ensureSyntaxTree(state, state.doc.length, 60_000)).not.toBeNull();
  return state.update({ selection: { anchor: 0 } }).state;
}

const open = (doc: string) => parsed(EditorState.create({ doc, extensions: [markdown, tableField] }));

it("draws tables anywhere in a long text", () => {
  const state = open([TABLE, LONG, TABLE.replace("Iris", "Sedge"), LONG, TABLE.replace("Iris", "Rush")].join("\n\n"));
  expect(drawn(state)).toEqual([TABLE, TABLE.replace("Iris", "Sedge"), TABLE.replace("Iris", "Rush")]);
});

it("still draws them after edits before, in and after them", () => {
  let state = open([LONG, TABLE, LONG].join("\n\n"));
  const insert = (at: number, text: string) => {
    state = parsed(state.update({ changes: { from: at, insert: text } }).state);
  };
  insert(0, "New. ");
  expect(drawn(state)).toEqual([TABLE]);
  insert(state.doc.toString().indexOf("Iris"), "Blue ");
  expect(drawn(state)).toEqual([TABLE.replace("Iris", "Blue Iris")]);
  insert(state.doc.length, " The end.");
  expect(drawn(state)).toEqual([TABLE.replace("Iris", "Blue Iris")]);
  insert(state.doc.toString().indexOf("| Plant"), "```\n");
  expect(drawn(state)).toEqual([]);
});
