import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { insertDivider, insertTable, toggleBlock } from "@/components/shared/markdown-editor/commands";
import type { LinkKind } from "@/components/shared/markdown-editor/link-target";

/** Asks for a link or picture at the caret. */
type Ask = (kind: LinkKind) => (view: EditorView) => void;

/** An entry of the menu that the screen adds, such as "Write on". */
export type SlashEntry = { label: string; detail: string; run: (view: EditorView) => void };

const entries = (ask: Ask): SlashEntry[] => [
  { label: "Heading", detail: "##", run: toggleBlock("heading-2") },
  { label: "Subheading", detail: "###", run: toggleBlock("heading-3") },
  { label: "Bulleted list", detail: "-", run: toggleBlock("bullets") },
  { label: "Numbered list", detail: "1.", run: toggleBlock("numbers") },
  { label: "Task list", detail: "- [ ]", run: toggleBlock("tasks") },
  { label: "Quote", detail: ">", run: toggleBlock("quote") },
  { label: "Link", detail: "Ctrl+K", run: ask("link") },
  { label: "Image", detail: "![ ]", run: ask("picture") },
  { label: "Table", detail: "| |", run: insertTable },
  { label: "Divider", detail: "---", run: insertDivider },
];

/** A menu after "/" at the start of a line or after a space. */
export function slashMenu(more: SlashEntry[], ask: Ask): Extension {
  // The options stay in this order instead of the alphabetical one.
  const options = [...more, ...entries(ask)].map((entry, place) => ({ ...completionOf(entry), boost: -place }));
  return [
    opener,
    autocompletion({
      // Asking at every key would take a tenth of its time: the menu opens with its own key.
      activateOnTyping: false,
      override: [(context) => complete(context, options)],
      icons: false,
      interactionDelay: 0,
      optionClass: () => "cm-menu-option",
      aboveCursor: false,
    }),
  ];
}

const opener = EditorView.inputHandler.of((view, _from, _to, text, insert) => {
  if (text !== "/") return false;
  view.dispatch(insert());
  startCompletion(view);
  return true;
});

function completionOf({ label, detail, run }: SlashEntry): Completion {
  return {
    label: `/${label}`,
    displayLabel: label,
    detail,
    apply(view, _completion, from, to) {
      view.dispatch({ changes: { from, to }, userEvent: "input.complete" });
      closeCompletion(view);
      run(view);
    },
  };
}

function complete(context: CompletionContext, options: Completion[]): CompletionResult | null {
  const typed = context.matchBefore(/(?:^|(?<=\s))\/[A-Za-z ]{0,20}$/);
  if (!typed) return null;
  for (let node: ReturnType<typeof inner> | null = inner(context); node; node = node.parent) {
    if (/Code|HTML/.test(node.name)) return null;
  }
  return { from: typed.from, options, validFor: /^\/[A-Za-z ]*$/ };
}

function inner({ state, pos }: CompletionContext) {
  return syntaxTree(state).resolveInner(pos, -1);
}
