import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The least number of rows of each section. Raise a number when its section grows. */
const SECTIONS: Record<string, number> = {
  "What the product does": 20,
  "Screens and routes": 15,
  "Global shell": 14,
  "Sign-in page": 11,
  Home: 18,
  "Project detail": 30,
  "Content editor": 21,
  "Content Library": 32,
  "Planning assistant": 15,
  "Profile Settings": 6,
  "Publishing project picker": 12,
  "Project publishing": 29,
  "Queue Monitor": 22,
  "Entities and answers": 17,
  "States of authentication": 13,
  "States of content": 18,
  "States of processing": 8,
  "States of dialogs": 5,
  "Validation rules": 26,
  "Roles and permissions": 6,
  Calls: 49,
  "Error messages": 23,
  "Fallback messages": 22,
  "Success messages": 35,
  Constants: 30,
};

const ROOT = join(__dirname, "../../..");
const HERE = "tests/unit/docs/spec-coverage.test.ts";

it("has a test for every line of the specification", () => {
  expect(problems(read("docs/spec-coverage.md"), SECTIONS)).toEqual([]);
});

describe("the check of the table", () => {
  it.each([
    ["without a test", "| A rule |  |", "A rule: no test"],
    ["with a file alone", `| A rule | ${HERE} |`, "A rule: no test"],
    ["whose file is not there", "| A rule | tests/gone.test.ts › x |", "A rule: no file tests/gone.test.ts"],
    ["whose file is no test", "| A rule | docs/spec-coverage.md › What |", "A rule: no file docs/spec-coverage.md"],
    ["whose test is not there", `| A rule | ${HERE} › no such ${"title"} |`, 'A rule: no test "no such title"'],
    ["whose test is any other text of the file", `| A rule | ${HERE} › whether it |`, 'A rule: no test "whether it"'],
    ["said twice", `| A rule | ${HERE} › for every line |\n`.repeat(2), "A rule: said twice"],
    ["whose label is not in the product", `| \`No such label\` | ${HERE} › for every line |`, "not in the product"],
    ["whose label is only part of a longer one", `| \`Queue\` | ${HERE} › for every line |`, "not in the product"],
    ["whose label is not in its test", `| \`Save ${"Outline"}\` | ${HERE} › for every line |`, "not in its test"],
    ["of three columns", `| A | rule | ${HERE} › for every line |`, "not two columns"],
    [
      "of which one label is not in the product",
      `| \`Queue\`, \`No such label\` | ${HERE} › for every line |`,
      "not in the product",
    ],
    ["in a section nobody asked for", `\n## Else\n\n| A rule | ${HERE} › for every line |`, "Else: unknown section"],
  ])("%s", (_what, rows, problem) => {
    expect(problems(`## S\n\n${rows}`, { S: 0 }).join("\n")).toContain(problem);
  });

  it("refuses a section with too few lines or none", () => {
    const table = `## S\n\n| Specified | Seen by |\n|---|---|\n| A rule | ${HERE} › for every line |\n`;
    expect(problems(table, { S: 1 })).toEqual([]);
    expect(problems(table, { S: 2, T: 1 })).toEqual(["S: 1 rows, 2 expected", "T: 0 rows, 1 expected"]);
  });
});

it("does not count a skipped test", () => {
  const tests = [
    'it("a", f);',
    'it.each([["b", g(1)]])("c %s", f);',
    'it.skip("d", f);',
    'xit("e", f);',
    'it.todo("f");',
  ];
  expect(titlesOf(tests.join("\n"))).toEqual(["a", "c %s"]);
});

type Row = { section: string; specified: string; path: string; title: string };

/** The table's problems, one line each. */
function problems(markdown: string, sections: Record<string, number>): string[] {
  const { rows, broken } = rowsOf(markdown);
  const found = [...broken, ...rows.flatMap((row) => problemsOf(row, rows))];
  for (const section of new Set(rows.map((row) => row.section))) {
    if (!(section in sections)) found.push(`${section}: unknown section`);
  }
  for (const [section, least] of Object.entries(sections)) {
    const count = rows.filter((row) => row.section === section).length;
    if (count < least) found.push(`${section}: ${count} rows, ${least} expected`);
  }
  return found;
}

function rowsOf(markdown: string): { rows: Row[]; broken: string[] } {
  const rows: Row[] = [];
  const broken: string[] = [];
  let section = "";
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3).trim();
    if (!line.startsWith("|") || /^\|\s*(Specified\s*\||:?-)/.test(line)) continue;
    const cells = line.split("|").slice(1, -1);
    if (cells.length !== 2) broken.push(`${line}: not two columns`);
    const [specified = "", seenBy = ""] = cells.map((cell) => cell.trim());
    const [path = "", title = ""] = seenBy.split(" › ");
    // One row may list several labels that the same test sees.
    const labels = /^`[^`]+`(, `[^`]+`)+$/.test(specified) ? (specified.match(/`[^`]+`/g) ?? []) : [specified];
    for (const each of labels) rows.push({ section, specified: each, path, title });
  }
  return { rows, broken };
}

function problemsOf(row: Row, rows: Row[]): string[] {
  const { section, specified } = row;
  const found: string[] = [];
  if (!specified) found.push("nothing specified");
  if (rows.filter((each) => each.section === section && each.specified === specified).length > 1)
    found.push("said twice");
  const label = /^`(.+)`$/.exec(specified)?.[1];
  if (label && !isShown(label)) found.push("not in the product");
  const unseen = whyUnseen(row, label);
  if (unseen) found.push(unseen);
  return found.map((problem) => `${specified}: ${problem}`);
}

function whyUnseen({ path, title }: Row, label: string | undefined): string | undefined {
  if (!path || !title) return "no test";
  if (!/^tests\/.+\.(test|spec)\.tsx?$/.test(path) || !existsSync(join(ROOT, path))) return `no file ${path}`;
  const test = read(path);
  if (!titlesOf(test).some((each) => each.includes(title))) return `no test "${title}" in ${path}`;
  if (label && !new RegExp(pattern(label)).test(test)) return `not in its test ${path}`;
  return undefined;
}

/** The titles of the tests that run, without skipped and todo ones. */
function titlesOf(source: string): string[] {
  const call = /(?:\b(?:it|test)|\b(?:it|test)\.each[\s\S]{0,8000}?[\])`])\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;
  return [...source.matchAll(call)].map(([, quote, title = ""]) => title.replaceAll(`\\${quote}`, quote ?? ""));
}

/** A regular expression for a label; `{n}` matches a value inserted at run time. */
function pattern(label: string): string {
  const parts = label.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return parts.join(".{1,60}?");
}

/** Whether the label is a whole text of the product, not part of a longer one or of a name. */
function isShown(label: string): boolean {
  return new RegExp(`["'\`>}] ?${pattern(label)} ?["'\`<{$]`).test(product());
}

let source: string | undefined;

/** The product's source without comments. */
function product(): string {
  source ??= ["app", "components", "lib"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) =>
      read(file)
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/^\s*\/\/.*$/gm, ""),
    )
    .join("\n")
    .replace(/\s+/g, " ");
  return source;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
