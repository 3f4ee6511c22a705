import { isClash, mergedText, mergeTexts } from "@/components/content/merge-texts";
import { cpuTime } from "@/tests/support/cpu-time";
import { randomNumbers } from "@/tests/support/random-numbers";

it.each([
  ["changes in different places", "a\nb\nc", "a\nB\nc", "a\nb\nc\nd", "a\nB\nc\nd"],
  ["the same change", "a\nb", "a\nB", "a\nB", "a\nB"],
  ["one side only", "a\nb", "a\nb", "x\na\nb", "x\na\nb"],
  ["a line taken away on one side", "a\nb\nc\nd", "a\nc\nd", "a\nb\nc\nd!", "a\nc\nd!"],
  ["an empty text filled", "", "mine", "", "mine"],
])("merges %s", (_name, base, mine, theirs, merged) => {
  const parts = mergeTexts(base, mine, theirs);
  expect(parts.filter(isClash)).toEqual([]);
  expect(mergedText(parts)).toBe(merged);
});

it("leaves lines that both have changed to the user", () => {
  const parts = mergeTexts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc");
  expect(parts.filter(isClash)).toEqual([{ mine: ["mine"], theirs: ["theirs"] }]);
  expect(mergedText(parts)).toBe("a\nmine\nc");
  expect(mergedText(parts, () => "theirs")).toBe("a\ntheirs\nc");
  expect(mergedText(parts, () => "both")).toBe("a\nmine\ntheirs\nc");
});

it("takes another choice at each place", () => {
  const parts = mergeTexts("a\nb\nc\nd\ne", "a\nB1\nc\nd\nE1", "a\nB2\nc\nd\nE2");
  expect(mergedText(parts, (clash) => (clash === 0 ? "theirs" : "mine"))).toBe("a\nB2\nc\nd\nE1");
});

it("calls every difference a clash when the text both come from is not known", () => {
  const parts = mergeTexts(undefined, "a\nmine\nc", "a\nc\nd");
  expect(parts.filter(isClash)).toEqual([
    { mine: ["mine"], theirs: [] },
    { mine: [], theirs: ["d"] },
  ]);
  expect(mergedText(parts)).toBe("a\nmine\nc");
  expect(mergedText(parts, () => "theirs")).toBe("a\nc\nd");
});

it("does not compare what would take too long, and loses nothing of it", () => {
  const blank = "\n".repeat(5_000);
  let parts: ReturnType<typeof mergeTexts> = [];
  const ms = cpuTime(() => {
    parts = mergeTexts(`x${blank}y`, `mine${blank}mine`, `theirs${blank}theirs`);
  });
  expect(ms).toBeLessThan(2_000);
  expect(mergedText(parts)).toBe(`mine${blank}mine`);
  expect(mergedText(parts, () => "theirs")).toBe(`theirs${blank}theirs`);
});

it("loses no edit in 10,000 random pairs", () => {
  const random = randomNumbers(18);
  let clean = 0;
  for (let pair = 0; pair < 10_000; pair += 1) {
    const base = Array.from({ length: Math.floor(random() * 12) }, (_, line) => (random() < 0.3 ? "" : `line ${line}`));
    const mine = edited(base, "mine", random);
    const theirs = edited(base, "theirs", random);
    const parts = mergeTexts(base.join("\n"), mine.join("\n"), theirs.join("\n"));
    if (!parts.some(isClash)) {
      clean += 1;
      const merged = mergedText(parts).split("\n");
      // What was added is there, and what was taken away is not.
      for (const line of added(base, [...mine, ...theirs])) expect(merged).toContain(line);
      for (const line of removed(base, mine)) expect(merged).not.toContain(line);
      for (const line of removed(base, theirs)) expect(merged).not.toContain(line);
    } else {
      for (const line of added(base, mine)) expect(mergedText(parts).split("\n")).toContain(line);
      for (const line of added(base, theirs)) expect(mergedText(parts, () => "theirs").split("\n")).toContain(line);
    }
  }
  expect(clean).toBeGreaterThan(1_000);
  expect(clean).toBeLessThan(9_500);
});

function edited(base: string[], name: string, random: () => number): string[] {
  const lines = [...base];
  for (let edit = 0; edit < 1 + Math.floor(random() * 3); edit += 1) {
    const at = Math.floor(random() * (lines.length + 1));
    const insert = random() < 0.75 ? [`${name} ${Math.floor(random() * 1_000_000)}`] : [];
    lines.splice(at, random() < 0.5 ? 1 : 0, ...insert);
  }
  return lines;
}

function added(base: string[], lines: string[]): string[] {
  return lines.filter((line) => line !== "" && !base.includes(line));
}

function removed(base: string[], lines: string[]): string[] {
  return base.filter((line) => line !== "" && !lines.includes(line));
}
