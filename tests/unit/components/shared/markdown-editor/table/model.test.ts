import { markdownParser } from "@/components/shared/markdown-editor/language";
import { shownPlace, shownText, sourcePlace, sourceText } from "@/components/shared/markdown-editor/table/cell-text";
import {
  COMMANDS,
  changed,
  type Edit,
  isIn,
  type Place,
  placeAt,
  rangeOf,
  readTable,
  segmentOf,
  type Table,
  withRange,
  withWords,
  wordsOf,
} from "@/components/shared/markdown-editor/table/model";
import { randomNumbers } from "@/tests/support/random-numbers";

const WORDS = [
  "",
  "a",
  "Iris",
  "30 cm",
  "**deep** bed",
  "a \\| b",
  "`x \\| y`",
  "🌱👩‍🌾",
  "شجرة",
  "\\\\",
  "[a](b)",
  "# no",
  "- no",
];

/** A table as people write them: with and without outer pipes, ragged, padded, empty. */
function randomTable(random: () => number): string {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const space = () => " ".repeat(upTo(3));
  const columns = 1 + upTo(4);
  const line = (cells: string[], isOuter: boolean) =>
    isOuter || cells.length < 2 ? `|${cells.join("|")}|` : cells.join("|");
  const isOuter = () => random() < 0.7;
  /** Without outer pipes, an empty cell would be none, and a list's mark would begin a list. */
  const cellsOf = (count: number, withPipes: boolean) =>
    Array.from({ length: count }, (_, column) => {
      const words = WORDS[upTo(WORDS.length - 1)] || (withPipes ? "" : "x");
      const isOfBlock = !withPipes && column === 0 && /^[-#]/.test(words);
      return `${space()}${isOfBlock ? "x" : words}${words.endsWith("\\") ? " " : space()}`;
    });
  const outer = [isOuter(), isOuter()] as const;
  const rows = [line(cellsOf(columns, outer[0]), outer[0])];
  const marks = Array.from({ length: columns }, () => ["---", ":-:", " --: ", " ----- "][upTo(3)] ?? "");
  rows.push(line(marks, outer[1]));
  for (let row = upTo(4); row > 0; row -= 1) {
    const withPipes = isOuter();
    const count = random() < 0.3 ? 1 + upTo(columns + 1) : columns;
    const cells = cellsOf(count, withPipes);
    rows.push(line(cells, withPipes) + space());
  }
  return rows.join("\n");
}

function* tables(): Generator<{ table: Table; place: Place; random: () => number }> {
  const random = randomNumbers(7);
  for (let index = 0; index < 2_000; index += 1) {
    const source = randomTable(random);
    const table = read(source);
    const row = Math.floor(random() * table.rows.length);
    yield { table, place: { row, column: Math.floor(random() * table.columns) }, random };
  }
}

function read(source: string): Table {
  const table = readTable(source);
  if (!table) throw new Error(`No table:\n${source}`);
  return table;
}

const after = (table: Table, { changes }: Edit) => read(changed(table.source, changes));

/** The words of all cells under the heading, a missing one as an empty one. */
function grid(table: Table): string[][] {
  return table.rows.map((_, row) =>
    Array.from({ length: table.columns }, (_, column) => wordsOf(table, { row, column })),
  );
}

/** As `toEqual`, which takes long for thousands of tables. */
function expectWords(found: string[][], expected: string[][]): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
}

/** The same as `grid`, as the parser of the editor finds them. */
function parsedGrid(source: string): string[][] {
  const { topNode } = markdownParser.parse(source);
  const node = topNode.firstChild;
  if (node?.name !== "Table" || topNode.lastChild?.from !== node.from) throw new Error(`Not one table:\n${source}`);
  const rows = [...node.getChildren("TableHeader"), ...node.getChildren("TableRow")].map((row) => {
    const cells: string[] = [];
    let words = "";
    let isOpen = source[row.from] !== "|";
    for (let child = row.firstChild; child; child = child.nextSibling) {
      if (child.name === "TableCell") words = source.slice(child.from, child.to);
      if (child.name !== "TableDelimiter") continue;
      if (isOpen) cells.push(words);
      isOpen = true;
      words = "";
    }
    return words === "" ? cells : [...cells, words];
  });
  const columns = rows[0]?.length ?? 0;
  return rows.map((cells) => Array.from({ length: columns }, (_, column) => cells[column] ?? ""));
}

it("finds the cells that the editor's parser finds, in 2,000 tables", () => {
  for (const { table } of tables()) expectWords(grid(table), parsedGrid(table.source));
});

it("finds each cell at its place", () => {
  for (const { table, place } of tables()) {
    const { from, to } = rangeOf(table, place);
    expect(table.source.slice(from, to)).toBe(wordsOf(table, place));
    const segment = segmentOf(table, place);
    if (!segment) continue;
    for (const at of [from, to, segment.from, segment.to]) expect(placeAt(table, at)).toEqual(place);
  }
});

/** Each command, and what becomes of a table's words. */
const EXPECTED: Record<keyof typeof COMMANDS, (words: string[][], place: Place) => string[][]> = {
  rowAbove: (words, { row }) => words.toSpliced(row, 0, words[0]?.map(() => "") ?? []),
  rowBelow: (words, { row }) => words.toSpliced(row + 1, 0, words[0]?.map(() => "") ?? []),
  rowUp: (words, { row }) => swapped(words, row - 1),
  rowDown: (words, { row }) => swapped(words, row),
  removeRow: (words, { row }) => words.toSpliced(row, 1),
  columnBefore: (words, { column }) => words.map((cells) => cells.toSpliced(column, 0, "")),
  columnAfter: (words, { column }) => words.map((cells) => cells.toSpliced(column + 1, 0, "")),
  columnBack: (words, { column }) => words.map((cells) => swapped(cells, column - 1)),
  columnOn: (words, { column }) => words.map((cells) => swapped(cells, column)),
  removeColumn: (words, { column }) => words.map((cells) => cells.toSpliced(column, 1)),
  alignStart: (words) => words,
  alignCenter: (words) => words,
  alignEnd: (words) => words,
};

function swapped<T>(all: T[], at: number): T[] {
  return [...all.slice(0, at), all[at + 1] as T, all[at] as T, ...all.slice(at + 2)];
}

it.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])("keeps every other cell's words: %s", (name) => {
  let done = 0;
  for (const { table, place } of tables()) {
    const edit = COMMANDS[name](table, place);
    if (!edit) continue;
    done += 1;
    const made = after(table, edit);
    const expected = EXPECTED[name](grid(table), place);
    expectWords(grid(made), expected);
    expectWords(parsedGrid(made.source), expected);
    expect(isIn(made, edit.place)).toBe(true);
  }
  expect(done).toBeGreaterThan(300);
});

it("writes into one cell, and leaves the other rows byte for byte", () => {
  for (const { table, place, random } of tables()) {
    const words = WORDS[Math.floor(random() * WORDS.length)] ?? "";
    const made = after(table, withWords(table, place, words));
    const expected = grid(table);
    (expected[place.row] as string[])[place.column] = words;
    expectWords(grid(made), expected);
    expectWords(parsedGrid(made.source), expected);
    expect(rangeOf(made, place).isReady).toBe(true);
    expect(otherLines(made, place.row)).toEqual(otherLines(table, place.row));
  }
});

function otherLines({ rows, marks }: Table, row: number): string[] {
  return [marks, ...rows.toSpliced(row, 1)].map(({ line }) => line);
}

it("removes a row and leaves the others as they were", () => {
  for (const { table, place } of tables()) {
    const edit = COMMANDS.removeRow(table, place);
    if (!edit) continue;
    const lines = table.source.split("\n").toSpliced(place.row + 1, 1);
    expect(changed(table.source, edit.changes)).toBe(lines.join("\n"));
  }
});

it("fills a range, with rows and columns as needed", () => {
  for (const { table, place, random } of tables()) {
    const range = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => WORDS[Math.floor(random() * WORDS.length)] ?? ""),
    );
    const made = after(table, withRange(table, place, range));
    const width = Math.max(table.columns, place.column + Math.max(...range.map((cells) => cells.length)));
    const expected = grid(table);
    while (expected.length < place.row + range.length) expected.push([]);
    for (const cells of expected) while (cells.length < width) cells.push("");
    for (const [row, cells] of range.entries()) {
      for (const [column, words] of cells.entries()) {
        (expected[place.row + row] as string[])[place.column + column] = words;
      }
    }
    expectWords(grid(made), expected);
    expectWords(parsedGrid(made.source), expected);
  }
});

it("marks the alignment of a column", () => {
  const table = read("| a | b |\n| --- | :-----: |\n| c | d |");
  expect(after(table, COMMANDS.alignEnd(table, { row: 0, column: 0 }) as Edit).marks.line).toBe("| ---: | :-----: |");
  expect(after(table, COMMANDS.alignCenter(table, { row: 1, column: 0 }) as Edit).marks.line).toBe(
    "| :---: | :-----: |",
  );
  expect(after(table, COMMANDS.alignStart(table, { row: 1, column: 1 }) as Edit).marks.line).toBe("| --- | ----- |");
});

it("shows the pipes of a cell as they are, and writes them back as they were", () => {
  const cells = ["a \\| b", "`x \\| y`", "\\\\\\|", "\\*", "no pipe", "", "\\"];
  for (const source of cells) expect(sourceText(shownText(source))).toBe(source);
  expect(shownText("a \\| b")).toBe("a | b");
  // After a backslash that the user typed, a pipe is escaped.
  expect(sourceText("a \\| b")).toBe("a \\| b");
  for (const source of cells) {
    const shown = shownText(source);
    for (let at = 0; at <= shown.length; at += 1) expect(shownPlace(shown, sourcePlace(shown, at))).toBe(at);
  }
});

it("reads what is not a table as none", () => {
  expect(readTable("| a |")).toBeNull();
  expect(readTable("a\n---")).not.toBeNull();
  expect(readTable("| a | b |\n| --- |")).toBeNull();
  expect(readTable("| a |\n| b |")).toBeNull();
  expect(readTable("a | b\r\n--- | ---\r")).toBeNull();
});
