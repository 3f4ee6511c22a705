import { EditorState, type Extension, Facet } from "@codemirror/state";
import { EditorView, WidgetType } from "@codemirror/view";
import { element } from "@/components/shared/markdown-editor/widgets";

/** The extensions that format proposed lines, which have an editor of their own. */
export const look = Facet.define<Extension, Extension>({ combine: (all) => [...all] });

/** The editors that show added lines. */
const editors = new WeakMap<HTMLElement, EditorView>();

/** Words that are not in the text yet: plain Markdown within a line, formatted where they are lines of their own. */
export class AddedText extends WidgetType {
  constructor(
    readonly text: string,
    readonly place: number | null,
    readonly isCurrent: boolean,
    /** How its lines look; null for words within a line. */
    readonly look: Extension | null,
  ) {
    super();
  }

  override eq({ text, place, isCurrent, look }: AddedText): boolean {
    return text === this.text && place === this.place && isCurrent === this.isCurrent && look === this.look;
  }

  override toDOM(): HTMLElement {
    const added = element("ins", "cm-proposed-new");
    added.dir = "auto";
    if (this.look) {
      added.classList.add("cm-proposed-lines");
      editors.set(added, readOnlyEditor(added, this.look));
    }
    this.updateDOM(added);
    return added;
  }

  override updateDOM(added: HTMLElement): boolean {
    const editor = editors.get(added);
    if (Boolean(editor) !== Boolean(this.look)) return false;
    if (editor) show(editor, this.text.trim());
    else if (added.textContent !== this.text) added.textContent = this.text;
    added.classList.toggle("cm-proposed-current", this.isCurrent);
    if (this.place === null) delete added.dataset.change;
    else added.dataset.change = String(this.place);
    return true;
  }

  override destroy(added: HTMLElement): void {
    editors.get(added)?.destroy();
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function readOnlyEditor(parent: HTMLElement, look: Extension): EditorView {
  const extensions = [
    EditorState.lineSeparator.of("\n"),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({ role: "group", "aria-label": "Proposed lines", "aria-multiline": "" }),
    look,
  ];
  return new EditorView({ parent, state: EditorState.create({ extensions }) });
}

/** Words that arrive are put behind those that are shown. */
function show(editor: EditorView, text: string): void {
  const now = editor.state.sliceDoc();
  if (now === text) return;
  const from = text.startsWith(now) ? now.length : 0;
  editor.dispatch({ changes: { from, to: now.length, insert: text.slice(from) } });
}
