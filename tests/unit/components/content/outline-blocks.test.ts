import {
  added,
  blocksOf,
  canShift,
  cardOf,
  divided,
  endOf,
  merged,
  moved,
  outlineText,
  removed,
  shifted,
  siblingOf,
  withBrief,
  withHeading,
  withLevel,
  withNote,
  withWords,
} from "@/components/content/outline/blocks";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { randomNumbers } from "@/tests/support/random-numbers";

const DOCUMENTS = [...COMMONMARK, ...GFM, ...generatedDocuments(1_400)];

const OUTLINE = [
  "Before the first.",
  "",
  "## One",
  "What it says.",
  "Words: 300",
  "Note: with a picture",
  "",
  "### Inside",
  "A point.",
  "",
  "## Two",
  "More.",
].join("\n");
const { before, blocks } = blocksOf(OUTLINE);
const headings = (all: string[]) => all.map((block) => block.split("\n")[0]);

it(`gives back the same text, for ${DOCUMENTS.length.toLocaleString("en-US")} documents`, () => {
  for (const text of DOCUMENTS) expect(outlineText(blocksOf(text))).toBe(text);
});

it("has a block for each heading, and none for one in a code block", () => {
  expect(headings(blocks)).toEqual(["## One", "### Inside", "## Two"]);
  expect(before).toBe("Before the first.\n\n");
  expect(blocksOf("```\n## Code\n```\n## One\n").blocks).toEqual(["## One\n"]);
  expect(blocksOf("No heading at all.")).toEqual({ before: "No heading at all.", blocks: [] });
});

it("reads what a block says", () => {
  expect(cardOf(blocks[0] ?? "")).toEqual({
    level: 2,
    heading: "One",
    words: 300,
    note: "with a picture",
    brief: "What it says.",
  });
  expect(cardOf("### Bare")).toEqual({ level: 3, heading: "Bare", words: null, note: "", brief: "" });
});

describe("a change of one field", () => {
  it.each([
    [
      "the heading",
      (block: string) => withHeading(block, "Uno\ndos"),
      "## Uno dos\nWhat it says.\nWords: 300\nNote: with a picture\n\n",
    ],
    [
      "the level",
      (block: string) => withLevel(block, 4),
      "#### One\nWhat it says.\nWords: 300\nNote: with a picture\n\n",
    ],
    [
      "the budget",
      (block: string) => withWords(block, 90),
      "## One\nWhat it says.\nWords: 90\nNote: with a picture\n\n",
    ],
    ["no budget", (block: string) => withWords(block, null), "## One\nWhat it says.\nNote: with a picture\n\n"],
    [
      "the note",
      (block: string) => withNote(block, "none\nat all"),
      "## One\nWhat it says.\nWords: 300\nNote: none at all\n\n",
    ],
    ["no note", (block: string) => withNote(block, " "), "## One\nWhat it says.\nWords: 300\n\n"],
    [
      "the brief",
      (block: string) => withBrief(block, "New.\nTwo lines."),
      "## One\nWords: 300\nNote: with a picture\nNew.\nTwo lines.\n\n",
    ],
  ])("leaves the rest as it is: %s", (_what, change, expected) => {
    expect(change(blocks[0] ?? "")).toBe(expected);
  });

  it("adds what is not there, to a bare heading too", () => {
    expect(withWords("## One", 90)).toBe("## One\nWords: 90\n");
    expect(withNote("## One\nBrief.\n", "Mind it")).toBe("## One\nNote: Mind it\nBrief.\n");
    expect(withBrief("## One", "Brief.")).toBe("## One\nBrief.");
  });
});

describe("moving", () => {
  it("takes what is nested along, and sets blocks apart", () => {
    expect(outlineText({ before: "", ...moved(blocks, 2, 0) })).toBe(`## Two\nMore.\n\n${blocks[0]}${blocks[1]}`);
    const down = moved(blocks, 0, 3);
    expect(headings(down.blocks)).toEqual(["## Two", "## One", "### Inside"]);
    expect(down.index).toBe(1);
  });

  it("finds the neighbours on the same level", () => {
    expect(siblingOf(blocks, 0, 1)).toBe(2);
    expect(siblingOf(blocks, 2, -1)).toBe(0);
    expect(siblingOf(blocks, 1, 1)).toBeNull();
    expect(siblingOf(blocks, 0, -1)).toBeNull();
  });

  it("does nothing into itself", () => {
    expect(moved(blocks, 0, 1).blocks).toEqual(blocks);
    expect(moved(blocks, 0, 2).blocks).toEqual(blocks);
  });
});

it("nests and takes out, with all that is under it", () => {
  expect(canShift(blocks, 0, 1)).toBe(false);
  expect(canShift(blocks, 2, 1)).toBe(true);
  expect(headings(shifted(blocks, 2, 1))).toEqual(["## One", "### Inside", "### Two"]);
  expect(canShift(blocks, 0, -1)).toBe(false);
  expect(headings(shifted(blocks, 1, -1))).toEqual(["## One", "## Inside", "## Two"]);
  expect(canShift(blocksOf("## A\n### B\n#### C\n##### D\n###### E").blocks, 1, 1)).toBe(false);
});

it("adds and removes", () => {
  expect(headings(added(blocks, 0, "New").blocks)).toEqual(["## One", "### Inside", "## New", "## Two"]);
  expect(outlineText({ before: "", ...added(["## One"], 0, "New") })).toBe("## One\n\n## New\n\n");
  expect(added([], -1, "First").blocks).toEqual(["## First\n\n"]);
  expect(headings(removed(blocks, 0))).toEqual(["## Two"]);
});

it("merges with the next, and divides again", () => {
  const whole = merged(["## One\nA.\nWords: 100\n\n", "## Two\nB.\nWords: 50\nNote: n\n"], 0);
  expect(whole).toEqual(["## One\nNote: n\nWords: 150\nA.\nTwo\nB.\n"]);
  expect(headings(divided(whole, 0, 1))).toEqual(["## One", "## Two"]);
  expect(divided(whole, 0, 1)[1]).toBe("## Two\nB.\n");
  expect(divided(whole, 0, 0)).toBe(whole);
  expect(divided(whole, 0, 9)).toBe(whole);
  expect(merged(blocks, 2)).toBe(blocks);
});

it("keeps every block through 2,000 random moves, nestings and additions", () => {
  const random = randomNumbers(4);
  const pick = (count: number) => Math.floor(random() * count);
  let now = blocksOf("## A\na\n\n### A1\na1\n\n### A2\n\n## B\nb\n\n#### B1\n\n## C").blocks;
  let count = now.length;
  for (let step = 0; step < 2_000; step += 1) {
    const index = pick(now.length);
    const kind = pick(4);
    const lines = now.map((block) => cardOf(block).brief).sort();
    if (kind === 0) now = moved(now, index, pick(now.length + 1)).blocks;
    else if (kind === 1 && canShift(now, index, 1)) now = shifted(now, index, 1);
    else if (kind === 2 && canShift(now, index, -1)) now = shifted(now, index, -1);
    else if (kind === 3 && now.length < 30) {
      now = added(now, index, `New ${step}`).blocks;
      count += 1;
      continue;
    }
    // The text is read again as the same blocks.
    expect(now.map((block) => cardOf(block).brief).sort()).toEqual(lines);
    const again = blocksOf(outlineText({ before: "", blocks: now })).blocks;
    expect(again.map((block) => block.trim())).toEqual(now.map((block) => block.trim()));
    expect(now).toHaveLength(count);
    expect(endOf(now, index)).toBeGreaterThan(index);
  }
});
