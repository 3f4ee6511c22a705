import { createEditor, type Editor, type EditorOptions } from "@/components/shared/markdown-editor/create-editor";

// jsdom has no layout, and the editor measures.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

/** An editor of this text on the test's page. */
export function editorOf(text: string, options: Partial<EditorOptions> = {}): Editor {
  const parent = document.createElement("div");
  document.body.append(parent);
  return createEditor({
    parent,
    text,
    label: "Body",
    placeholder: "",
    maxLength: 1_000_000,
    isSource: false,
    onChange: () => undefined,
    onForms: () => undefined,
    onSource: () => undefined,
    onTooLong: () => undefined,
    onPasted: () => undefined,
    onLink: () => undefined,
    onProposal: () => undefined,
    ...options,
  });
}

/** An editor of `marked`, whose selection is between two bars, or its caret at one. */
export function editorAt(marked: string, options: Partial<EditorOptions> = {}): Editor {
  const [before = "", selected = "", after] = marked.split("|");
  const editor = editorOf(after === undefined ? before + selected : before + selected + after, options);
  const anchor = before.length;
  editor.view.dispatch({ selection: { anchor, head: after === undefined ? anchor : anchor + selected.length } });
  return editor;
}

/** The text with bars around the selection, or one at the caret. */
export function marked({ view, text }: Editor): string {
  const { from, to } = view.state.selection.main;
  const all = text();
  return from === to
    ? `${all.slice(0, from)}|${all.slice(from)}`
    : `${all.slice(0, from)}|${all.slice(from, to)}|${all.slice(to)}`;
}

/** Presses a key in the editor, as `Ctrl+B` or `Enter`. */
export function press({ view }: Editor, name: string): void {
  const keys = name.split("+");
  const key = keys.at(-1) ?? "";
  view.contentDOM.dispatchEvent(
    new KeyboardEvent("keydown", {
      key: key.length === 1 ? key.toLowerCase() : key,
      code: /^\d$/.test(key) ? `Digit${key}` : "",
      keyCode: CODES[key] ?? key.toUpperCase().charCodeAt(0),
      ctrlKey: keys.includes("Ctrl"),
      metaKey: keys.includes("Meta"),
      shiftKey: keys.includes("Shift"),
      altKey: keys.includes("Alt"),
      bubbles: true,
      cancelable: true,
    }),
  );
}

const CODES: Record<string, number> = { Enter: 13, Backspace: 8, Tab: 9 };
