import { type Input, NodeType, Parser, type PartialParse, Tree, TreeFragment } from "@lezer/common";
import type { BlockContext, MarkdownParser } from "@lezer/markdown";
import { beginsWithDashes } from "@/components/shared/markdown-editor/front-matter";

/** A part is closed after this many characters, at the next place where it can be. */
const PART_LENGTH = 8_000;
/** A group of blocks; it has no name, so that cursors and nodes do not show it. */
const part = NodeType.define({ id: 0 });

/**
 * Parses a long text in parts, so that a key costs the parsing of one of them: the parser itself takes over thousands of
 * unchanged blocks one by one. A part ends where an empty line follows a block and nothing is open. The tree is the one of
 * the whole text.
 */
export class ParserInParts extends Parser {
  constructor(
    readonly parser: MarkdownParser,
    readonly partLength = PART_LENGTH,
  ) {
    super();
  }

  createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { from: number; to: number }[],
  ): PartialParse {
    const [range] = ranges;
    if (ranges.length !== 1 || range?.from !== 0) return this.parser.createParse(input, fragments, ranges);
    return new ParseInParts(this, input, fragments, range.to);
  }
}

/** The parts of a tree of this parser. A part whose text has not changed is the same object as in the tree before. */
export function partsOf(tree: Tree): { part: Tree; from: number }[] {
  return tree.children.flatMap((child, index) =>
    child instanceof Tree && child.type === part ? [{ part: child, from: tree.positions[index] ?? 0 }] : [],
  );
}

class ParseInParts implements PartialParse {
  stoppedAt: number | null = null;
  readonly #parts: Tree[] = [];
  readonly #positions: number[] = [];
  /** Where the next part begins, or the one that is being parsed. */
  #from = 0;
  #inner: BlockContext | null = null;

  constructor(
    readonly options: ParserInParts,
    readonly input: Input,
    readonly fragments: readonly TreeFragment[],
    readonly end: number,
  ) {}

  get parsedPos(): number {
    return this.#inner?.parsedPos ?? this.#from;
  }

  stopAt(position: number): void {
    if (this.stoppedAt !== null && this.stoppedAt < position) throw new RangeError("Can't move stoppedAt forward");
    this.stoppedAt = position;
    this.#inner?.stopAt(position);
  }

  advance(): Tree | null {
    const inner = this.#inner;
    if (!inner) return this.#next();
    const rest = inner.advance();
    if (rest) {
      this.#close(rest);
      return this.#finish();
    }
    if (this.#canCloseAt(inner)) {
      inner.stopAt(inner.parsedPos - 1);
      const parsed = inner.advance();
      if (parsed) this.#close(parsed);
    }
    return null;
  }

  /** Takes over the next part, or begins to parse it. */
  #next(): Tree | null {
    if (this.#from >= this.end || (this.stoppedAt !== null && this.#from > this.stoppedAt)) return this.#finish();
    const known = this.#known(this.#from);
    if (known) this.#close(known);
    else this.#inner = this.#begin();
    return null;
  }

  #begin(): BlockContext {
    const isNew = this.#mayBeFrontMatter(this.#from);
    const fragments = isNew ? [] : this.fragments.flatMap((fragment) => this.#within(fragment));
    const inner = this.options.parser.createParse(this.input, fragments, [{ from: this.#from, to: this.end }]);
    if (this.stoppedAt !== null) inner.stopAt(this.stoppedAt);
    return inner as BlockContext;
  }

  /**
   * Returns the unchanged blocks up to where their part ended; after that, whole parts are taken over. The line before a
   * change is left out: a table ends a paragraph by its second line.
   */
  #within(fragment: TreeFragment): TreeFragment[] {
    const { tree, offset, openStart, openEnd } = fragment;
    const from = Math.max(fragment.from, this.#from);
    if (from >= fragment.to) return [];
    const index = lastAtOrBefore(tree.positions, from + offset);
    const end = (tree.positions[index] ?? 0) + (tree.children[index]?.length ?? 0) - offset;
    const isCut = openEnd && fragment.to <= end;
    const to = isCut ? from + this.input.read(from, fragment.to).lastIndexOf("\n") : Math.min(fragment.to, end);
    return to > from ? [new TreeFragment(fragment.from, to, tree, offset, openStart, openEnd)] : [];
  }

  #canCloseAt({ depth, parsedPos: at }: BlockContext): boolean {
    if (this.stoppedAt !== null && this.stoppedAt < at) return false;
    // A document alone has a depth of one.
    if (depth > 1 || at <= this.#from || at >= this.end || this.input.read(at - 1, at + 1) !== "\n\n") return false;
    return at - this.#from >= this.options.partLength || this.#known(at) !== null;
  }

  /** The part that began here, unless it or the empty line after it has changed. */
  #known(at: number): Tree | null {
    if (this.#mayBeFrontMatter(at)) return null;
    const fragment = this.fragments.find(({ from, to }) => from <= at && to > at);
    if (!fragment) return null;
    const { tree, offset, to, openEnd } = fragment;
    const index = lastAtOrBefore(tree.positions, at + offset);
    const known = tree.children[index];
    if (tree.positions[index] !== at + offset || !(known instanceof Tree) || known.type !== part) return null;
    const end = at + known.length;
    const isLast = index === tree.children.length - 1;
    return (isLast ? end === to && to === this.end && !openEnd : end < to) ? known : null;
  }

  /** A later line decides whether the text begins with front matter. */
  #mayBeFrontMatter(at: number): boolean {
    return at === 0 && beginsWithDashes(this.input);
  }

  #close(tree: Tree): void {
    const { type, children, positions, length } = tree;
    this.#parts.push(type === part ? tree : new Tree(part, children, positions, length));
    this.#positions.push(this.#from);
    this.#from += length;
    this.#inner = null;
  }

  #finish(): Tree {
    return new Tree(
      this.options.parser.nodeSet.types.find(({ isTop }) => isTop) ?? part,
      this.#parts,
      this.#positions,
      this.#from,
    );
  }
}

/** Returns the index, found by bisection; -1 if all are greater. */
function lastAtOrBefore(sorted: readonly number[], position: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) <= position) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
