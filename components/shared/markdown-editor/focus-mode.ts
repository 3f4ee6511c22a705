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

/**
 * Makes a change around the text and focuses it. The caret stays where it is in the window; out of sight, what is in the
 * window's middle does. With `y` the window goes there instead, or as near to it as the caret that was in sight allows.
 */
export function keepPlace(view: EditorView, change: () => void, y?: number): void {
  const caret = view.state.selection.main.head;
  const isCaret = isInSight(view, caret);
  const place = isCaret ? caret : view.posAtCoords({ x: innerWidth / 2, y: innerHeight / 2 }, false);
  const before = view.coordsAtPos(place)?.top ?? 0;
  change();
  const after = view.coordsAtPos(place)?.top ?? before;
  scrollTo({ top: y ?? scrollY + after - before, behavior: "instant" });
  if (y !== undefined && isCaret) view.dispatch({ effects: EditorView.scrollIntoView(caret) });
  view.focus();
}

function isInSight(view: EditorView, position: number): boolean {
  const at = view.coordsAtPos(position);
  return at !== null && at.top >= 0 && at.bottom <= innerHeight;
}
