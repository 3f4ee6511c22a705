import type { MarkdownIt, StateBlock } from "markdown-it";

/**
 * A markdown-it plugin: a table or list of HTML is one block up to its own end tag, blank lines or not, as in what people paste.
 * Where a fence comes in between, its beginning is only a word about HTML.
 */
export function htmlElements({ block }: MarkdownIt): void {
  block.ruler.before("html_block", "html_element", htmlElement, { alt: ["paragraph", "reference", "blockquote"] });
}

function htmlElement(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src[start] !== "<" || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const end = endsIn(state).get(start);
  if (end === undefined) return false;
  let line = startLine + 1;
  while (line < endLine && (state.eMarks[line - 1] ?? 0) < end) line += 1;
  if ((state.eMarks[line - 1] ?? 0) < end) return false;
  if (silent) return true;
  const token = state.push("html_block", "", 0);
  token.map = [startLine, line];
  token.content = state.getLines(startLine, line, state.blkIndent, true);
  state.line = line;
  return true;
}

const TAG = /<(\/?)(table|ol|ul)(?=[\s>])|^[ \t>]*(?:```|~~~)/gim;

/** Where the elements end, by where they begin. */
const ENDS = new WeakMap<StateBlock, ReadonlyMap<number, number>>();

function endsIn(state: StateBlock): ReadonlyMap<number, number> {
  const known = ENDS.get(state);
  if (known) return known;
  const ends = new Map<number, number>();
  let open: { name: string; at: number }[] = [];
  for (const { 0: source, 1: slash, 2: name = "", index } of state.src.matchAll(TAG)) {
    if (name === "") open = [];
    else if (slash === "") open.push({ name: name.toLowerCase(), at: index });
    else if (open.at(-1)?.name === name.toLowerCase()) ends.set(open.pop()?.at ?? 0, index + source.length);
  }
  ENDS.set(state, ends);
  return ends;
}
