import { MAX_SOURCE_MARKS, sourceMarks } from "@/lib/utils/source-marks";
import { cpuTime } from "@/tests/support/cpu-time";

/** What the marks of a text ask for. */
const claims = (text: string) => sourceMarks(text).map(({ claim }) => claim);

it("finds marks with their places and claims", () => {
  const text = "About [source needed: share of homes with panels] of them. [Source Needed] So [SOURCE NEEDED:  a  ].";
  const marks = sourceMarks(text);
  expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual([
    "[source needed: share of homes with panels]",
    "[Source Needed]",
    "[SOURCE NEEDED:  a  ]",
  ]);
  expect(marks.map(({ claim }) => claim)).toEqual(["share of homes with panels", "", "a"]);
});

it.each([
  "[source needed: depth",
  "[source needed: depth\nof it]",
  "[sources needed]",
  "source needed: depth",
  "\\[source needed: depth]",
  "[source needed: depth](https://a.example)",
])("finds none in %p", (text) => {
  expect(claims(text)).toEqual([]);
});

it.each([
  ["[source needed: [source needed: a]", ["a"]],
  ["[source needed: a][source needed: b]", ["a", "b"]],
  ["\\\\[source needed: a]", ["a"]],
  ["[source needed: 漢字 🌱]", ["漢字 🌱"]],
])("finds in %p: %p", (text, found) => {
  expect(claims(text)).toEqual(found);
});

describe("code", () => {
  it.each([
    "`[source needed: a]`",
    "`[source needed: a]`\n\nB",
    "``a ` [source needed: a]``",
    "a `b\n[source needed: a]` c",
    "```\n[source needed: a]\n```",
    "~~~~ md\n```\n~~~\n[source needed: a]",
    "- a\n\n  ```\n  [source needed: a]\n  ```",
    "> ```\n> [source needed: a]",
    "Text:\n\n    b\n    [source needed: a]",
    "\t[source needed: a]",
  ])("has no marks: %p", (text) => {
    expect(claims(text)).toEqual([]);
  });

  it.each([
    "`a` [source needed: a] `b`",
    "a ` b\n\n[source needed: a] ` c",
    "- a ` b\n- [source needed: a] ` c",
    "\\`[source needed: a]`",
    "``a` [source needed: a]",
    "```\nb\n```\n[source needed: a]",
    "> ```\n> b\n\n[source needed: a]",
    "```a``` [source needed: a]",
    "- a\n\n    [source needed: a]",
    "Text\n    [source needed: a]",
  ])("ends before the mark: %p", (text) => {
    expect(claims(text)).toEqual(["a"]);
  });
});

it("finds the first 500", () => {
  const marks = sourceMarks("[source needed: a] ".repeat(600));
  expect(marks).toHaveLength(MAX_SOURCE_MARKS);
  expect(marks.at(-1)?.from).toBe(499 * 19);
});

it.each([
  "[source needed: ",
  "[source needed",
  "[source needed: a]",
  "[source needed: a] ` `` ``` ",
  "`",
  "[source needed: a](",
])("reads 500 KB of %p within 100 ms", (unit) => {
  const text = unit.repeat(500_000 / unit.length);
  expect(cpuTime(() => sourceMarks(`${text}[source needed]`))).toBeLessThan(100);
});
