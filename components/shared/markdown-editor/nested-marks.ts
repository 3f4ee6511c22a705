import { NodeProp } from "@lezer/common";
import type { BlockContext, Line, MarkdownParser } from "@lezer/markdown";
import { beginsNestedList, NESTED_INDENTS } from "@/lib/utils/block-marks";

/** What the parser does not declare: an open block; the value of a list's item is the indent of its text. */
type Block = {
  type: number;
  value: number;
  hash: number;
  hashProp: [NodeProp<number>, number][];
  positions: number[];
};
type Context = BlockContext & { stack: Block[]; readLine: () => void };
type OpenLine = Line & { depth: number };
/** Whether a line belongs to an open block, whose marks are skipped then. */
type SkipMarkup = (block: Block, context: Context, line: OpenLine) => boolean;
type Inner = {
  skipContextMarkup: Record<number, SkipMarkup>;
  blockNames: string[];
  blockParsers: ((context: Context, line: OpenLine) => boolean | null)[];
};

/**
 * Has the parser put a list that is indented by two or three columns under a numbered item into that item, as the published
 * post has it. What follows in the item may be indented as little.
 */
export function nestMarks(parser: MarkdownParser): MarkdownParser {
  const inner = parser as unknown as Inner;
  const [ordered, bullets, item] = ["OrderedList", "BulletList", "ListItem"].map(
    (name) => parser.nodeSet.types.find((type) => type.name === name)?.id ?? 0,
  ) as [number, number, number];
  const skip = { ...inner.skipContextMarkup };
  /** The beginning of the line at which an item's indent was last lowered. */
  const loweredAt = new WeakMap<Block, number>();

  /** True in fenced code and HTML, which such a list ends. */
  let isInRaw = false;

  function isNested(numbered: Block | undefined, line: OpenLine): boolean {
    if (!numbered || numbered.type !== item || line.indent >= line.baseIndent + numbered.value) return false;
    const mark = line.baseIndent + (numbered.positions[0] ?? 0);
    return NESTED_INDENTS.includes(line.indent - mark) && beginsNestedList(line.text, line.pos);
  }

  /** What was open in an item ends at the line that lowers the item's indent. */
  function isOver(context: Context, line: OpenLine): boolean {
    const around = context.stack[line.depth - 1];
    return around !== undefined && loweredAt.get(around) === context.lineStart;
  }

  inner.skipContextMarkup = {
    ...skip,
    [bullets]: (block, context, line) => !isOver(context, line) && skip[bullets]?.(block, context, line) === true,
    [ordered]: (block, context, line) =>
      !isOver(context, line) &&
      (skip[ordered]?.(block, context, line) === true || isNested(context.stack[line.depth + 1], line)),
    [item]: (block, context, line) => {
      if (skip[item]?.(block, context, line)) return true;
      const isNumbered = context.stack[line.depth - 1]?.type === ordered;
      if (!isNumbered || line.next < 0 || isInRaw || !isNested(block, line)) return false;
      lower(block, line.indent - line.baseIndent);
      loweredAt.set(block, context.lineStart);
      line.moveBaseColumn(line.indent);
      return true;
    },
  };
  for (const name of ["FencedCode", "HTMLBlock"]) {
    const index = inner.blockNames.indexOf(name);
    const parse = inner.blockParsers[index];
    if (!parse) continue;
    inner.blockParsers[index] = (context, line) => {
      isInRaw = true;
      try {
        if (!parse(context, line)) return false;
      } finally {
        isInRaw = false;
      }
      // The line after it may be such a list.
      if (line.depth < context.stack.length) context.readLine();
      return true;
    };
  }
  return parser;
}

/** Blocks that were parsed before, under another indent, are not taken over into the item. */
function lower(block: Block, value: number): void {
  block.value = value;
  block.hash = (block.hash * 31 + value) | 0;
  block.hashProp = [[NodeProp.contextHash, block.hash]];
}
