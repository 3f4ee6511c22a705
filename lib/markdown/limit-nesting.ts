import type { MarkdownIt, StateBlock } from "markdown-it";

/** Nested quotes, lists and footnotes: this is deeper than any user writes, and it bounds the stack of tree walks. */
const MAX_CONTAINERS = 50;

/** A markdown-it plugin that leaves deeper text as a paragraph; markdown-it's own `maxNesting` drops it. */
export function limitNesting({ block }: MarkdownIt): void {
  const tokenize = block.tokenize.bind(block);
  let depth = 0;
  block.tokenize = (state, startLine, endLine) => {
    depth += 1;
    try {
      tokenize(state, startLine, endLine);
    } finally {
      depth -= 1;
    }
  };
  block.ruler.before("table", "too_deep", (state, startLine, endLine, silent) => {
    if (silent || depth <= MAX_CONTAINERS) return false;
    pushParagraph(state, startLine, endLine);
    return true;
  });
}

function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line += 1;
  state.push("paragraph_open", "p", 1);
  const inline = state.push("inline", "", 0);
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  inline.children = [];
  state.push("paragraph_close", "p", -1);
  state.line = line;
}
