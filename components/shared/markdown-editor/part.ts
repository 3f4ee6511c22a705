import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

/** A part of a text that something else works on: what is selected, the section around the caret, or all of it. */
export type EditorPart = {
  kind: "selection" | "section" | "whole";
  /** Positions in the text, without the white space around the part. */
  from: number;
  to: number;
  text: string;
  before: string;
  after: string;
  /** The text in front of the caret, where writing goes on. */
  untilCaret: string;
  fromCaret: string;
};

/** How long to wait for the rest of a long text to be parsed. */
const PARSE_MS = 500;

export function partAt(state: EditorState): EditorPart {
  const { from, to, empty, head } = state.selection.main;
  const range = empty ? sectionAt(state, head) : { from, to };
  const whole = state.sliceDoc(range.from, range.to);
  const start = range.from + (whole.length - whole.trimStart().length);
  const text = whole.trim();
  return {
    kind: empty ? "section" : "selection",
    from: start,
    to: start + text.length,
    text,
    before: state.sliceDoc(0, start),
    after: state.sliceDoc(start + text.length),
    untilCaret: state.sliceDoc(0, to),
    fromCaret: state.sliceDoc(to),
  };
}

/** Returns the range from the last H1 or H2 at or above the position to the next one. */
function sectionAt(state: EditorState, position: number): { from: number; to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  let from = 0;
  let to = state.doc.length;
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    if (!/^(?:ATX|Setext)Heading[12]$/.test(node.name)) continue;
    if (node.from <= state.doc.lineAt(position).to) from = node.from;
    else {
      to = node.from;
      break;
    }
  }
  return { from, to };
}
