import { type Parser, type Tree, TreeFragment } from "@lezer/common";
import { markdownParser } from "@/components/shared/markdown-editor/language";
import { ParserInParts, partsOf } from "@/components/shared/markdown-editor/parser-in-parts";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { randomNumbers } from "@/tests/support/random-numbers";

/** Many parts in a small text. */
const SHORT = new ParserInParts(markdownParser, 30);
const OWN = [
  "---\na: b\n---\n",
  "• a\n• b\n\n• c\n",
  "1. a\n  - b\n\n      c\n\n        d\n2. e\n",
  "-\u00a0a\n1.\u00a0b\n",
  "[[a|b]]\n",
];
const CORPUS = [...COMMONMARK, ...GFM, ...OWN];
CORPUS.push(...generatedDocuments(2_000 - CORPUS.length));
/** What edits put in: what opens and closes blocks, and what goes on with them. */
const PIECES = [
  "\n",
  "\n\n",
  "x",
  "# ",
  "- ",
  "  ",
  "    ",
  "> ",
  "```\n",
  "~~~\n",
  "<!--",
  "-->",
  "===",
  "| a |\n|-|\n",
  "[a]: b",
  "\t",
  "1. ",
  "• ",
  "\u00a0",
  "[[",
  "---\na: b\n",
];

function nodesOf(tree: Tree): string {
  const nodes: string[] = [];
  tree.iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from} ${to}`) });
  return nodes.join("\n");
}

const fresh = (text: string) => nodesOf(markdownParser.parse(text));

/** The tree of a text; `stop` ends the parse early, as when the user types meanwhile. */
function parse(parser: Parser, text: string, fragments: readonly TreeFragment[], stop?: number): Tree {
  const work = parser.startParse(text, fragments);
  if (stop !== undefined) work.stopAt(stop);
  for (;;) {
    const tree = work.advance();
    if (tree) return tree;
  }
}

it("has the tree of the whole text, for 2,000 documents", () => {
  expect(CORPUS).toHaveLength(2_000);
  for (const text of CORPUS) expect(nodesOf(parse(SHORT, text, []))).toBe(fresh(text));
});

it("still has it after edits anywhere, one or two at a time, and after parses that were ended early", () => {
  const random = randomNumbers(18);
  const below = (limit: number) => Math.floor(random() * limit);
  let edits = 0;
  let manyParts = 0;
  for (let start = 0; start + 10 <= CORPUS.length; start += 10) {
    let text = CORPUS.slice(start, start + 10).join("\n\n");
    let fragments = TreeFragment.addTree(parse(SHORT, text, []));
    for (let edit = 0; edit < 16; edit += 1) {
      const at = below(text.length + 1);
      const places = edit % 3 === 0 ? [at, Math.min(text.length, at + 200 + below(300))] : [at];
      const changes = places.map((fromA) => {
        const toA = Math.min(text.length, fromA + (below(3) === 0 ? below(60) : 0));
        return { fromA, toA, insert: PIECES[below(PIECES.length)] ?? "" };
      });
      const ranges: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
      let moved = 0;
      let next = "";
      let copied = 0;
      for (const { fromA, toA, insert } of changes) {
        if (fromA < copied) continue;
        next += text.slice(copied, fromA) + insert;
        ranges.push({ fromA, toA, fromB: fromA + moved, toB: fromA + moved + insert.length });
        moved += insert.length - (toA - fromA);
        copied = toA;
      }
      text = next + text.slice(copied);
      fragments = TreeFragment.applyChanges(fragments, ranges);
      if (below(4) === 0) {
        const stop = below(text.length + 1);
        fragments = TreeFragment.addTree(parse(SHORT, text, fragments, stop), fragments, true);
      }
      const tree = parse(SHORT, text, fragments);
      expect(nodesOf(tree)).toBe(fresh(text));
      fragments = TreeFragment.addTree(tree, fragments);
      edits += 1;
      if (partsOf(tree).length > 3) manyParts += 1;
    }
  }
  expect(edits).toBe(3_200);
  expect(manyParts).toBeGreaterThan(1_000);
});

it("parses one part of a long text again, and keeps the others as they are", () => {
  const parser = new ParserInParts(markdownParser);
  const text = Array.from({ length: 4_000 }, (_, index) => `Paragraph ${index}, **of** a long text.`).join("\n\n");
  const tree = parse(parser, text, []);
  const before = partsOf(tree);
  expect(before.length).toBeGreaterThan(15);
  const at = text.length >> 1;
  const changes = [{ fromA: at, toA: at, fromB: at, toB: at + 1 }];
  const fragments = TreeFragment.applyChanges(TreeFragment.addTree(tree), changes);
  const after = partsOf(parse(parser, `${text.slice(0, at)}x${text.slice(at)}`, fragments));
  const kept = after.filter(({ part }) => before.some((each) => each.part === part));
  expect(after).toHaveLength(before.length);
  expect(kept).toHaveLength(before.length - 1);
});

const LONG = "words ".repeat(50);

it.each([
  ["a line that ends front matter far above", `---\na: ${LONG}\n\nb: ${LONG}\n\n`, "", "---\n", "\nText"],
  ["the end of front matter, taken away", `---\na: ${LONG}\n\nb: ${LONG}\n\n`, "---\n", "", "\nText"],
  ["a list that is moved to the left of its number's text", "1. a\n  ", " ", "", `- b\n\n        ${LONG}\n\nText`],
  ["a bullet after another one", `${LONG}\n\n• a\n`, "b", "• b", `\n\n${LONG}`],
  ["a bullet that is alone now", `${LONG}\n\n• a\n`, "• b", "b", `\n\n${LONG}`],
])("has the tree of the whole text after %s", (_what, before, old, insert, after) => {
  for (const parser of [SHORT, new ParserInParts(markdownParser)]) {
    const fragments = TreeFragment.addTree(parse(parser, before + old + after, []));
    const [fromA, toA] = [before.length, before.length + old.length];
    const changes = [{ fromA, toA, fromB: fromA, toB: fromA + insert.length }];
    const text = before + insert + after;
    expect(nodesOf(parse(parser, text, TreeFragment.applyChanges(fragments, changes)))).toBe(fresh(text));
  }
});
