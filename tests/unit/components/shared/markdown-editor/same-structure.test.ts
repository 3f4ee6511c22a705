import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { markdown } from "@/components/shared/markdown-editor/language";
import { isDefined, linkBrackets } from "@/components/shared/markdown-editor/links";
import { parseTokens } from "@/lib/markdown/parser";
import { isLocalPicture } from "@/lib/utils/pictures";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { randomNumbers } from "@/tests/support/random-numbers";

const { normalizeReference } = new MarkdownIt().utils;

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
  loss: "loss",
  front_matter: "front matter",
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
  FrontMatter: "front matter",
  WikiEmbed: "loss",
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
  const env: Env = {};
  parseTokens(text, env);
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
      const isWikiLink = node.name === "WikiLink" && isDefined(state, state.sliceDoc(node.from + 2, node.to - 2));
      const isLocal = node.name === "Image" && isLocalPicture(addressOf(node.node, state, env));
      const counted = isLocal ? "loss" : isLink || isBare || isWikiLink ? "link" : name;
      if (counted) counts[counted] = (counts[counted] ?? 0) + 1;
      return node.name !== "Image";
    },
  });
  return counts;
}

/** A picture's address, by its label if it has none; `/` where there is no definition. */
function addressOf(image: SyntaxNode, state: EditorState, { references = {} }: Env): string {
  const [of, url, label] = [
    (at: { from: number; to: number }) => state.sliceDoc(at.from, at.to),
    image.getChild("URL"),
    image.getChild("LinkLabel"),
  ];
  if (url) return of(url).replace(/^</, "");
  const [open, close] = image.getChildren("LinkMark");
  if (!open || !close) return "/";
  if (of({ from: close.to, to: image.to }).startsWith("(")) return "";
  const name = label && label.to - label.from > 2 ? of(label).slice(1, -1) : of({ from: open.to, to: close.from });
  return references[normalizeReference(name)]?.href ?? "/";
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
  // A link around a local picture is not published.
  "[![moon](moon.jpg)](/uri)\n",
  "[![moon](moon.jpg)][ref]\n\n[ref]: /uri\n",
  '[[*foo* bar]]\n\n[*foo* bar]: /url "title"\n',
];

const FRONT_MATTER = ["a: b", "a: b\n\n- c", "a: b\n  c", "# a\nb: c", "a", "- a", "", "a: b\n\nc", "a: b\n***"]
  .flatMap((lines) => [`${lines}\n---\n# d`, `${lines}\n...\n- d`, lines])
  .flatMap((rest) => [`---\n${rest}`, `\uFEFF--- \n${rest}`, `\n---\n${rest}`, `> ---\n${rest}`, `---a\n${rest}`]);

const MARKS = ["-", "*", "+", "1.", "1)", "##", ">", "---", "- - -", ""];

it.each([
  ["CommonMark's examples", COMMONMARK],
  ["GitHub's examples", GFM],
  ["2,000 generated documents", generatedDocuments(2_000, { hostile: false })],
  ["2,000 lines of marks between scripts", marksBetweenScripts(2_000)],
  ["front matter and what only looks like it", FRONT_MATTER],
  ["2,000 texts of other apps' marks", marksOfOthers(2_000, ["", "", " ", "  ", "   "], ["•", "•", "◦", ...MARKS])],
  ["2,000 quotes of them", marksOfOthers(2_000, ["> ", "> ", ">\u00a0", ">  ", "> > "], ["•", "·", ...MARKS])],
  ["2,000 lists of them", marksOfOthers(2_000, ["", "  ", "    ", "      "], ["•", "-", "1."])],
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

/** Lines that begin with marks that Markdown does not know, or not at this indent, and what other apps write in brackets. */
function marksOfOthers(count: number, indents: string[], marks: string[]): string[] {
  const random = randomNumbers(11);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  // Deeper lines under wider marks are those that markdown-it takes for code.
  const wide = indents.includes("    ") ? [] : ["100) a"];
  const firsts = ["", "1. a", "10. a", " 1. a", "  1. a", "1.\tab", "- 1. a", ...wide];
  const spaces = [" ", " ", " ", "\u00a0", "\u202f", "\u3000"];
  const texts = ["a", "b c", "- d", "• e", "1. f", "[[g]]", "[[g|h]]", "i ![[j.png]]", "![k](l.png) m", "```", "<div>"];
  const start = (mark: string) => mark && mark + one(spaces);
  const line = () => (random() < 0.1 ? "" : one(indents) + start(one(marks)) + one(texts));
  const lines = () => Array.from({ length: 1 + Math.floor(4 * random()) }, line);
  return Array.from({ length: count }, () => [one(firsts), ...lines()].join("\n"));
}

function sorted(counts: Counts): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
}
