import { completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension, StateEffect, Transaction } from "@codemirror/state";
import { dropCursor, EditorView, highlightSpecialChars, type KeyBinding, keymap, placeholder } from "@codemirror/view";
import type { Stretch } from "@/components/shared/difference/rows";
import {
  type BlockForm,
  blockForm,
  hasForm,
  type InlineForm,
  insertDivider,
  insertTable,
  toggleBlock,
  toggleForm,
} from "@/components/shared/markdown-editor/commands";
import { edges } from "@/components/shared/markdown-editor/edges";
import { focusMode, keepPlace } from "@/components/shared/markdown-editor/focus-mode";
import { keptSelection } from "@/components/shared/markdown-editor/kept-selection";
import { markdown } from "@/components/shared/markdown-editor/language";
import {
  type LinkKind,
  type LinkParts,
  type LinkTarget,
  linkMarkdown,
  linkTargetAt,
} from "@/components/shared/markdown-editor/link-target";
import { continueList, deleteMark, indentItem } from "@/components/shared/markdown-editor/lists";
import { livePreview } from "@/components/shared/markdown-editor/live-preview";
import { openLink } from "@/components/shared/markdown-editor/open-link";
import { withOrderedSelection } from "@/components/shared/markdown-editor/ordered-selection";
import { type EditorPart, partAt } from "@/components/shared/markdown-editor/part";
import { finishPastes, type Pasted, pasting } from "@/components/shared/markdown-editor/paste";
import { fittingText, isInTable } from "@/components/shared/markdown-editor/paste-fit";
import {
  beginProposal,
  leaveChanges,
  lookAtChange,
  type ProposalState,
  proposalOf,
  proposalState,
  proposals,
  showArriving,
  showChanges,
  takeChanges,
} from "@/components/shared/markdown-editor/proposal";
import { type SelectionTool, selectionBar } from "@/components/shared/markdown-editor/selection-bar";
import { type SlashEntry, slashMenu } from "@/components/shared/markdown-editor/slash-menu";
import { sourceChips, sourceKey } from "@/components/shared/markdown-editor/source-chips";
import { spoken } from "@/components/shared/markdown-editor/spoken";
import { cellEditor } from "@/components/shared/markdown-editor/table/cell-editor";
import { difference } from "@/components/shared/markdown-editor/table/model";
import { moving } from "@/components/shared/markdown-editor/table/moving";
import {
  cellOf,
  complete,
  focused,
  inMadeCell,
  TABLE_BAR,
  tableField,
} from "@/components/shared/markdown-editor/table/state";
import { theme } from "@/components/shared/markdown-editor/theme";
import { typing } from "@/components/shared/markdown-editor/typing";

/** What a toolbar shows of the place of the caret. */
export type Forms = Record<InlineForm, boolean> & { block: BlockForm };

export type EditorOptions = {
  parent: HTMLElement;
  text: string;
  /** Continues from the state of an editor that was closed, with its history, if the text is still the same. */
  from?: EditorState | undefined;
  label: string;
  placeholder: string;
  maxLength: number;
  isSource: boolean;
  onChange: () => void;
  onForms: (forms: Forms) => void;
  /** Called on Ctrl+/. */
  onSource: () => void;
  /** Called on Ctrl+J, or by "Write on" in the "/" menu. Without it neither is there. */
  onAssist?: ((isWritingOn: boolean) => void) | undefined;
  /** Called when something was not inserted, because the text would be longer than allowed. */
  onTooLong: () => void;
  /** Called when there is something to say of a paste. */
  onPasted: (pasted: Pasted) => void;
  /** Called when the user wants a link or picture, or to change one. */
  onLink: (target: LinkTarget) => void;
  /** Called with what is proposed for the text, if that has changed. */
  onProposal: (proposal: ProposalState | null) => void;
};

/** Marks a change that did not come from the user here. */
const isExternal = Annotation.define<boolean>();

/** An editor of Markdown. It splits lines at `\n` alone, so that the text comes out as it went in, character by character. */
export function createEditor(options: EditorOptions) {
  const view = new EditorView({
    parent: options.parent,
    state: firstState(options),
    dispatchTransactions: (transactions, made) => made.update(withOrderedSelection(transactions)),
  });
  const ask = asking(options);
  reportForms(view, options);
  // An editor that was closed meanwhile has no words arriving.
  if (proposalState(view.state)?.isArriving) leaveChanges(view, "all");
  return {
    view,
    text: () => documentText(view.state),
    /** Takes over a text that was changed elsewhere; the caret stays where it is in what did not change. */
    replace(text: string) {
      const changes = difference(documentText(view.state), text);
      if (!changes) return;
      view.dispatch({
        changes,
        annotations: [isExternal.of(true), Transaction.addToHistory.of(false)],
        effects: EditorView.announce.of("The text was changed elsewhere"),
      });
    },
    setSource(isSource: boolean) {
      const hasFocus = view.dom.contains(document.activeElement);
      view.dispatch({ effects: mode.reconfigure(isSource ? source : preview(options)) });
      if (!hasFocus) return;
      view.focus();
      view.dispatch({ effects: focused.of(true) });
    },
    setFocusMode(isOn: boolean) {
      const announcement = EditorView.announce.of(isOn ? "Focus mode on. Escape leaves it." : "Focus mode off");
      view.dispatch({ effects: [focus.reconfigure(isOn ? focusMode : []), announcement] });
    },
    keepPlace: (change: () => void, y?: number) => keepPlace(view, change, y),
    /** Selects this stretch of the text, or puts the caret there, in the middle of the window. */
    goTo({ from, to }: { from: number; to: number }) {
      const { length } = view.state.doc;
      const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    part() {
      complete(view);
      return partAt(view.state);
    },
    /** What the AI proposes for a part is shown in the text as a difference, which the user takes or leaves. */
    proposal: {
      state: () => proposalState(view.state),
      begin: (part: EditorPart, isAtCaret = false) => beginProposal(view, part, isAtCaret),
      arriving: (text: string) => showArriving(view, text),
      show: (from: number, stretches: Stretch[]) => showChanges(view, from, stretches),
      look: (step: 1 | -1) => lookAtChange(view, step),
      take: (which: "current" | "all") => takeChanges(view, which),
      leave: (which: "current" | "all") => leaveChanges(view, which),
    },
    /** A text for the caret of a part, or for where the proposal is by now, with what divides it from the text around. */
    fittedAfter({ untilCaret, fromCaret }: EditorPart, text: string) {
      const at = proposalState(view.state)?.from ?? untilCaret.length;
      const gap = gapAfter(untilCaret);
      const lead = isInTable(view.state, at) ? gap.replace("\n\n", " ") : gap;
      return lead + fittingText(view.state, at, text) + (/^\S/.test(fromCaret) ? " " : "");
    },
    /** A text for the place of a part. In a row of a table it is one line. */
    fittedIn: ({ from }: EditorPart, text: string) =>
      fittingText(view.state, proposalState(view.state)?.from ?? from, text),
    /**
     * Puts a link or picture in the place of a target, as one step; the caret goes behind it. Null leaves a link's text.
     * Returns false if the text has changed there or above meanwhile; then nothing is changed.
     */
    putLink({ kind, from, to, above, source, text }: LinkTarget, parts: LinkParts | null): boolean {
      const { doc } = view.state;
      if (!doc.slice(0, from).eq(above) || doc.sliceString(from, to) !== source) return false;
      const insert = fittingText(view.state, from, parts ? linkMarkdown(kind, parts) : kind === "link" ? text : "");
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: "input",
        effects: EditorView.announce.of(`${kind === "link" ? "Link" : "Picture"} ${parts ? "saved" : "removed"}`),
      });
      view.focus();
      return true;
    },
    run(command: EditorCommand) {
      if (command === "link" || command === "picture") return void ask(command)(view);
      COMMANDS[command](view);
      if (command !== "find") view.focus();
    },
    /** Returns the state that the next editor of this text goes on from. */
    close(): EditorState {
      finishPastes(view);
      view.destroy();
      return view.state;
    },
  };
}

export type Editor = ReturnType<typeof createEditor>;

const INLINE = {
  strong: inMadeCell(toggleForm("strong")),
  emphasis: inMadeCell(toggleForm("emphasis")),
  strikethrough: inMadeCell(toggleForm("strikethrough")),
  code: inMadeCell(toggleForm("code")),
  find: openSearchPanel,
} satisfies Record<string, (view: EditorView) => boolean>;

const BLOCK = {
  paragraph: toggleBlock("paragraph"),
  "heading-2": toggleBlock("heading-2"),
  "heading-3": toggleBlock("heading-3"),
  "heading-4": toggleBlock("heading-4"),
  bullets: toggleBlock("bullets"),
  numbers: toggleBlock("numbers"),
  tasks: toggleBlock("tasks"),
  quote: toggleBlock("quote"),
  table: insertTable,
  divider: insertDivider,
} satisfies Record<string, (view: EditorView) => boolean>;

type PlainCommand = keyof typeof INLINE | keyof typeof BLOCK;
export type EditorCommand = PlainCommand | LinkKind;

const COMMANDS = Object.fromEntries(
  [
    ...Object.entries(INLINE),
    // A cell of a table has no blocks.
    ...Object.entries(BLOCK).map(
      ([name, run]) => [name, (view: EditorView) => cellOf(view.state) === null && run(view)] as const,
    ),
  ].map(([name, run]) => [name, spoken(name, run)]),
) as Record<PlainCommand, (view: EditorView) => boolean>;

/** The words of find and replace, as the rest of the app writes them. */
const WORDS = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regex",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
};

const mode = new Compartment();
const focus = new Compartment();
const source: Extension = EditorView.editorAttributes.of({ class: "cm-source" });

function firstState(options: EditorOptions): EditorState {
  const { text, from } = options;
  const extensions = extensionsOf(options);
  if (!from || documentText(from) !== text) return EditorState.create({ extensions, doc: text });
  // Its listeners belong to the editor that was closed; history and selection stay.
  return from.update({ effects: StateEffect.reconfigure.of(extensions) }).state;
}

function extensionsOf(options: EditorOptions): Extension {
  return [
    EditorState.lineSeparator.of("\n"),
    EditorState.changeFilter.of((transaction) => isAllowed(transaction, options)),
    EditorState.phrases.of(WORDS),
    history(),
    keptSelection,
    dropCursor(),
    highlightSpecialChars({ render: (_code, description) => specialCharacter(description ?? "") }),
    EditorView.lineWrapping,
    edges((state) => (cellOf(state) ? TABLE_BAR : 0)),
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({
      "aria-label": options.label,
      spellcheck: "true",
      autocorrect: "on",
      autocapitalize: "sentences",
    }),
    placeholder(options.placeholder),
    markdown,
    mode.of(options.isSource ? source : preview(options)),
    focus.of([]),
    search({ top: true }),
    slashMenu(writeOn(options), asking(options)),
    selectionBar(toolsOf(options)),
    proposals([markdown, livePreview, tableField, theme]),
    openLink,
    typing,
    pasting(options.onPasted),
    keymap.of([...bindings(options), ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.every((each) => each.annotation(isExternal))) options.onChange();
      if (update.docChanged || update.selectionSet) reportForms(update.view, options);
      if (proposalOf(update.startState) !== proposalOf(update.state)) options.onProposal(proposalState(update.state));
    }),
  ];
}

function preview(options: EditorOptions): Extension {
  const inCells = {
    keys: [...shortcuts(options), sourceKey, ...searchKeymap, ...historyKeymap],
    tools: toolsOf(options).filter(({ isBlock }) => !isBlock),
    pasting: (around: EditorView) => pasting(options.onPasted, around),
  };
  return [livePreview, tableField, moving, cellEditor(inCells), sourceChips];
}

function writeOn({ onAssist }: EditorOptions): SlashEntry[] {
  return onAssist ? [{ label: "Write on", detail: "AI", run: () => onAssist(true) }] : [];
}

/** What the bar at selected words has. */
function toolsOf(options: EditorOptions): SelectionTool[] {
  const { onAssist } = options;
  return [
    { label: "Bold", words: "B", run: COMMANDS.strong },
    { label: "Italic", words: "I", run: COMMANDS.emphasis },
    { label: "Link", words: "Link", run: asking(options)("link") },
    { label: "Heading", words: "Heading", run: COMMANDS["heading-2"], isBlock: true },
    { label: "Bulleted list", words: "List", run: COMMANDS.bullets, isBlock: true },
    ...(onAssist ? [{ label: "Write with AI", words: "Write with AI", run: () => onAssist(false) }] : []),
  ];
}

/** Commands that ask for a link or picture. */
function asking({ onLink }: EditorOptions): (kind: LinkKind) => (view: EditorView) => boolean {
  return (kind) =>
    inMadeCell(({ state }) => {
      if (!state.readOnly) onLink(linkTargetAt(state, kind));
      return true;
    });
}

/** The app's own shortcuts with these keys, such as the sidebar's, do not see them. */
function shortcuts(options: EditorOptions): KeyBinding[] {
  const { onSource, onAssist } = options;
  function assist(): boolean {
    onAssist?.(false);
    return true;
  }
  function switchSource(): boolean {
    onSource();
    return true;
  }
  const own: KeyBinding[] = [
    { key: "Mod-b", run: COMMANDS.strong },
    { key: "Mod-i", run: COMMANDS.emphasis },
    { key: "Mod-k", run: asking(options)("link") },
    { key: "Mod-e", run: COMMANDS.code },
    { key: "Mod-Shift-x", run: COMMANDS.strikethrough },
    { key: "Mod-Shift-7", run: COMMANDS.numbers },
    { key: "Mod-Shift-8", run: COMMANDS.bullets },
    { key: "Mod-Shift-9", run: COMMANDS.quote },
    { key: "Mod-Alt-0", run: COMMANDS.paragraph },
    { key: "Mod-Alt-2", run: COMMANDS["heading-2"] },
    { key: "Mod-Alt-3", run: COMMANDS["heading-3"] },
    { key: "Mod-Alt-4", run: COMMANDS["heading-4"] },
    { key: "Mod-/", run: switchSource },
    ...(onAssist ? [{ key: "Mod-j", run: assist }] : []),
  ];
  return own.map((binding) => ({ ...binding, preventDefault: true, stopPropagation: true }));
}

function bindings(options: EditorOptions): KeyBinding[] {
  return [
    ...shortcuts(options),
    { key: "Enter", run: continueList },
    { key: "Backspace", run: deleteMark },
    { key: "Tab", run: indentItem(1), shift: indentItem(-1) },
  ];
}

/** Returns what begins a new paragraph after a finished sentence; otherwise the sentence goes on. */
function gapAfter(text: string): string {
  if (text === "" || /\s$/.test(text)) return "";
  return /[.!?…:)\]”"»。！？]$/.test(text) ? "\n\n" : " ";
}

function documentText(state: EditorState): string {
  return state.sliceDoc();
}

/** Refuses what would make the text longer than allowed. Shortening a text that is too long is always possible. */
function isAllowed(transaction: Transaction, { maxLength, onTooLong }: EditorOptions): boolean {
  const { startState, newDoc } = transaction;
  if (newDoc.length <= Math.max(maxLength, startState.doc.length) || transaction.annotation(isExternal)) return true;
  onTooLong();
  return false;
}

function specialCharacter(description: string): HTMLElement {
  const shown = document.createElement("span");
  shown.title = description;
  return shown;
}

function reportForms({ state }: EditorView, { onForms }: EditorOptions): void {
  onForms({
    strong: hasForm(state, "strong"),
    emphasis: hasForm(state, "emphasis"),
    strikethrough: hasForm(state, "strikethrough"),
    code: hasForm(state, "code"),
    block: blockForm(state),
  });
}
