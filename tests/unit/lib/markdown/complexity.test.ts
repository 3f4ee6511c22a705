import {
  complexityProblem,
  MAX_BLOCKS,
  MAX_BRACKETS,
  MAX_EMPHASIS_MARKS,
  MAX_NESTING,
  MAX_TABLE_CELLS,
  MAX_TABLE_COLUMNS,
} from "@/lib/markdown/complexity";

const row = (cell: string, columns: number) => `|${`${cell}|`.repeat(columns)}\n`;
const table = (rows: number, columns: number, prefix = "") =>
  [row("a", columns), row("-", columns), ...Array<string>(rows).fill("b\n")].map((line) => prefix + line).join("");
const nestedList = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- a\n`).join("");

const nestedNumbers = (depth: number) => nestedList(depth).replaceAll("-", "1.");

const nestedBullets = (depth: number) => nestedList(depth).replaceAll("- ", "•\u00a0");

describe("the complexity check", () => {
  it("reports too many table cells, including those that short rows leave out", () => {
    expect(complexityProblem(table(49_000, 200))).toBe(
      "The tables of this text have more than 50,000 cells (rows × columns). Shorten or divide them, then try again.",
    );
  });

  it("counts cells exactly, including the header's", () => {
    const columns = 100;
    const rows = MAX_TABLE_CELLS / columns - 2;
    expect(complexityProblem(table(rows, columns))).toBeNull();
    expect(complexityProblem(table(rows + 1, columns))).toContain("more than 50,000 cells");
  });

  it("reports too many columns", () => {
    expect(complexityProblem(table(1, MAX_TABLE_COLUMNS))).toBeNull();
    expect(complexityProblem(table(1, 316))).toBe(
      "This text has a table of 316 columns; at most 250 can be rendered. Divide it into narrower tables, then try again.",
    );
  });

  it.each([
    ["in a quote", table(40_000, 20, "> ")],
    ["in a list", `- x\n\n${table(40_000, 20, "  ")}`],
    ["in a quote in a list", `- > ${table(40_000, 20, "  > ").slice(4)}`],
    ["repeated many times", `${table(10, 20)}\n`.repeat(3_000)],
    ["with Windows line ends", table(40_000, 20).replaceAll("\n", "\r\n")],
    ["with old Mac line ends", table(40_000, 20).replaceAll("\n", "\r")],
    ["without pipes at the edges", `a${"|a".repeat(19)}\n-${"|-".repeat(19)}\n${"b\n".repeat(40_000)}`],
    ["with aligned columns", `a${"|a".repeat(19)}\n:-:${"| -: ".repeat(19)}\n${"b\n".repeat(40_000)}`],
    ["whose delimiter row is repeated in the table", `${table(1, 1)}${row("-", 20)}${"b\n".repeat(40_000)}`],
    ["after a closed code block", `\`\`\`\na\n\`\`\`\n${table(40_000, 20)}`],
    ["after what only looks like a code block", `\`\`\`a\`b\n${table(40_000, 20)}`],
    ["after an indented fence", `    \`\`\`\n${table(40_000, 20)}`],
    ["after a fence under a number that it is left of", `1. a\n  \`\`\`\nb\n\`\`\`\n${table(40_000, 20)}`],
    ["after a fence in a list under a number", `1. a\n  - b\n  \`\`\`\nc\n${table(40_000, 20)}`],
    ["after a fence under a number, by another app's bullets", `1. a\n  • b\n  • c\n  \`\`\`\nd\n${table(40_000, 20)}`],
    ["after a fence in a list that has ended", `- \`\`\`\n\na\n\n${table(40_000, 20)}`],
  ])("finds a table %s", (_where, markdown) => {
    expect(complexityProblem(markdown)).toContain("more than 50,000 cells");
  });

  it.each([
    ["quotes on a line", `${">".repeat(MAX_NESTING)}a`, `${">".repeat(MAX_NESTING + 1)}a`],
    ["lists on a line", `${"- ".repeat(MAX_NESTING)}a`, `${"- ".repeat(MAX_NESTING + 1)}a`],
    ["numbered lists on a line", `${"1. ".repeat(MAX_NESTING)}a`, `${"1. ".repeat(MAX_NESTING + 1)}a`],
    ["quotes and lists", `${"> - ".repeat(25)}a`, `${"> - ".repeat(26)}a`],
    ["other apps' bullets", nestedBullets(MAX_NESTING), nestedBullets(MAX_NESTING + 1)],
    ["lists with wide spaces", `${"-\u00a0".repeat(MAX_NESTING)}a`, `${"1.\u3000".repeat(MAX_NESTING + 1)}a`],
    ["lists under numbers", nestedNumbers(MAX_NESTING), nestedNumbers(MAX_NESTING + 1)],
    ["lists one deeper each line", nestedList(MAX_NESTING), nestedList(MAX_NESTING + 1)],
  ])("reports too deep nesting of %s", (_what, allowed, refused) => {
    expect(complexityProblem(allowed)).toBeNull();
    expect(complexityProblem(refused)).toBe(
      "This text nests quotes or lists more than 50 levels deep. Take out levels, then try again.",
    );
  });

  it.each([
    ["lines", "a\n", MAX_BLOCKS],
    ["paragraphs", "a\n\n", MAX_BLOCKS],
    ["headings", "a\n=\n", MAX_BLOCKS / 2],
    ["items of a list, with their lines", "- a\n", MAX_BLOCKS / 2],
    ["items with another app's bullets, with their lines", "• a\n", MAX_BLOCKS / 2],
    ["lists in lists, with their line", `${"- ".repeat(9)}a\n`, MAX_BLOCKS / 10],
    ["quotes, with their line", "> > > > a\n", MAX_BLOCKS / 5],
  ])("reports too many lines: %s", (_what, unit, allowed) => {
    expect(complexityProblem(unit.repeat(allowed))).toBeNull();
    expect(complexityProblem(unit.repeat(allowed + 1))).toBe(
      "This text has more than 50,000 lines, list items and quotes. Divide it, then try again.",
    );
  });

  it.each([
    ["stars", "**a ", MAX_EMPHASIS_MARKS],
    ["emphasised words", "_a_ ", MAX_EMPHASIS_MARKS / 2],
    ["different marks side by side", "*_~", MAX_EMPHASIS_MARKS / 3],
  ])("reports too many marks of emphasis: %s", (_what, unit, allowed) => {
    expect(complexityProblem(unit.repeat(allowed))).toBeNull();
    expect(complexityProblem(unit.repeat(allowed + 1))).toBe(
      "This text has more than 100,000 marks of emphasis (*, _ or ~). Take some out or divide the text, then try again.",
    );
  });

  it("reports too many opening brackets", () => {
    expect(complexityProblem("![a](b)".repeat(MAX_BRACKETS))).toBeNull();
    expect(complexityProblem("![a](b)".repeat(MAX_BRACKETS + 1))).toBe(
      "This text has more than 100,000 opening brackets, as of links, images and footnotes. Take some out or divide the text, then try again.",
    );
  });

  it.each([
    ["500,000 blank lines", "\n".repeat(500_000)],
    ["a code block of 250,000 lines", `\`\`\`\n${"*\n".repeat(250_000)}`],
    ["500,000 stars in a row", "*".repeat(500_000)],
    ["500 rows of 20 columns", table(500, 20)],
    ["many deep lists", `${nestedList(20)}\na\n\n`.repeat(100)],
    ["thematic breaks", `a\n\n${"- ".repeat(80)}\n\n${"*".repeat(80)}\n`],
    ["a code block of marks", `\`\`\`\n${">".repeat(80)}\n${"- ".repeat(80)}a\n\`\`\`\n`],
    ["a table shown as code", `~~~\n${table(40_000, 20)}~~~\n`],
    ["2,000 headings", "## A heading\n\nSome words under it.\n\n".repeat(2_000)],
    ["a long numbered list", Array.from({ length: 5_000 }, (_, n) => `${n}. a\n`).join("")],
    ["an empty text", ""],
  ])("accepts %s", (_what, markdown) => {
    expect(complexityProblem(markdown)).toBeNull();
  });
});
