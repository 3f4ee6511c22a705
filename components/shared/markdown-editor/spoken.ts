import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type BlockForm, blockForm, hasForm, type InlineForm } from "@/components/shared/markdown-editor/commands";

/** What a screen reader says of a change that is only seen. */
const INLINE: Record<InlineForm, string> = {
  strong: "Bold",
  emphasis: "Italic",
  strikethrough: "Strikethrough",
  code: "Code",
};

const BLOCK: Partial<Record<BlockForm, string>> = {
  paragraph: "Paragraph",
  bullets: "Bulleted list",
  numbers: "Numbered list",
  tasks: "Task list",
  quote: "Quote",
};

const INSERTED: Record<string, string> = {
  table: "Table inserted",
  divider: "Divider inserted",
};

/** Runs a command and says what it has done. */
export function spoken(name: string, run: (view: EditorView) => boolean): (view: EditorView) => boolean {
  return (view) => {
    const before = view.state;
    const isDone = run(view);
    const words = isDone ? wordsFor(name, before, view.state) : null;
    if (words) view.dispatch({ effects: EditorView.announce.of(words) });
    return isDone;
  };
}

function wordsFor(name: string, before: EditorState, after: EditorState): string | null {
  if (name in INSERTED) return INSERTED[name] ?? null;
  if (name in INLINE) {
    const form = name as InlineForm;
    return `${INLINE[form]} ${hasForm(after, form) ? "on" : "off"}`;
  }
  const form = blockForm(after);
  return form === blockForm(before) ? null : (BLOCK[form] ?? headingOf(form));
}

/** "heading-2" → "Heading, level 2" */
function headingOf(form: BlockForm): string | null {
  const level = /^heading-(\d)$/.exec(form)?.[1];
  return level ? `Heading, level ${level}` : null;
}
