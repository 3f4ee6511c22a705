import { MAX_CHANGES, MAX_SIDE, postChanges } from "@/lib/wordpress/block-changes";
import { renderPost } from "@/lib/wordpress/blocks";

const paragraph = (html: string) => `<!-- wp:paragraph -->\n<p>${html}</p>\n<!-- /wp:paragraph -->`;
const changesOf = (before: string, after: string) =>
  postChanges({ title: "Sowing", content: before }, { title: "Sowing", content: after });
/** What readers see of a single block. */
const seen = (block: string) => changesOf(block, "").changes[0]?.before;

it("finds nothing in the same post", () => {
  const content = renderPost("# A\n\nText\n\n- a\n  - b\n\n```js\na\n```\n\n| a |\n| - |\n| b |");
  expect(changesOf(content, content)).toEqual({ changes: [], more: 0 });
});

it("shows a line break that a paragraph gains", () => {
  expect(changesOf(paragraph("✅ Fast\n✅ Cheap"), paragraph("✅ Fast<br />✅ Cheap")).changes).toEqual([
    {
      before: [{ kind: "Paragraph", text: "✅ Fast ✅ Cheap" }],
      after: [{ kind: "Paragraph", text: "✅ Fast\n✅ Cheap" }],
    },
  ]);
});

it("shows the words that were missing", () => {
  const [change] = changesOf(paragraph("Use Array."), paragraph("Use Array&lt;string&gt;.")).changes;
  expect(change).toEqual({
    before: [{ kind: "Paragraph", text: "Use Array." }],
    after: [{ kind: "Paragraph", text: "Use Array<string>." }],
  });
});

it("shows another kind of block with the same words", () => {
  const [change] = changesOf(renderPost("## A"), renderPost("### A")).changes;
  expect(change).toEqual({ before: [{ kind: "Heading 2", text: "A" }], after: [{ kind: "Heading 3", text: "A" }] });
});

it("shows blocks that become one as one change, between blocks that stay", () => {
  const before = [paragraph("Start"), renderPost("1. One"), renderPost("- a"), renderPost("1. Two"), paragraph("End")];
  const after = [paragraph("Start"), renderPost("1. One\n   - a\n2. Two"), paragraph("End")];
  expect(changesOf(before.join("\n\n"), after.join("\n\n")).changes).toEqual([
    {
      before: [
        { kind: "Numbered list", text: "1. One" },
        { kind: "List", text: "• a" },
        { kind: "Numbered list", text: "1. Two" },
      ],
      after: [{ kind: "Numbered list", text: "1. One\n◦ a\n2. Two" }],
    },
  ]);
});

it("shows a block that comes or goes alone", () => {
  const [gone] = changesOf(`${paragraph("A")}\n\n${paragraph("B")}`, paragraph("A")).changes;
  expect(gone).toEqual({ before: [{ kind: "Paragraph", text: "B" }], after: [] });
  const [added] = changesOf(paragraph("A"), `${paragraph("A")}\n\n${paragraph("B")}`).changes;
  expect(added).toEqual({ before: [], after: [{ kind: "Paragraph", text: "B" }] });
});

it("shows a title only if readers see it change", () => {
  const titles = (before: string, after: string) =>
    postChanges({ title: before, content: "" }, { title: after, content: "" }).changes;
  expect(titles("If x < 5 & y", "If x &lt; 5 & y")).toEqual([]);
  expect(titles("If x", "If x &lt; 5")).toEqual([
    { before: [{ kind: "Title", text: "If x" }], after: [{ kind: "Title", text: "If x < 5" }] },
  ]);
});

it.each([
  ["a table, row by row", renderPost("| Plan | Price |\n| - | - |\n| Basic | 9 |"), "Table", "Plan | Price\nBasic | 9"],
  ["a list that begins later", renderPost("3. a\n4. b"), "Numbered list", "3. a\n4. b"],
  ["a quote of two paragraphs", renderPost("> a\n>\n> b"), "Quote", "a\nb"],
  ["code with its lines and spaces", renderPost("```\nif (a)\n  b < c\n```"), "Code", "if (a)\n  b < c"],
  ["a picture by its alternative", renderPost("![A bed](https://a.example/b.png)"), "Image", "A bed"],
  ["a separator", renderPost("---"), "Separator", ""],
  ["the more mark", "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->", "More", ""],
  ["a block of a plugin without HTML", '<!-- wp:shop/price-tag {"id":1} /-->', "Price tag", ""],
  ["HTML outside of blocks", "<p>a</p><p>b</p>", "Classic", "a\nb"],
  ["a block that is not closed", "<!-- wp:group --><p>a</p>", "Group", "a"],
])("reads %s", (_what, block, kind, text) => {
  expect(seen(block)).toEqual([{ kind, text }]);
});

it("reads blocks after one without HTML, and after an end without a beginning", () => {
  expect(seen(`<!-- wp:spacer /-->\n\n<!-- /wp:group -->${paragraph("a")}`)).toEqual([
    { kind: "Spacer", text: "" },
    { kind: "Paragraph", text: "a" },
  ]);
  const inside = `<!-- wp:group --><!-- wp:spacer /-->${paragraph("a")}<!-- /wp:group -->${paragraph("b")}`;
  expect(seen(inside)).toEqual([
    { kind: "Group", text: "a" },
    { kind: "Paragraph", text: "b" },
  ]);
});

it("lists the first changes, and counts the others", () => {
  const post = (word: string) => Array.from({ length: 25 }, (_, at) => paragraph(`${word} ${at}`)).join("\n\n");
  const { changes, more } = changesOf(post("old"), post("new"));
  expect([changes.length, more]).toEqual([MAX_CHANGES, 5]);
  expect(changes[3]).toEqual({
    before: [{ kind: "Paragraph", text: "old 3" }],
    after: [{ kind: "Paragraph", text: "new 3" }],
  });
});

it("compares posts that have nothing in common block by block", () => {
  const post = (word: string) => Array.from({ length: 900 }, (_, at) => paragraph(`${word} ${at}`)).join("\n\n");
  const { changes, more } = changesOf(post("old"), post("new"));
  expect([changes.length, more]).toEqual([MAX_CHANGES, 880]);
});

it("cuts a long block before its difference, and each side at its limit", () => {
  const common = "word ".repeat(200);
  const [change] = changesOf(paragraph(`${common}old ${common}`), paragraph(`${common}new ${common}`)).changes;
  const [before, after] = [change?.before[0]?.text ?? "", change?.after[0]?.text ?? ""];
  expect(before).toMatch(/^…word .*old .*…$/);
  expect(after).toMatch(/^…word .*new .*…$/);
  expect([before.length, after.length]).toEqual([MAX_SIDE, MAX_SIDE]);
  const merged = changesOf([paragraph(common), paragraph(common)].join("\n\n"), "").changes[0]?.before ?? [];
  expect(merged.map(({ text }) => text.length)).toEqual([MAX_SIDE]);
});

it("never cuts a character in half", () => {
  const [change] = changesOf(paragraph("a😀".repeat(300)), "").changes;
  expect(() => encodeURIComponent(change?.before[0]?.text ?? "")).not.toThrow();
});
