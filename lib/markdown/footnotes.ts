import type { Env, MarkdownIt, StateBlock, StateInline } from "markdown-it";

/**
 * A markdown-it plugin for GitHub's footnotes. A definition becomes `footnote_open` … `footnote_close`, a reference to
 * one `footnote_ref`; both carry `meta.label`, the first also as `written`. The renderer numbers them.
 */
export function footnotes({ block, inline }: MarkdownIt): void {
  block.ruler.before("reference", "footnote_definition", definition, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  inline.ruler.before("link", "footnote_reference", reference);
}

/** `[^label]: text`; continuation lines are indented by four. */
function definition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (at(state.sCount, startLine) - state.blkIndent >= 4) return false;
  const lineStart = at(state.bMarks, startLine);
  const start = lineStart + at(state.tShift, startLine);
  const label = labelAt(state.src, start, at(state.eMarks, startLine));
  if (label === null || state.src[start + label.length + 3] !== ":") return false;
  if (silent) return true;
  const known = definedIn(state.env);
  known.add(nameOf(state, label));

  const open = state.push("footnote_open", "", 1);
  open.meta = { label: nameOf(state, label), written: `[^${label}]` };
  open.map = [startLine, startLine + 1];
  const before = { tShift: at(state.tShift, startLine), sCount: at(state.sCount, startLine), parent: state.parentType };
  const textStart = state.skipSpaces(start + label.length + 4);
  state.bMarks[startLine] = Math.min(textStart, at(state.eMarks, startLine));
  state.tShift[startLine] = 0;
  state.blkIndent += 4;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = "footnote";
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = before.parent;
  state.blkIndent -= 4;
  state.sCount[startLine] = before.sCount;
  state.tShift[startLine] = before.tShift;
  state.bMarks[startLine] = lineStart;
  state.push("footnote_close", "", -1);
  return true;
}

function reference(state: StateInline, silent: boolean): boolean {
  const label = labelAt(state.src, state.pos, state.posMax);
  if (label === null || !definedIn(state.env).has(nameOf(state, label))) return false;
  if (!silent) state.push("footnote_ref", "", 0).meta = { label: nameOf(state, label) };
  state.pos += label.length + 3;
  return true;
}

/** CommonMark's limit. */
const MAX_LABEL = 999;

/** The label between `[^` and `]`, or null. It has no spaces or opening brackets. */
function labelAt(src: string, start: number, end: number): string | null {
  if (src[start] !== "[" || src[start + 1] !== "^") return null;
  const first = start + 2;
  for (let pos = first; pos < Math.min(end, first + MAX_LABEL + 1); pos += 1) {
    const character = src[pos] ?? "";
    if (character === "]") return pos === first ? null : src.slice(first, pos);
    if (character === "[" || /\s/.test(character)) return null;
    if (character === "\\" && /[[\]\\]/.test(src[pos + 1] ?? "")) pos += 1;
  }
  return null;
}

function nameOf({ md }: StateBlock | StateInline, label: string): string {
  return md.utils.normalizeReference(label);
}

const DEFINED = Symbol("footnotes");

function definedIn(env: Env): Set<string> {
  env[DEFINED] ??= new Set<string>();
  return env[DEFINED] as Set<string>;
}

function at(numbers: number[], line: number): number {
  return numbers[line] ?? 0;
}
