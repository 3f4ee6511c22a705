import type { Element, Root, RootContent } from "hast";
import { textOf } from "@/lib/markdown/nodes";
import { decodeEntities } from "@/lib/utils/plain-text";

export type Counts = Record<string, number>;

/** The elements that Markdown makes, by the names of `same-structure.test.ts`. */
const NAMES: Record<string, string> = {
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  ul: "bullets",
  ol: "numbers",
  li: "item",
  blockquote: "quote",
  pre: "code block",
  hr: "rule",
  table: "table",
  strong: "strong",
  em: "emphasis",
  del: "strikethrough",
  code: "code",
  a: "link",
  img: "image",
  u: "underline",
  mark: "mark",
  kbd: "key",
  sub: "subscript",
  sup: "superscript",
};
/** They stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table caption thead tbody tfoot tr th td figure figcaption div section".split(
    " ",
  ),
);

/** What a reader has: how many elements of each kind, and the words with `⏎` for a line break within a block. */
export type Seen = { counts: Counts; words: string };

/** What the Preview shows of a tree. Footnotes are the rule and numbered list that a post has; their own links are left out. */
export function seenOfTree(tree: Root): Seen {
  const counts: Counts = {};
  const visit = (node: Root | RootContent, isInPre: boolean): string => {
    if (node.type === "text") return node.value;
    if (node.type !== "element" && node.type !== "root") return "";
    const name = node.type === "element" ? node.tagName : "";
    if (node.type === "element") {
      if (isOfNotes(node)) return name === "a" && node.properties.dataFootnoteRef ? childrenOf(node) : "";
      if (node.properties.dataFootnotes) count(counts, "rule");
      if (typeof node.properties.dataMore === "string") {
        count(counts, "more");
        return `\n${node.properties.dataMore}\n`;
      }
      if (name === "input") return node.properties.checked ? "☑" : "☐";
      if (name === "br") return "⏎";
      if (name === "img" && !node.properties.src) return String(node.properties.alt ?? "");
    }
    if (!(isInPre && name === "code") && !(node.type === "element" && isDeadLink(node))) count(counts, NAMES[name]);
    if (name === "img" && node.type === "element") return String(node.properties.alt ?? "");
    return onItsLine(name, childrenOf(node, isInPre || name === "pre"));
  };
  const childrenOf = (node: Root | Element, isInPre = false): string =>
    captionLast(node.children)
      .filter((child) => !(isOfPictures(node) && child.type === "element" && child.tagName === "br"))
      .map((child) => visit(child, isInPre))
      .join("");
  return { words: tidy(visit(tree, false)), counts };
}

/** What readers of a post have, read back from its blocks. */
export function seenOfBlocks(markup: string): Seen {
  const counts: Counts = {};
  let isInPre = false;
  const text = markup
    .replace(/<!-- wp:embed .*?<!-- \/wp:embed -->/gs, (embed) => {
      count(counts, "link");
      return embed;
    })
    .replace(/<!--more ?(.*?)-->/g, (_mark, words: string) => {
      count(counts, "more");
      return `\n${words}\n`;
    })
    .replace(/<!-- \/?wp:[^\n]*? -->/g, "")
    .replace(/<(\/?)([a-z][a-z\d]*)([^>]*)>/g, (_tag, slash: string, name: string, attributes: string) => {
      if (name === "pre") isInPre = slash === "";
      if (!slash && !(isInPre && name === "code")) count(counts, NAMES[name]);
      if (name === "br") return "⏎";
      if (name === "img") return / alt="([^"]*)"/.exec(attributes)?.[1] ?? "";
      return onItsLine(name, "");
    });
  return { words: tidy(decodeEntities(text)), counts };
}

/** The captions of the pictures in a tree. */
export function captionsIn(node: Root | RootContent): string[] {
  if (node.type === "element" && node.tagName === "figcaption") return [textOf(node)];
  return "children" in node ? node.children.flatMap(captionsIn) : [];
}

/** Its words stay; its address was none of the web. */
function isDeadLink({ tagName, properties }: Element): boolean {
  return tagName === "a" && properties.href === undefined;
}

/** The caption of a table stands below it. */
function captionLast<Node extends RootContent>(nodes: readonly Node[]): Node[] {
  const isCaption = (node: Node) => node.type === "element" && node.tagName === "caption";
  return [...nodes.filter((node) => !isCaption(node)), ...nodes.filter(isCaption)];
}

function count(counts: Counts, name: string | undefined): void {
  if (name) counts[name] = (counts[name] ?? 0) + 1;
}

/** A note's number and its link back, and the heading that only screen readers have. */
function isOfNotes({ properties }: Element): boolean {
  return (
    ["dataFootnoteRef", "dataFootnoteBackref"].some((name) => name in properties) || properties.id === "footnote-label"
  );
}

/** Pictures that have a paragraph to themselves are blocks of their own in a post. */
function isOfPictures(node: Root | Element): boolean {
  return (
    node.type === "element" &&
    node.tagName === "p" &&
    node.children.every((child) => {
      if (child.type === "text") return child.value.trim() === "";
      const [inner = child] = child.type === "element" && child.tagName === "a" ? child.children : [];
      return inner.type === "element" && (inner.tagName === "br" || (inner.tagName === "img" && inner.properties.src));
    })
  );
}

function onItsLine(name: string, words: string): string {
  return BLOCKS.has(name) ? `\n${words}\n` : words;
}

/** An item's paragraphs are lines of it in a post, with an empty one between. */
function tidy(text: string): string {
  return text
    .replace(/\s*⏎\s*(?:⏎\s*)+/g, "\n")
    .replace(/\s+/g, " ")
    .replace(/ ?⏎ ?/g, "⏎")
    .trim();
}
