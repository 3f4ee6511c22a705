import { cite, dropClaim } from "@/components/shared/markdown-editor/source-ways";
import { sourceMarks } from "@/lib/utils/source-marks";

type Change = { from: number; to: number; insert: string };

function changed(text: string, change: Change | null): string | null {
  return change && text.slice(0, change.from) + change.insert + text.slice(change.to);
}

/** The text with its first mark cited. */
function cited(text: string, address = "https://a.example/b"): string | null {
  const [mark] = sourceMarks(text);
  return mark ? changed(text, cite(text, mark, address)) : null;
}

/** The text without the claim of its first mark, which is in the block that `block` begins with, or in all of the text. */
function dropped(text: string, block = text): string | null {
  const [mark] = sourceMarks(text);
  const from = text.indexOf(block);
  return mark ? changed(text, dropClaim(text, mark, { from, to: from + block.length })) : null;
}

const URL = "(https://a.example/b)";

describe("a pasted link", () => {
  it.each([
    ["Ten [source needed: homes] have one.", `Ten ([source]${URL}) have one.`],
    ["Ten [source needed].", `Ten ([source]${URL}).`],
    ["Here ten homes [source needed: Ten homes].", `Here [ten homes]${URL}.`],
    ["Ten homes[source needed: ten homes]", `[Ten homes]${URL}`],
    ["Often homes [source needed: ten homes]", `Often homes ([source]${URL})`],
    ["Ten *homes* [source needed: ten *homes*]", `Ten *homes* ([source]${URL})`],
    ["x😀ten [source needed: ten]", `x😀[ten]${URL}`],
  ])("makes of %p: %p", (text, expected) => {
    expect(cited(text)).toBe(expected);
  });

  it.each([
    [" https://a.example/a_(b) ", "https://a.example/a_%28b%29"],
    ["HTTP://a.example/?a=b|c\\", "HTTP://a.example/?a=b%7Cc%5C"],
    ["https://a.example/`<b>", "https://a.example/%60%3Cb%3E"],
    ["https://a.example/a b", "https://a.example/a%20b"],
  ])("keeps %p in its brackets", (address, kept) => {
    expect(cited("[source needed]", address)).toBe(`([source](${kept}))`);
  });

  it.each(["", "a.example", "javascript:alert(1)", "mailto:a@a.example", "https://", "https:a.example", "data:,a"])(
    "is refused if it is %p",
    (address) => {
      expect(cited("[source needed]", address)).toBeNull();
    },
  );
});

describe("a dropped claim", () => {
  it.each([
    ["One. Two [source needed: a. B]. Three.", "One. Three."],
    ["One. Two [source needed: a].", "One."],
    ["One [source needed: a]. Two.", "Two."],
    ["One. Two, e.g. [source needed: a], or 3.5 more. Three.", "One. Three."],
    ["One. Two. [source needed: a] Three.", "One. Three."],
    ["One. Two. [source needed: a]", "One."],
    ["One. [source needed: a] of homes are. Three.", "One. Three."],
    ["One. “Two [source needed: a].” Three.", "One. Three."],
    ["One. **Two [source needed: a].** Three.", "One. Three."],
    ["**One. Two [source needed: a].** Three.", "**One.** Three."],
    ["**One [source needed: a]. Two.** Three.", "**Two.** Three."],
    ["**One.** Two [source needed: a]. Three.", "**One.** Three."],
    ["一つ。二つ[source needed: a]。三つ。", "一つ。三つ。"],
    ["One. Two\ngoes on [source needed: a]. Three.", "One. Three."],
    ["One.\nTwo [source needed: a].\nThree.", "One.\nThree."],
    ["One.\n> Two [source needed: a].", "One."],
  ])("leaves of %p: %p", (text, expected) => {
    expect(dropped(text)).toBe(expected);
  });

  it.each([
    ["A.\n\nTwo [source needed].\n\nB.", "Two [source needed].", "A.\n\nB."],
    ["Two [source needed].\n\nB.", "Two [source needed].", "B."],
    ["A.\n\nTwo [source needed].", "Two [source needed].", "A."],
    ["- a\n- Two [source needed].\n- b", "Two [source needed].", "- a\n- b"],
    ["1. Two [source needed].\n\nB.", "Two [source needed].", "B."],
    ["- a\n- Two [source needed].\n\nB.", "Two [source needed].", "- a\n\nB."],
    ["- a\n  - Two [source needed].\n  - b", "Two [source needed].", "- a\n  - b"],
    ["- Two [source needed].\n  - b", "Two [source needed].", "- \n  - b"],
    ["- [ ] Two [source needed].\n- [x] b", "[ ] Two [source needed].", "- [x] b"],
    ["- [ ] Two [source needed]. Three.", "[ ] Two [source needed]. Three.", "- [ ] Three."],
    ["# A\n\n## Two [source needed]\n\nB.", "## Two [source needed]", "# A\n\nB."],
    ["> Two [source needed].\n\nB.", "Two [source needed].", "B."],
    ["| a | Two [source needed] |\n| b | c |", "Two [source needed]", "| a |  |\n| b | c |"],
    ["Two [source needed].", "Two [source needed].", ""],
  ])("takes its block along in %p", (text, block, expected) => {
    expect(dropped(text, block)).toBe(expected);
  });
});
