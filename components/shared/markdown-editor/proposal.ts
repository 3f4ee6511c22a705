import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { changeName } from "@/components/shared/difference/choices";
import type { Stretch } from "@/components/shared/difference/rows";
import { AddedText, look } from "@/components/shared/markdown-editor/added-text";
import type { EditorPart } from "@/components/shared/markdown-editor/part";

/** A stretch of the text that is proposed to become `insert`. */
type Change = { from: number; to: number; insert: string };

/** What is proposed for a part of the text. Nothing of it is in the text until it is taken. */
type Proposal = {
  /** Where the part is by now. */
  from: number;
  to: number;
  /** Words that arrive; null once all are here. */
  arriving: string | null;
  /** What has happened to the text since the part was given away. */
  since: ChangeDesc;
  changes: Change[];
  /** The place of the change that the user looks at, among the changes. */
  current: number;
};

/**
 * What can be said of a proposal: where its part is, how many of its changes are neither taken nor left, and which one of them
 * the user looks at.
 */
export type ProposalState = { from: number; to: number; isArriving: boolean; count: number; current: number };

const begun = StateEffect.define<{ from: number; to: number; since: ChangeDesc }>();
const arrived = StateEffect.define<string>();
const proposed = StateEffect.define<{ from: number; stretches: Stretch[] }>();
const looked = StateEffect.define<number>();
/** The changes at these places are dealt with; without one, all are. */
const settled = StateEffect.define<number | null>();

const field = StateField.define<Proposal | null>({
  create: () => null,
  update(proposal, { effects, changes, docChanged }) {
    let next = proposal;
    for (const effect of effects) {
      if (effect.is(settled)) next = next && without(next, effect.value);
    }
    if (next && docChanged) next = moved(next, changes);
    for (const effect of effects) {
      if (effect.is(begun)) next = { ...effect.value, arriving: "", changes: [], current: 0 };
      else if (next && effect.is(arrived)) next = { ...next, arriving: effect.value };
      else if (next && effect.is(proposed))
        next = { ...next, arriving: null, changes: changesOf(next.since, effect.value) };
      else if (next && effect.is(looked)) next = { ...next, current: effect.value };
    }
    if (!next || next === proposal) return next;
    return { ...next, current: Math.max(0, Math.min(next.current, next.changes.length - 1)) };
  },
  provide: (value) => EditorView.decorations.compute([value, look], decorate),
});

/** Shows in the text what is proposed for it, as a difference; proposed lines have this look. */
export const proposals = (lines: Extension): Extension => [
  field,
  look.of(lines),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const place = event.target instanceof Element ? event.target.closest("[data-change]") : null;
      if (!(place instanceof HTMLElement)) return false;
      view.dispatch({ effects: looked.of(Number(place.dataset.change)) });
      return false;
    },
  }),
];

/** What is proposed for the text, or null. */
export function proposalOf(state: EditorState): Proposal | null {
  return state.field(field, false) ?? null;
}

/** True if a proposed change touches this stretch of the text, so that its marks are shown. */
export function isProposedFor(state: EditorState, from: number, to: number): boolean {
  return proposalOf(state)?.changes.some((change) => change.from <= to && change.to >= from) ?? false;
}

/** The same, as far as a bar shows it. */
export function proposalState(state: EditorState): ProposalState | null {
  const proposal = proposalOf(state);
  if (!proposal) return null;
  const { from, to, arriving, changes, current } = proposal;
  return { from, to, isArriving: arriving !== null, count: changes.length, current };
}

/** The AI works on this part from now on, or at its caret. Returns false if the text has changed there or above meanwhile. */
export function beginProposal(view: EditorView, part: EditorPart, isAtCaret: boolean): boolean {
  const caret = part.untilCaret.length;
  const { from, to } = isAtCaret ? { from: caret, to: caret } : part;
  const until = isAtCaret ? part.untilCaret : part.before + part.text;
  if (view.state.sliceDoc(0, to) !== until) return false;
  // A selection would hide the colours of the changes.
  view.dispatch({ selection: { anchor: to }, effects: begun.of({ from, to, since: view.state.changes([]).desc }) });
  return true;
}

/** Shows what has arrived so far behind the part. */
export function showArriving(view: EditorView, text: string): void {
  if (proposalOf(view.state)?.arriving !== text) view.dispatch({ effects: arrived.of(text) });
}

/**
 * Shows what is proposed for the part that began here when the AI was asked. Changes of words that the user has changed
 * meanwhile are left out.
 */
export function showChanges(view: EditorView, from: number, stretches: Stretch[]): void {
  view.dispatch({ effects: proposed.of({ from, stretches }) });
}

/** Goes to the next change, or the one before. */
export function lookAtChange(view: EditorView, step: 1 | -1): void {
  const { changes = [], current = 0 } = proposalOf(view.state) ?? {};
  const place = (current + step + changes.length) % Math.max(1, changes.length);
  const change = changes[place];
  if (!change) return;
  const said = `Change ${place + 1} of ${changes.length}: ${changeName(view.state.sliceDoc(change.from, change.to), change.insert)}`;
  view.dispatch({
    effects: [looked.of(place), EditorView.scrollIntoView(change.from, { y: "center" }), EditorView.announce.of(said)],
  });
}

/** Puts the change that the user looks at into the text, or all: as one step that can be undone. */
export function takeChanges(view: EditorView, which: "current" | "all"): void {
  const { changes = [], current = 0 } = proposalOf(view.state) ?? {};
  const taken = which === "all" ? changes : changes.slice(current, current + 1);
  const last = taken.at(-1);
  if (!last) return;
  const set = view.state.changes(taken);
  const transaction = view.state.update({
    changes: set,
    selection: { anchor: set.mapPos(last.to, 1) },
    effects: [
      settled.of(which === "all" ? null : current),
      EditorView.announce.of(taken.length === 1 ? "Change taken" : `${taken.length} changes taken`),
    ],
    scrollIntoView: which === "all",
    userEvent: "input.assist",
  });
  // A text at its limit takes no more; what is proposed stays.
  if (transaction.docChanged) view.dispatch(transaction);
}

/** Leaves the text as it is at the change that the user looks at, or everywhere. */
export function leaveChanges(view: EditorView, which: "current" | "all"): void {
  const proposal = proposalOf(view.state);
  if (proposal) view.dispatch({ effects: settled.of(which === "all" ? null : proposal.current) });
}

function without(proposal: Proposal, place: number | null): Proposal | null {
  if (place === null) return null;
  const changes = proposal.changes.filter((_change, index) => index !== place);
  return changes.length === 0 ? null : { ...proposal, changes };
}

function moved(proposal: Proposal, by: ChangeDesc): Proposal {
  const changes = proposal.changes.filter((change) => !isWithin(by, change)).map((change) => mapped(by, change));
  const since = proposal.arriving === null ? proposal.since : proposal.since.composeDesc(by);
  return { ...mapped(by, proposal), since, changes };
}

/** Moves a stretch with the text; what is written at its edges stays outside. */
function mapped<T extends { from: number; to: number }>(by: ChangeDesc, stretch: T): T {
  const from = by.mapPos(stretch.from, 1);
  return { ...stretch, from, to: Math.max(from, by.mapPos(stretch.to, -1)) };
}

/** True if something was changed inside the stretch. */
function isWithin(by: ChangeDesc, { from, to }: { from: number; to: number }): boolean {
  let isInside = false;
  by.iterChangedRanges((start, end) => {
    if (start < to && end > from) isInside = true;
  });
  return isInside;
}

/** The changes of stretches that begin here in the text as it was. */
function changesOf(since: ChangeDesc, { from, stretches }: { from: number; stretches: Stretch[] }): Change[] {
  const changes: Change[] = [];
  let at = from;
  for (const stretch of stretches) {
    const to = at + ("same" in stretch ? stretch.same : stretch.old).length;
    if ("new" in stretch) {
      const change = { from: at, to, insert: stretch.new };
      if (!isWithin(since, change)) changes.push(mapped(since, change));
    }
    at = to;
  }
  return changes;
}

function decorate(state: EditorState): DecorationSet {
  const proposal = proposalOf(state);
  if (!proposal) return Decoration.none;
  const { to: end, arriving, changes, current } = proposal;
  const ranges: Range<Decoration>[] = changes.flatMap(({ from, to, insert }, place) => {
    const isCurrent = place === current;
    const old = Decoration.mark({
      class: isCurrent ? "cm-proposed-old cm-proposed-current" : "cm-proposed-old",
      attributes: { "data-change": String(place) },
      tagName: "del",
    });
    return [...(from < to ? [old.range(from, to)] : []), ...added(state, to, insert, { place, isCurrent })];
  });
  if (arriving) ranges.push(...added(state, end, arriving, { place: null, isCurrent: false }));
  return Decoration.set(ranges, true);
}

type Of = { place: number | null; isCurrent: boolean };

/** Lines at the end of a line look as they will; words within a line stand in it. */
function added(state: EditorState, at: number, text: string, { place, isCurrent }: Of): Range<Decoration>[] {
  if (text === "") return [];
  const isOfLines = text.trim().includes("\n") && state.doc.lineAt(at).to === at;
  const widget = new AddedText(text, place, isCurrent, isOfLines ? state.facet(look) : null);
  return [Decoration.widget({ widget, side: 1, block: isOfLines }).range(at)];
}
