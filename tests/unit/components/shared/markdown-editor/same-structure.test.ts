import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import type { Root } from "hast";
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { captionOf } from "@/components/shared/markdown-editor/captions";
import { markdown } from "@/components/shared/markdown-editor/language";
import { isDefined, linkBrackets } from "@/components/shared/markdown-editor/links";
import { parseTokens } from "@/lib/markdown/parser";
import { previewOf } from "@/lib/markdown/preview";
import { isLocalPicture } from "@/lib/utils/pictures";
import { renderPost } from "@/lib/wordpress/blocks";
import { type Counts, captionsIn, seenOfBlocks, seenOfTree } from "@/tests/support/block-structure";
import { COMMONMARK, GFM, generatedDocuments } from "@/tests/support/markdown-corpus";
import { corpusPosts } from "@/tests/support/post-corpus";
import { randomNumbers } from "@/tests/support/random-numbers";

const { normalizeReference } = new MarkdownIt().utils;

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

function parsed(text: string): EditorState {
  const opened = EditorState.create({ doc: text, extensions: [EditorState.lineSeparator.of("\n"), markdown] });
  // Parsed to its end, however busy the machine is; the next state has the tree.
  expect(ensureSyntaxTree(opened, text.length, 60_000)).not.toBeNull();
  return opened.update({}).state;
}

function shown(text: string): Counts {
  const env: Env = {};
  parseTokens(text, env);
  const state = parsed(text);
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

const POSTS = corpusPosts();
/** Posts that the editor shows differently. */
const DIFFERENT_POSTS = [
  // A table of HTML, as above.
  "crm-comparison",
  // A note's second paragraph is indented as code is, and the host of an address has an umlaut.
  "world",
];
for (const { slug, markdown } of POSTS) if (DIFFERENT_POSTS.includes(slug)) DIFFERENT.push(markdown);

const FRONT_MATTER = ["a: b", "a: b\n\n- c", "a: b\n  c", "# a\nb: c", "a", "- a", "", "a: b\n\nc", "a: b\n***"]
  .flatMap((lines) => [`${lines}\n---\n# d`, `${lines}\n...\n- d`, lines])
  .flatMap((rest) => [`---\n${rest}`, `\uFEFF--- \n${rest}`, `\n---\n${rest}`, `> ---\n${rest}`, `---a\n${rest}`]);

const MARKS = ["-", "*", "+", "1.", "1)", "##", ">", "---", "- - -", ""];

it.each([
  ["CommonMark's examples", COMMONMARK],
  ["GitHub's examples", GFM],
  ["67 posts", POSTS.map(({ markdown }) => markdown)],
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

function captionsShown(text: string): string[] {
  const state = parsed(text);
  const captions: string[] = [];
  syntaxTree(state).iterate({
    enter({ name, node }) {
      if (name === "Image") captions.push(captionOf(state, node));
    },
  });
  return captions.filter((caption) => caption !== "");
}

it.each(POSTS)("shows the captions of $slug as they will be published", ({ markdown }) => {
  expect(captionsShown(markdown)).toEqual(captionsIn(previewed({ markdown })));
});

type Document = { markdown: string; title?: string | undefined };

const DOCUMENTS: [string, Document[]][] = [
  ["CommonMark's examples", COMMONMARK.map((markdown) => ({ markdown }))],
  ["GitHub's examples", GFM.map((markdown) => ({ markdown }))],
  ["67 posts", POSTS],
  ["2,000 generated documents", generatedDocuments(2_000).map((markdown) => ({ markdown }))],
];

/** The Preview's parts together. */
function previewed({ markdown, title }: Document): Root {
  const preview = previewOf({ text: markdown, title });
  if ("problem" in preview) throw new Error(preview.problem);
  return { type: "root", children: preview.parts.flatMap((part) => (JSON.parse(part) as Root).children) };
}

/** CommonMark's examples of which a post has nothing: headings and quotes without a word. */
const EMPTY = ["## \n#\n### ###\n", "[foo]\n\n> [foo]: /url\n", ">\n", ">\n>  \n> \n"];

it.each(DOCUMENTS)("publishes the blocks, marks and words that the Preview shows, in %s", (_name, documents) => {
  for (const document of documents.filter(({ markdown }) => !EMPTY.includes(markdown))) {
    const preview = seenOfTree(previewed(document));
    const post = seenOfBlocks(renderPost(document.markdown, document.title));
    expect({ document, words: post.words, counts: sorted(post.counts) }).toEqual({
      document,
      words: preview.words,
      counts: sorted(preview.counts),
    });
  }
});

/** CommonMark's examples of links to what is not of the web, of which the words stay. */
const DEAD_LINKS = [
  "[link](foo\\)\\:)\n",
  "<irc://foo.bar:2233/baz>\n",
  "<MAILTO:FOO@BAR.BAZ>\n",
  "<a+b+c:d>\n",
  "<made-up-scheme://foo,bar>\n",
  "<localhost:5001/foo>\n",
];

it.each(DOCUMENTS)("shows in the Preview what is parsed, in %s", (_name, documents) => {
  for (const { markdown } of documents.filter(({ markdown }) => !DEAD_LINKS.includes(markdown))) {
    const parsed = published(markdown);
    const { counts } = seenOfTree(previewed({ markdown }));
    const preview = Object.fromEntries(MARKDOWN.map((name) => [name, counts[name] ?? 0]));
    const expected = Object.fromEntries(MARKDOWN.map((name) => [name, (parsed[name] ?? 0) + added(name, markdown)]));
    // Tags of HTML may be more of the same.
    if (hasHtml(markdown))
      for (const name of MARKDOWN) preview[name] = Math.min(preview[name] ?? 0, expected[name] ?? 0);
    expect({ markdown, counts: preview }).toEqual({ markdown, counts: expected });
  }
});

/** The names of what Markdown itself makes in a post. */
const MARKDOWN = [...new Set(Object.values(PUBLISHED))].filter((name) => name !== "loss" && name !== "front matter");

/** What a post has besides its marks: the list of its notes under a rule, and the word of a callout in bold. */
function added(name: string, markdown: string): number {
  const notes = new Set(markdown.match(/^\[\^[^\]]+\](?=:)/gm)).size;
  if (name === "strong") return markdown.match(/^> \[!\w+\]/gm)?.length ?? 0;
  if (name === "item") return notes;
  return (name === "rule" || name === "numbers") && notes > 0 ? 1 : 0;
}

function hasHtml(markdown: string): boolean {
  return parseTokens(markdown, {}).some(
    ({ type, children }) => type === "html_block" || children?.some((child) => child.type === "html_inline"),
  );
}

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
