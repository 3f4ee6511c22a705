import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(__dirname, "../../../docs/decisions");

type Files = Record<string, string>;

const PARTS = ["Context", "Decision", "Consequences"];
const SHAPE = new RegExp(
  [
    String.raw`^# (?<number>\d{4})\. (?<title>[^\n]+)`,
    String.raw`Date: (?<date>\d{4}-\d\d-\d\d)`,
    String.raw`Status: (?<status>[^\n]+)`,
    ...PARTS.map((part) => String.raw`## ${part}\n\n\S.+`),
  ].join("\n\n"),
  "s",
);

it("has a well-formed record for every decision and lists each in the index", () => {
  const files = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]);
  expect(files.length).toBeGreaterThan(100);
  expect(problems(Object.fromEntries(files))).toEqual([]);
});

const FIRST = record("0001", "Do this", "Superseded by [0002](0002-do-that.md)");
const SECOND = record("0002", "Do that", "Accepted");
const GOOD: Files = {
  "README.md": "- 0001 [Do this](0001-do-this.md): why\n- 0002 [Do that](0002-do-that.md): why\n",
  "0001-do-this.md": FIRST,
  "0002-do-that.md": SECOND,
};

it("accepts a good folder", () => {
  expect(problems(GOOD)).toEqual([]);
});

it.each<[string, Files, string]>([
  ["a gap in the numbers", { "0003-do-that.md": SECOND.replace("0002", "0003"), "0002-do-that.md": "" }, "not 0002"],
  [
    "a file name that does not match its title",
    { "0001-do-this.md": FIRST.replace("Do this", "Do it") },
    "not named after its title",
  ],
  ["a missing part", { "0001-do-this.md": FIRST.replace("## Context", "## Why") }, "not the four parts"],
  ["an empty part", { "0001-do-this.md": FIRST.replace("text of Context", "") }, "not the four parts"],
  ["no date", { "0001-do-this.md": FIRST.replace("Date: 2026-11-21\n", "") }, "not the four parts"],
  [
    "a date earlier than that of the record before",
    { "0001-do-this.md": FIRST.replace("11-21", "11-22") },
    "older than the one before",
  ],
  ["an unknown status", { "0002-do-that.md": SECOND.replace("Accepted", "Proposed") }, "unknown status"],
  ["a successor that does not exist", { "0001-do-this.md": FIRST.replace("2-do-that", "2-gone") }, "no file"],
  ["no line in the index", { "README.md": "- 0001 [Do this](0001-do-this.md): why\n" }, "0 lines in the index"],
  ["two lines in the index", { "README.md": `${GOOD["README.md"]}${GOOD["README.md"]}` }, "2 lines in the index"],
  ["a different title in the index", { "README.md": GOOD["README.md"]?.replace("Do that", "Do it") ?? "" }, "0 lines"],
  [
    "a line in the index without a file",
    { "README.md": `${GOOD["README.md"]}- 0003 [X](0003-x.md): y\n` },
    "3 lines for 2",
  ],
])("refuses %s", (_what, changed, problem) => {
  const files = Object.entries({ ...GOOD, ...changed }).filter(([, text]) => text !== "");
  expect(problems(Object.fromEntries(files)).join("\n")).toContain(problem);
});

function record(number: string, title: string, status: string): string {
  const parts = PARTS.map((part) => `## ${part}\n\ntext of ${part}\n`);
  return [`# ${number}. ${title}\n`, "Date: 2026-11-21\n", `Status: ${status}\n`, ...parts].join("\n");
}

/** What is wrong with a folder of records, one line each. */
function problems(files: Files): string[] {
  const { "README.md": index = "", ...records } = files;
  const names = Object.keys(records).sort();
  const found = names.flatMap((name, place) => {
    const expected = String(place + 1).padStart(4, "0");
    const { number, title = "", date = "", status = "" } = SHAPE.exec(records[name] ?? "")?.groups ?? {};
    if (number === undefined) return [`${name}: not the four parts`];
    const before = /^Date: (.+)$/m.exec(records[names[place - 1] ?? ""] ?? "")?.[1] ?? "";
    const successor = /^Superseded by \[(\d{4})\]\((\1-[a-z0-9-]+\.md)\)$/.exec(status)?.[2];
    const listed = index.split(`- ${number} [${title}](${name}): `).length - 1;
    return [
      ...(number === expected ? [] : [`${name}: not ${expected}`]),
      ...(name === fileName(number, title) ? [] : [`${name}: not named after its title`]),
      ...(date < before ? [`${name}: older than the one before`] : []),
      ...(status === "Accepted" || successor ? [] : [`${name}: unknown status`]),
      ...(successor && !(successor in records) ? [`${name}: no file ${successor}`] : []),
      ...(listed === 1 ? [] : [`${name}: ${listed} lines in the index`]),
    ];
  });
  const lines = index.split("\n").filter((line) => line.startsWith("- ")).length;
  return lines === names.length ? found : [...found, `${lines} lines for ${names.length} records`];
}

/** `0005-refuse-common-passwords.md` */
function fileName(number: string, title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll("'", "")
    .split(/[^a-z0-9]+/);
  return `${[number, ...words.filter(Boolean)].join("-")}.md`;
}
