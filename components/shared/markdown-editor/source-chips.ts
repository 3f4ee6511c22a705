import { isolateHistory } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type KeyBinding, keymap, type Rect, showTooltip, type Tooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { SourcePopover } from "@/components/shared/markdown-editor/source-popover";
import { cite, dropClaim } from "@/components/shared/markdown-editor/source-ways";
import { type SourceMark, sourceMarks } from "@/lib/utils/source-marks";

/** A longer paragraph or table shows its marks as text. */
const MAX_CHARACTERS = 20_000;
const BLOCK = /^(?:Paragraph|Task|Table|(?:ATX|Setext)Heading\d)$/;

/** The marks of missing sources in a block of text; none in other nodes. */
export function marksIn(
  state: EditorState,
  { name, from, to }: { name: string; from: number; to: number },
): SourceMark[] {
  if (!BLOCK.test(name) || to - from > MAX_CHARACTERS) return [];
  return sourceMarks(state.sliceDoc(from, to)).map((mark) => ({ ...mark, from: from + mark.from, to: from + mark.to }));
}

/** What makes a chip of a mark. Screen readers call it a button. */
export function chipAttributes(mark: SourceMark): Record<string, string> {
  return {
    class: "cm-source-mark",
    role: "button",
    "aria-label": nameOf(mark),
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": "Control+.",
    title: "Add a source (Ctrl+.)",
  };
}

function nameOf({ claim }: SourceMark): string {
  return claim === "" ? "Source needed" : `Source needed: ${claim}`;
}

type Open = { mark: SourceMark; tooltip: Tooltip };

const opened = StateEffect.define<SourceMark | null>();

/** The mark whose popover is open. It closes when the mark changes. */
const field = StateField.define<Open | null>({
  create: () => null,
  update(open, { effects, docChanged, changes, state }) {
    const effect = effects.findLast((each) => each.is(opened));
    if (effect) return effect.value && { mark: effect.value, tooltip: tooltipFor(effect.value) };
    if (!open || !docChanged) return open;
    const moved = changes.mapPos(open.mark.from, 1);
    const mark = markAt(state, moved);
    if (mark?.from !== moved || mark.claim !== open.mark.claim) return null;
    return { mark, tooltip: { ...open.tooltip, pos: mark.from, end: mark.to } };
  },
  provide: (value) => showTooltip.from(value, (open) => open?.tooltip ?? null),
});

/** Opens the ways to mend the mark at the caret. */
export const sourceKey: KeyBinding = {
  key: "Ctrl-.",
  run: (view) => openAtCaret(view, () => true),
  preventDefault: true,
  stopPropagation: true,
};

/** Opens ways to mend a missing source: on a click on its chip, or by a key with the caret in it. */
export const sourceChips = [
  field,
  EditorView.domEventHandlers({ click: (event, view) => openByClick(event, view) }),
  keymap.of([
    { key: "Enter", run: (view) => openAtCaret(view, (mark, caret) => mark.from < caret && caret < mark.to) },
    sourceKey,
  ]),
];

/** Opens the popover of a chip in a table that is shown as one: the chip with this index in the cell that begins here. */
export function openInCell(view: EditorView, cell: number, index: number): void {
  const block = blockAt(view.state, cell);
  const mark = block && marksIn(view.state, block).filter(({ from }) => from >= cell)[index];
  if (!mark) return;
  view.dispatch({ selection: { anchor: mark.from } });
  open(view, mark);
}

/** In the editor of a cell, the mark is in the text around, at another place. */
export function openByClick(
  event: MouseEvent,
  view: EditorView,
  around = view,
  placeOf = (place: number) => place,
): boolean {
  const chip = event.target instanceof Element ? event.target.closest(".cm-source-mark") : null;
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!chip || hasModifier || !view.state.selection.main.empty) return false;
  return open(around, markAt(around.state, placeOf(view.posAtDOM(chip))));
}

function openAtCaret(view: EditorView, isIn: (mark: SourceMark, caret: number) => boolean): boolean {
  const { main } = view.state.selection;
  const mark = markAt(view.state, main.head) ?? markAt(view.state, Math.max(0, main.head - 1));
  return main.empty && mark !== null && isIn(mark, main.head) && open(view, mark);
}

function open(view: EditorView, mark: SourceMark | null): boolean {
  if (!mark || view.state.readOnly) return false;
  view.dispatch({ effects: opened.of(mark) });
  return true;
}

function tooltipFor(mark: SourceMark): Tooltip {
  return {
    pos: mark.from,
    end: mark.to,
    create: (view) =>
      new SourcePopover(nameOf(mark), () => placeOf(view), {
        cite: (address) => citeIn(view, address),
        write: () => writeIn(view),
        drop: () => dropIn(view),
        close: (hasFocus) => close(view, hasFocus),
      }),
  };
}

const OUT_OF_SIGHT: Rect = { left: 0, right: 0, top: -1, bottom: -1 };

function placeOf(view: EditorView): Rect {
  const { mark } = view.state.field(field) ?? {};
  if (!mark) return OUT_OF_SIGHT;
  const [first, last] = [view.coordsAtPos(mark.from, 1), view.coordsAtPos(mark.to, -1)];
  return first && last ? { ...first, bottom: last.bottom } : OUT_OF_SIGHT;
}

function close(view: EditorView, hasFocus: boolean): void {
  view.dispatch({ effects: opened.of(null) });
  if (hasFocus) view.focus();
}

/** Returns false for what is not an address of the web. */
function citeIn(view: EditorView, address: string): boolean {
  const { mark } = view.state.field(field) ?? {};
  const change = mark && cite(view.state.sliceDoc(), mark, address);
  if (change) make(view, change, "Source added");
  return Boolean(change);
}

/** Selects the mark, so that typing replaces it. */
function writeIn(view: EditorView): void {
  const { mark } = view.state.field(field) ?? {};
  if (mark) view.dispatch({ selection: { anchor: mark.from, head: mark.to }, scrollIntoView: true });
  close(view, true);
}

function dropIn(view: EditorView): void {
  const { mark } = view.state.field(field) ?? {};
  const block = mark && blockAt(view.state, mark.from, true);
  if (mark && block) make(view, dropClaim(view.state.sliceDoc(), mark, block), "Claim dropped");
}

/** Makes a change as one step that can be undone. */
function make(view: EditorView, change: { from: number; to: number; insert: string }, words: string): void {
  view.dispatch({
    changes: change,
    selection: { anchor: change.from + change.insert.length },
    annotations: isolateHistory.of("full"),
    userEvent: "input.source",
    scrollIntoView: true,
  });
  // A text at its limit takes no more.
  if (view.state.field(field)) return;
  view.dispatch({ effects: EditorView.announce.of(words) });
  view.focus();
}

function markAt(state: EditorState, position: number): SourceMark | null {
  const block = blockAt(state, position);
  const marks = block ? marksIn(state, block) : [];
  return marks.find(({ from, to }) => from <= position && position < to) ?? null;
}

/** The block of text around this position; in a table, its cell if `isCell`. */
function blockAt(state: EditorState, position: number, isCell = false): SyntaxNode | null {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, 1); node; node = node.parent) {
    if (BLOCK.test(node.name) || (isCell && node.name === "TableCell")) return node;
  }
  return null;
}
