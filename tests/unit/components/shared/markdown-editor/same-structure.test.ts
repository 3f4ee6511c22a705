import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import type { Token } from "markdown-it";
import { markdown } from "@/components/shared/markdown-editor/language";
import { linkBrackets } from "@/components/shared/markdown-editor/links";
import { parseTokens } from "@/lib/markdown/parser";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { randomNumbers } from "@/tests/support/random-numbers";

type Counts = Record<string, number>;

/** What the published post has, by the parser that makes it. */
const PUBLISHED: Record<string, string> = {
  heading_open: "heading",
  bullet_list_open: "bullets",
  ordered_list_open: "numbers",
  list_item_open: "item",
  blockquote_open: "quote",
  fence: "code block",
  code_block: "code block",
  hr: "rule",
  table_open: "table",
  strong_open: "strong",
  em_open: "emphasis",
  s_open: "strikethrough",
  code_inline: "code",
  link_open: "link",
  image: "image",
};
/** What the editor shows. */
const SHOWN: Record<string, string> = {
  BulletList: "bullets",
  OrderedList: "numbers",
  ListItem: "item",
  Blockquote: "quote",
  FencedCode: "code block",
  CodeBlock: "code block",
  HorizontalRule: "rule",
  Table: "table",
  StrongEmphasis: "strong",
  Emphasis: "emphasis",
  Strikethrough: "strikethrough",
  InlineCode: "code",
  Image: "image",
  Autolink: "link",
};

function published(text: string): Counts {
  const counts: Counts = {};
  const count = (tokens: Token[]) => {
    for (const token of tokens) {
      const name = PUBLISHED[token.type];
      if (name) counts[name] = (counts[name] ?? 0) + 1;
      if (token.children && token.type !== "image") count(token.children);
    }
  };
  count(parseTokens(text, {}));
  return counts;
}

function shown(text: string): Counts {
  const opened = EditorState.create({ doc: text, extensions: [EditorState.lineSeparator.of("\n"), markdown] });
  // Parsed to its end, however busy the machine is; the next state has the tree.
  expect(ensureSyntaxTree(opened, text.length, 60_000)).not.toBeNull();
  const { state } = opened.update({});
  const counts: Counts = {};
  syntaxTree(state).iterate({
    enter(node) {
      const name = /Heading\d$/.test(node.name) ? "heading" : SHOWN[node.name];
      const isLink = node.name === "Link" && linkBrackets(state, node.node) !== null;
      const isBare =
        node.name === "URL" && !["Link", "Image", "Autolink", "LinkReference"].includes(node.node.parent?.name ?? "");
      const counted = isLink || isBare ? "link" : name;
      if (counted) counts[counted] = (counts[counted] ?? 0) + 1;
      return node.name !== "Image";
    },
  });
  return counts;
}

/** CommonMark's examples that the editor shows differently: brackets in brackets, and addresses that nobody writes. */
const DIFFERENT = [
  "[link [foo [bar]]](/uri)\n",
  "*foo [bar* baz]\n",
  '![[foo]]\n\n[[foo]]: /url "title"\n',
  "<foo\\+@bar.example.com>\n",
  // A table of HTML goes on to its end; the editor shows its source, after a blank line as Markdown.
  "<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>\n",
  "<table>\n\n  <tr>\n\n    <td>\n      Hi\n    </td>\n\n  </tr>\n\n</table>\n",
];

it.each([
  ["CommonMark's examples", COMMONMARK],
  ["GitHub's examples", GFM],
  ["2,000 generated documents", generatedDocuments(2_000, { hostile: false })],
  ["2,000 lines of marks between scripts", marksBetweenScripts(2_000)],
])("shows what will be published, in %s", (_name, documents) => {
  const differing = documents.filter(
    (text) => JSON.stringify(sorted(shown(text))) !== JSON.stringify(sorted(published(text))),
  );
  expect(differing.filter((text) => !DIFFERENT.includes(text))).toEqual([]);
});

/** Marks of emphasis beside characters that decide whether they open or close. */
function marksBetweenScripts(count: number): string[] {
  const random = randomNumbers(7);
  const pieces = [
    "*",
    "**",
    "***",
    "~",
    "~~",
    "~~~",
    "_",
    "$$",
    "\\(",
    "\\)",
    "漢",
    "字",
    "。",
    "「",
    "」",
    "（",
    "）",
    "“",
    "”",
    "가",
    "は",
    "a",
    "1",
  ];
  const rare = [" ", " ", "!", "\ufe01", "\u{e0100}", "👍", "𠮷", "\n", "$"];
  const all = [...pieces, ...pieces, ...rare];
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + Math.floor(12 * random()) }, () => all[Math.floor(all.length * random())]).join(""),
  );
}

function sorted(counts: Counts): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
}
