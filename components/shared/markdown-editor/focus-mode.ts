import { type EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const current = Decoration.line({ class: "cm-current" });

/** Marks the paragraph of the caret, whose lines the theme leaves in full colour. */
export const focusMode = [
  EditorView.editorAttributes.of({ class: "cm-focus-mode" }),
  EditorView.decorations.compute(["doc", "selection"], ({ doc, selection }: EditorState) => {
    const lines = new RangeSetBuilder<Decoration>();
    const { number } = doc.lineAt(selection.main.head);
    let first = number;
    let last = number;
    const isBlank = (line: number) => doc.line(line).text.trim() === "";
    if (!isBlank(number)) {
      while (first > 1 && !isBlank(first - 1)) first -= 1;
      while (last < doc.lines && !isBlank(last + 1)) last += 1;
    }
    for (let line = first; line <= last; line += 1) lines.add(doc.line(line).from, doc.line(line).from, current);
    return lines.finish();
  }),
];
