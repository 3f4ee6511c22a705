import { type DifferencePart, differenceRows, type Row, wordParts } from "@/components/shared/difference/rows";
import { cpuTime } from "@/tests/support/cpu-time";
import { randomNumbers } from "@/tests/support/random-numbers";

const textOf = (parts: DifferencePart[] | null) => parts?.map(({ text }) => text).join("") ?? null;

it("pairs lines that took each other's place, and marks their words", () => {
  expect(differenceRows("a\nThe quick fox.\nb", "a\nThe slow fox.\nb")).toEqual<Row[]>([
    { kind: "same", text: "a" },
    {
      kind: "changed",
      old: [
        { text: "The ", kind: "same" },
        { text: "quick", kind: "old" },
        { text: " fox.", kind: "same" },
      ],
      new: [
        { text: "The ", kind: "same" },
        { text: "slow", kind: "new" },
        { text: " fox.", kind: "same" },
      ],
    },
    { kind: "same", text: "b" },
  ]);
});

it("leaves out equal lines, but for two beside each change", () => {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const rows = differenceRows(lines.join("\n"), lines.with(10, "changed").join("\n"));
  expect(rows.map((row) => (row.kind === "skipped" ? row.count : row.kind))).toEqual([
    8,
    "same",
    "same",
    "changed",
    "same",
    "same",
    7,
  ]);
});

it("has nothing to show for equal texts, and one side for an empty one", () => {
  expect(differenceRows("a\nb", "a\nb")).toEqual([{ kind: "skipped", count: 2 }]);
  expect(differenceRows("", "a")).toEqual([{ kind: "changed", old: null, new: [{ text: "a", kind: "new" }] }]);
  expect(differenceRows("a", "")).toEqual([{ kind: "changed", old: [{ text: "a", kind: "old" }], new: null }]);
});

it("splits Chinese by characters, and keeps emoji whole", () => {
  expect(wordParts("水从下面浇灌", "水从上面浇灌").filter(({ kind }) => kind !== "same")).toEqual([
    { text: "下", kind: "old" },
    { text: "上", kind: "new" },
  ]);
  expect(wordParts("🌱 a", "🌳 a").map(({ text }) => text)).toEqual(["🌱", "🌳", " a"]);
});

it("has both texts in full, for 300 random pairs", () => {
  const random = randomNumbers(9);
  const some = () =>
    Array.from(
      { length: Math.floor(random() * 15) },
      () => ["", "one two", "one", "two three", "é ü"][Math.floor(random() * 5)],
    ).join("\n");
  for (let pair = 0; pair < 300; pair += 1) {
    const [old, text] = [some(), some()];
    const rows = differenceRows(old, text);
    const count = (side: "old" | "new") =>
      rows.reduce(
        (sum, row) => sum + (row.kind === "skipped" ? row.count : row.kind === "same" || row[side] ? 1 : 0),
        0,
      );
    expect(count("old")).toBe(old === "" ? 0 : old.split("\n").length);
    expect(count("new")).toBe(text === "" ? 0 : text.split("\n").length);
    for (const row of rows) {
      if (row.kind !== "changed") continue;
      if (row.old) expect(old.split("\n")).toContain(textOf(row.old));
      if (row.new) expect(text.split("\n")).toContain(textOf(row.new));
    }
  }
});

it("takes no longer than a moment for two texts of 500 KB without a common line", () => {
  const lines = (name: string) =>
    Array.from({ length: 10_000 }, (_, line) => `${name} ${line} ${"x".repeat(40)}`).join("\n");
  expect(cpuTime(() => expect(differenceRows(lines("old"), lines("new")).length).toBe(10_000))).toBeLessThan(3_000);
  const paragraph = (name: string) => Array.from({ length: 40_000 }, (_, word) => `${name}${word}`).join(" ");
  expect(cpuTime(() => expect(wordParts(paragraph("a"), paragraph("b"))).toHaveLength(2))).toBeLessThan(3_000);
});
