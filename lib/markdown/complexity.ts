import { beginsNestedList, NESTED_INDENTS, withPlainMarks } from "@/lib/utils/block-marks";

/**
 * Limits for rendering. A table's rows are padded to its columns, so few bytes make many cells: 100 KB made 15 million
 * cells and 4 GB. At 50 levels the renderer also stops nesting.
 */
export const MAX_TABLE_CELLS = 50_000;
export const MAX_TABLE_COLUMNS = 250;
export const MAX_NESTING = 50;
/** Ten times the longest human text; five times more would cost seconds and hundreds of megabytes. */
export const MAX_BLOCKS = 50_000;
export const MAX_EMPHASIS_MARKS = 100_000;
export const MAX_BRACKETS = 100_000;

/**
 * Why a text is too complex to render, as a sentence for its author, or null. It takes one pass over the characters, with the
 * marks that the parser reads, before any parser sees the text. When in doubt it counts.
 */
export function complexityProblem(text: string): string | null {
  const markdown = withPlainMarks(text.replace(/\r\n?/g, "\n"));
  const table = createTable();
  const marks = createMarkCount();
  const lists: Item[] = [];
  let blocks = 0;
  let fence: Fence | null = null;
  for (let start = 0, end = 0; start < markdown.length; start = end + 1) {
    end = endOfLine(markdown, start);
    if (fence) {
      if (closes(markdown, start, end, fence)) fence = null;
      continue;
    }
    if (isBlank(markdown, start, end)) {
      table.end();
      continue;
    }
    const line = readLine(markdown, start, end, lists);
    if (line.depth > MAX_NESTING) return TOO_DEEP;
    blocks += 1 + line.marks;
    if (blocks > MAX_BLOCKS) return TOO_MANY_BLOCKS;
    const problem = table.problemAfter(markdown, line) ?? marks.problemAfter(markdown, line);
    if (problem) return problem;
    // We see a fence only outside quotes and lists, where nothing else can close it; elsewhere code counts as text.
    if (line.depth === 0) fence = fenceAt(markdown, start, end);
  }
  return null;
}

const TOO_DEEP = `This text nests quotes or lists more than ${MAX_NESTING} levels deep. Take out levels, then try again.`;
const TOO_MANY_BLOCKS = `This text has more than ${inFigures(MAX_BLOCKS)} lines, list items and quotes. Divide it, then try again.`;

const [TAB, SPACE] = [9, 32];
const [PLUS, STAR, DASH, COLON, QUOTE, PIPE, UNDERSCORE] = [43, 42, 45, 58, 62, 124, 95];
const [BACKTICK, TILDE, DOT, CLOSING, OPENING, ZERO, NINE] = [96, 126, 46, 41, 91, 48, 57];

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function isBlank(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

type Line = { start: number; end: number; depth: number; marks: number };

/** The columns of an open item's mark and of its text. */
type Item = { mark: number; text: number; isNumbered: boolean };

/** Skips the quote and list marks of a line; `lists` holds the items of the open lists. */
function readLine(text: string, from: number, end: number, lists: Item[]): Line {
  let at = from;
  let column = 0;
  let quotes = 0;
  let marks = 0;
  const skipSpace = () => {
    for (; at < end && isSpace(text.charCodeAt(at)); at++) column += text.charCodeAt(at) === TAB ? 4 - (column % 4) : 1;
  };
  skipSpace();
  closeItems(lists, column, () => beginsNestedList(text, at));
  const isRule = isThematicBreak(text, at, end);
  while (at < end && !isRule && quotes + lists.length <= MAX_NESTING) {
    const code = text.charCodeAt(at);
    const width = code === QUOTE ? 1 : listMark(text, at, end);
    if (width === 0) break;
    if (code === QUOTE) quotes++;
    else lists.push({ mark: column, text: column + width + 1, isNumbered: isDigit(code) });
    at += width;
    column += width;
    marks++;
    skipSpace();
  }
  return { start: at, end, depth: quotes + lists.length, marks };
}

/** Closes the items whose text is right of the column, down to the one that a list there belongs to all the same. */
function closeItems(lists: Item[], column: number, isNested: () => boolean): void {
  for (let item = lists.at(-1); item && item.text > column; item = lists.at(-1)) {
    if (item.isNumbered && NESTED_INDENTS.includes(column - item.mark) && isNested()) item.text = column;
    else lists.pop();
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The length of a list mark (`-`, `+`, `*`, `12.`, `3)`) followed by a space; else 0. */
function listMark(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let width = 0;
  if (code === DASH || code === PLUS || code === STAR) width = 1;
  else {
    while (width < 9 && at + width < end && isDigit(text.charCodeAt(at + width))) width++;
    const mark = text.charCodeAt(at + width);
    width = width > 0 && at + width < end && (mark === DOT || mark === CLOSING) ? width + 1 : 0;
  }
  return width > 0 && (at + width >= end || isSpace(text.charCodeAt(at + width))) ? width : 0;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** `- - -` is a rule, not three lists. */
function isThematicBreak(text: string, from: number, end: number): boolean {
  const mark = text.charCodeAt(from);
  if (mark !== DASH && mark !== STAR && mark !== UNDERSCORE) return false;
  let marks = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) marks++;
    else if (!isSpace(code)) return false;
  }
  return marks >= 3;
}

type Fence = { mark: number; width: number; after: number };

/** A fence has at least three backticks or tildes, indented by at most three. */
function fenceMark(text: string, start: number, end: number): Fence | null {
  let at = start;
  while (at < end && at < start + 4 && text.charCodeAt(at) === SPACE) at++;
  const mark = text.charCodeAt(at);
  if (at === start + 4 || (mark !== BACKTICK && mark !== TILDE)) return null;
  let after = at;
  while (after < end && text.charCodeAt(after) === mark) after++;
  return after - at < 3 ? null : { mark, width: after - at, after };
}

function fenceAt(text: string, start: number, end: number): Fence | null {
  const fence = fenceMark(text, start, end);
  if (fence?.mark !== BACKTICK) return fence;
  // A backtick in the info string makes it a code span.
  for (let at = fence.after; at < end; at++) if (text.charCodeAt(at) === BACKTICK) return null;
  return fence;
}

function closes(text: string, start: number, end: number, open: Fence): boolean {
  const fence = fenceMark(text, start, end);
  if (!fence || fence.mark !== open.mark || fence.width < open.width) return false;
  for (let at = fence.after; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** Counts table cells: after a delimiter row, each line down to a blank one has all columns. */
function createTable() {
  let columns = 0;
  let cells = 0;
  return {
    end() {
      columns = 0;
    },
    problemAfter(text: string, { start, end }: Line): string | null {
      if (start >= end) {
        columns = 0;
        return null;
      }
      const here = delimiterColumns(text, start, end);
      // The header above has as many cells.
      if (here > columns) cells += here;
      columns = Math.max(columns, here);
      cells += columns;
      if (columns > MAX_TABLE_COLUMNS) return tooWide(columns);
      return cells > MAX_TABLE_CELLS ? TOO_MANY_CELLS : null;
    },
  };
}

/** The columns of a delimiter row (`| :-- | --- |`), else 0. */
function delimiterColumns(text: string, start: number, end: number): number {
  let columns = 0;
  let dashes = 0;
  let marks = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === DASH) dashes++;
    else if (code === PIPE || code === COLON) marks++;
    else if (!isSpace(code)) return 0;
    const endsCell = code === PIPE || at === end - 1;
    if (endsCell && dashes > 0) columns++;
    if (endsCell) dashes = 0;
  }
  return marks > 0 ? columns : 0;
}

function tooWide(columns: number): string {
  return `This text has a table of ${inFigures(columns)} columns; at most ${inFigures(MAX_TABLE_COLUMNS)} can be rendered. Divide it into narrower tables, then try again.`;
}

const TOO_MANY_CELLS = `The tables of this text have more than ${inFigures(MAX_TABLE_CELLS)} cells (rows × columns). Shorten or divide them, then try again.`;

/** Counts runs of `*`, `_` and `~`, and opening brackets. */
function createMarkCount() {
  let runs = 0;
  let brackets = 0;
  return {
    problemAfter(text: string, { start, end }: Line): string | null {
      let before = 0;
      for (let at = start; at < end; at++) {
        const code = text.charCodeAt(at);
        if (code === OPENING) brackets++;
        else if (code !== before && (code === STAR || code === UNDERSCORE || code === TILDE)) runs++;
        before = code;
      }
      if (brackets > MAX_BRACKETS) return TOO_MANY_BRACKETS;
      return runs > MAX_EMPHASIS_MARKS ? TOO_MANY_EMPHASIS_MARKS : null;
    },
  };
}

const TOO_MANY_BRACKETS = `This text has more than ${inFigures(MAX_BRACKETS)} opening brackets, as of links, images and footnotes. Take some out or divide the text, then try again.`;
const TOO_MANY_EMPHASIS_MARKS = `This text has more than ${inFigures(MAX_EMPHASIS_MARKS)} marks of emphasis (*, _ or ~). Take some out or divide the text, then try again.`;

function inFigures(count: number): string {
  return count.toLocaleString("en-US");
}
