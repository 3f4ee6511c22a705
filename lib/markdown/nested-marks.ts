import type { MarkdownIt, StateBlock } from "markdown-it";
import { beginsNestedList, NESTED_INDENTS } from "@/lib/utils/block-marks";

/** The numbered item whose blocks are being parsed: its first line, and its number. */
type Item = { line: number; number: string };

/**
 * A markdown-it plugin: a list indented by two or three columns under a numbered item belongs to it, although the item's text
 * is further to the right. What follows in the item may be indented as little.
 */
export function nestedMarks({ block }: MarkdownIt): void {
  const tokenize = block.tokenize.bind(block);
  let item: Item | null = null;
  block.tokenize = (state, startLine, endLine) => {
    const around = item;
    item = numberedItem(state, startLine);
    try {
      tokenize(state, startLine, endLine);
      while (state.line < endLine && isNested(state, state.line, item)) {
        const isLoose = state.isEmpty(state.line - 1);
        state.blkIndent = at(state.sCount, state.line);
        tokenize(state, state.line, endLine);
        if (isLoose) state.tight = false;
      }
    } finally {
      item = around;
    }
  };
  // Ends paragraphs and quotes, as any list does.
  const ends = (state: StateBlock, line: number, _end: number, silent: boolean) =>
    silent && isNested(state, line, item);
  block.ruler.before("list", "nested_marks", ends, { alt: ["paragraph", "reference", "blockquote"] });
}

function numberedItem({ tokens }: StateBlock, line: number): Item | null {
  const last = tokens.at(-1);
  return last?.type === "list_item_open" && last.info !== "" ? { line, number: last.info } : null;
}

function isNested(state: StateBlock, line: number, item: Item | null): boolean {
  const indent = at(state.sCount, line);
  if (!item || indent >= state.blkIndent) return false;
  if (!beginsNestedList(state.src, at(state.bMarks, line) + at(state.tShift, line))) return false;
  return NESTED_INDENTS.includes(indent - markColumn(state, item));
}

/** The column of the item's mark. Its line begins at its text by now. */
function markColumn({ src, bMarks, tShift, sCount, bsCount }: StateBlock, { line, number }: Item): number {
  const lineStart = at(bMarks, line);
  const text = lineStart + at(tShift, line);
  let afterMark = text;
  while (afterMark > lineStart && /[ \t]/.test(src[afterMark - 1] ?? "")) afterMark -= 1;
  const mark = afterMark - number.length - 1;
  let column = 0;
  let columns = 0;
  for (let position = lineStart; position < text; position += 1) {
    if (position === mark) columns = column;
    column += src[position] === "\t" ? 4 - ((column + at(bsCount, line)) % 4) : 1;
  }
  return at(sCount, line) - (column - columns);
}

function at(numbers: number[], line: number): number {
  return numbers[line] ?? 0;
}
