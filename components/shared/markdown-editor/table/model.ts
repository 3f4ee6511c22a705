/** A table of Markdown, read line by line. Positions are in its source. */
export type Table = {
  source: string;
  /** The heading first. The other rows may have fewer or more cells. */
  rows: Row[];
  /** The second line, with the alignments. */
  marks: Row;
  columns: number;
};

export type Row = {
  from: number;
  line: string;
  indent: string;
  /** What is between the pipes, with its white space. */
  segments: string[];
  /** White space after the last pipe. */
  end: string;
  isOpened: boolean;
  isClosed: boolean;
};

export type Place = { row: number; column: number };
export type Change = { from: number; to: number; insert: string };
/** What changes a table, and the cell that is edited then. */
export type Edit = { changes: Change[]; place: Place };
export type Alignment = "start" | "center" | "end";

/** Null if this is no table, or has Windows line ends, with which the editor's parser finds no cells or too many. */
export function readTable(source: string): Table | null {
  if (source.includes("\r")) return null;
  let from = 0;
  const lines = source.split("\n").map((line) => {
    const row = readRow(line, from);
    from += line.length + 1;
    return row;
  });
  const [head, marks, ...body] = lines;
  const columns = head?.segments.length ?? 0;
  if (!head || !marks || columns === 0 || marks.segments.length !== columns) return null;
  if (!marks.segments.every((segment) => /^:?-+:?$/.test(segment.trim()))) return null;
  return { source, rows: [head, ...body], marks, columns };
}

function readRow(line: string, from: number): Row {
  const start = line.length - withoutStart(line).length;
  const content = withoutEnd(line.slice(start));
  const isOpened = content.startsWith("|");
  const segments: string[] = [];
  let begin = isOpened ? 1 : 0;
  for (let at = begin; at < content.length; at += 1) {
    if (content[at] === "\\") at += 1;
    else if (content[at] === "|") {
      segments.push(content.slice(begin, at));
      begin = at + 1;
    }
  }
  const isClosed = begin >= content.length;
  if (!isClosed) segments.push(content.slice(begin));
  return {
    from,
    line,
    indent: line.slice(0, start),
    segments,
    end: line.slice(start + content.length),
    isOpened,
    isClosed,
  };
}

const isBlank = (character: string | undefined) => character === " " || character === "\t";

function withoutStart(text: string): string {
  let at = 0;
  while (isBlank(text[at])) at += 1;
  return text.slice(at);
}

function withoutEnd(text: string): string {
  let at = text.length;
  while (isBlank(text[at - 1])) at -= 1;
  return text.slice(0, at);
}

/** The Markdown of a cell; empty if the row has no such cell. */
export function wordsOf(table: Table, { row, column }: Place): string {
  return partsOf(table.rows[row]?.segments[column] ?? "").words;
}

function partsOf(segment: string): { lead: string; words: string; trail: string } {
  const rest = withoutStart(segment);
  const words = withoutEnd(rest);
  if (words === "") return { lead: segment.slice(0, 1), words, trail: segment.slice(1) };
  return { lead: segment.slice(0, segment.length - rest.length), words, trail: rest.slice(words.length) };
}

/**
 * Where the words of a cell are, if the table begins at `start`. `isReady`: they can be changed there alone; otherwise the row has
 * no such cell, or lacks a pipe or space that sets it apart, and `withWords` adds them.
 */
export function rangeOf(
  table: Table,
  { row, column }: Place,
  start = 0,
): { from: number; to: number; isReady: boolean } {
  const { from, segments, isOpened, isClosed, line, end, indent } = table.rows[row] as Row;
  const segment = segments[column];
  if (segment === undefined) {
    const at = start + from + line.length - end.length;
    return { from: at, to: at, isReady: false };
  }
  const { lead, words, trail } = partsOf(segment);
  let at = start + from + indent.length + (isOpened ? 1 : 0);
  for (const each of segments.slice(0, column)) at += each.length + 1;
  at += lead.length;
  return { from: at, to: at + words.length, isReady: isOpened && isClosed && lead !== "" && trail !== "" };
}

/** Where a cell begins and ends between its pipes; null if the row has no such cell. */
export function segmentOf(table: Table, place: Place): { from: number; to: number } | null {
  const segment = table.rows[place.row]?.segments[place.column];
  if (segment === undefined) return null;
  const from = rangeOf(table, place).from - partsOf(segment).lead.length;
  return { from, to: from + segment.length };
}

/** The cell at a position; the second line is part of the heading. */
export function placeAt(table: Table, position: number): Place {
  const row = Math.max(
    0,
    table.rows.findLastIndex(({ from }) => from <= position),
  );
  let column = 0;
  const last = Math.min(table.columns, table.rows[row]?.segments.length ?? 0) - 1;
  while (column < last && (segmentOf(table, { row, column })?.to ?? 0) < position) column += 1;
  return { row, column };
}

export function isIn({ rows, columns }: Table, { row, column }: Place): boolean {
  return row >= 0 && row < rows.length && column >= 0 && column < columns;
}

/** A column without a mark is aligned to the start. */
export function alignmentOf({ marks }: Table, column: number): Alignment {
  const mark = marks.segments[column]?.trim() ?? "";
  if (!mark.endsWith(":")) return "start";
  return mark.startsWith(":") ? "center" : "end";
}

/** Writes words into a cell. They are Markdown of one line, with escaped pipes. */
export function withWords(table: Table, place: Place, words: string): Edit {
  const row = table.rows[place.row] as Row;
  const segments = filledTo(cellsOf(row), place.column + 1);
  segments[place.column] = withWordsIn(segments[place.column] ?? "", words);
  return { changes: rewritten([[row, segments]]), place };
}

function withWordsIn(segment: string, words: string): string {
  const { lead, trail } = partsOf(segment);
  return `${lead || " "}${words}${trail || " "}`;
}

const EMPTY = "  ";

function filledTo(segments: readonly string[], length: number): string[] {
  return [...segments, ...Array.from({ length: Math.max(0, length - segments.length) }, () => EMPTY)];
}

/** The changes after which rows have these cells, and a pipe at both ends. */
function rewritten(rows: [Row, string[]][]): Change[] {
  return rows.flatMap(([row, segments]) => lineChange(row, lineOf(row, segments)));
}

function lineChange({ from, line }: Row, to: string): Change[] {
  const change = difference(line, to);
  return change ? [{ ...change, from: from + change.from, to: from + change.to }] : [];
}

function lineOf({ indent, end, isClosed }: Row, segments: readonly string[]): string {
  const all = segments.length === 0 ? [EMPTY] : segments;
  // The editor's parser finds no table if there is white space behind the last pipe of its second line.
  return `${indent}|${all.join("|")}|${isClosed ? end : ""}`;
}

/** The cells of a row as they are between two pipes each. */
function cellsOf({ segments, isOpened, isClosed }: Row): string[] {
  const cells = [...segments];
  const [first = ""] = cells;
  if (!isOpened && !isBlank(first[0])) cells[0] = ` ${first}`;
  const last = cells.at(-1) ?? "";
  if (!isClosed && !isBlank(last.at(-1))) cells[cells.length - 1] = `${last} `;
  return cells;
}

/** The one part in which two texts differ, or null. It begins at `latest` or before that. */
export function difference(old: string, text: string, latest = Number.POSITIVE_INFINITY): Change | null {
  if (old === text) return null;
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < Math.min(shorter, latest) && old[from] === text[from]) from += 1;
  let end = 0;
  while (end < shorter - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

/** What can be done to a table at a cell; null where it cannot. */
export type TableCommand = (table: Table, place: Place) => Edit | null;

/** What the bar and the keys do to a table. */
export const COMMANDS = {
  rowAbove: (table, { row, column }) => (row === 0 ? null : addRow(table, { row: row - 1, column })),
  rowBelow: addRow,
  rowUp: (table, { row, column }) => (row < 2 ? null : swapRows(table, row - 1, { row: row - 1, column })),
  rowDown: (table, { row, column }) =>
    row === 0 || row === table.rows.length - 1 ? null : swapRows(table, row, { row: row + 1, column }),
  removeRow,
  columnBefore: addColumn,
  columnAfter: (table, { row, column }) => addColumn(table, { row, column: column + 1 }),
  columnBack: (table, { row, column }) =>
    column === 0 ? null : swapColumns(table, column - 1, { row, column: column - 1 }),
  columnOn: (table, { row, column }) =>
    column === table.columns - 1 ? null : swapColumns(table, column, { row, column: column + 1 }),
  removeColumn,
  alignStart: align("start"),
  alignCenter: align("center"),
  alignEnd: align("end"),
} satisfies Record<string, TableCommand>;

/** Leaves an empty line where the table was. */
export const removeTable: TableCommand = ({ source }) => ({
  changes: [{ from: 0, to: source.length, insert: "" }],
  place: { row: 0, column: 0 },
});

/** Adds a row below this one. Below the heading it is below its second line, too. */
function addRow({ rows, marks, columns }: Table, { row, column }: Place): Edit {
  const above = row === 0 ? marks : (rows[row] as Row);
  const at = above.from + above.line.length;
  const insert = `\n${above.indent}|${`${EMPTY}|`.repeat(columns)}`;
  return { changes: [{ from: at, to: at, insert }], place: { row: row + 1, column } };
}

function removeRow({ rows }: Table, { row, column }: Place): Edit | null {
  const removed = rows[row];
  if (row === 0 || !removed) return null;
  const changes = [{ from: removed.from - 1, to: removed.from + removed.line.length, insert: "" }];
  return { changes, place: { row: Math.min(row, rows.length - 2), column } };
}

function swapRows({ rows }: Table, row: number, place: Place): Edit {
  const [upper, lower] = [rows[row] as Row, rows[row + 1] as Row];
  return {
    changes: [
      ...lineChange(upper, withoutEnd(lower.line) + upper.end),
      ...lineChange(lower, withoutEnd(upper.line) + lower.end),
    ],
    place,
  };
}

/** Adds a column before this one. Cells beyond the heading stay beyond it. */
function addColumn(table: Table, { row, column }: Place): Edit {
  return { changes: rewritten(withColumn(table, column, EMPTY, " --- ")), place: { row, column } };
}

function withColumn({ rows, marks, columns }: Table, column: number, cell: string, mark: string): [Row, string[]][] {
  return inOrder(rows, marks)
    .filter(({ segments }) => column < segments.length || segments.length >= columns)
    .map((row) => [row, cellsOf(row).toSpliced(column, 0, row === marks ? mark : cell)]);
}

function inOrder([head, ...body]: readonly Row[], marks: Row): Row[] {
  return [head as Row, marks, ...body];
}

function removeColumn({ rows, marks, columns }: Table, { row, column }: Place): Edit | null {
  if (columns === 1) return null;
  const changed = inOrder(rows, marks).filter(({ segments }) => column < segments.length);
  return {
    changes: rewritten(changed.map((each) => [each, cellsOf(each).toSpliced(column, 1)])),
    place: { row, column: Math.min(column, columns - 2) },
  };
}

function swapColumns({ rows, marks }: Table, column: number, place: Place): Edit {
  const changed = inOrder(rows, marks).filter(({ segments }) => column < segments.length);
  return {
    changes: rewritten(
      changed.map((row) => {
        const segments = filledTo(cellsOf(row), column + 2);
        const [first = EMPTY, second = EMPTY] = segments.slice(column, column + 2);
        return [row, segments.toSpliced(column, 2, second, first)];
      }),
    ),
    place,
  };
}

function align(to: Alignment): TableCommand {
  return ({ marks }, place) => {
    const segments = cellsOf(marks);
    const { lead, words, trail } = partsOf(segments[place.column] ?? "");
    const dashes = words.replaceAll(":", "");
    segments[place.column] = lead + { start: dashes, end: `${dashes}:`, center: `:${dashes}:` }[to] + trail;
    return { changes: rewritten([[marks, segments]]), place };
  };
}

/** Fills cells from this one, with rows and columns that are added as needed. The words are those of `withWords`. */
export function withRange(table: Table, { row, column }: Place, range: readonly (readonly string[])[]): Edit {
  const width = column + Math.max(1, ...range.map((cells) => cells.length));
  const height = row + Math.max(1, range.length);
  const added = Math.max(0, width - table.columns);
  const columns = Array.from({ length: added });
  const lines = inOrder(table.rows, table.marks).map((each) => {
    const index = table.rows.indexOf(each);
    const cells = each === table.marks ? [] : (range[index - row] ?? []);
    const isLong = each.segments.length >= table.columns;
    let segments: string[] = isLong
      ? cellsOf(each).toSpliced(table.columns, 0, ...columns.map(() => (each === table.marks ? " --- " : EMPTY)))
      : cellsOf(each);
    if (cells.length > 0) segments = filledTo(segments, column + cells.length);
    for (const [at, words] of cells.entries()) {
      segments = segments.with(column + at, withWordsIn(segments[column + at] ?? "", words));
    }
    return cells.length === 0 && (added === 0 || !isLong) ? each.line : lineOf(each, segments);
  });
  for (const cells of range.slice(Math.max(0, table.rows.length - row))) {
    const segments = filledTo([], Math.max(width, table.columns));
    for (const [at, words] of cells.entries()) segments[column + at] = words === "" ? EMPTY : ` ${words} `;
    lines.push(`${table.marks.indent}|${segments.join("|")}|`);
  }
  const change = difference(table.source, lines.join("\n"));
  return { changes: change ? [change] : [], place: { row: height - 1, column: width - 1 } };
}

/** A text after changes, which are in their order. */
export function changed(source: string, changes: readonly Change[]): string {
  let text = "";
  let at = 0;
  for (const { from, to, insert } of changes) {
    text += source.slice(at, from) + insert;
    at = to;
  }
  return text + source.slice(at);
}
