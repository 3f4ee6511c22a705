import type { Element, ElementContent, Root } from "hast";
import type { Env, Token } from "markdown-it";
import { openCallout } from "@/lib/markdown/callouts";
import { embedProviderOf } from "@/lib/markdown/embeds";
import { figuresOf, markTitled } from "@/lib/markdown/figures";
import { collectFootnotes, type Footnotes } from "@/lib/markdown/footnote-section";
import { addHeadingIds } from "@/lib/markdown/heading-ids";
import { htmlBlock, spanningNames } from "@/lib/markdown/html-block";
import { joinLines } from "@/lib/markdown/line-breaks";
import { collectLosses, type Loss, type Losses, type LossKind, UNFINISHED_MARK } from "@/lib/markdown/losses";
import { element, separated, text, withLines } from "@/lib/markdown/nodes";
import { parseLine, parseTokens, unescapeText } from "@/lib/markdown/parser";
import { readTags } from "@/lib/markdown/tags";
import { willNotLast } from "@/lib/markdown/temporary-pictures";
import { underATitle } from "@/lib/markdown/under-a-title";
import { isLocalPicture } from "@/lib/utils/pictures";
import { isLinkAddress, withLowerScheme } from "@/lib/utils/web-address";

/**
 * GFM with footnotes as an HTML tree, not yet sanitised. HTML is what Markdown makes of it. A post's text is given with the
 * title under which it stands.
 */
export function markdownToTree(markdown: string, title?: string): { tree: Root; losses: Loss[] } {
  const env = {};
  const tokens = parseTokens(markdown.replace(/^\uFEFF/, ""), env);
  const html = tokens.flatMap(({ type, content }) => (type === "html_block" ? content : []));
  const context = {
    env,
    footnotes: collectFootnotes(),
    losses: collectLosses(markdown),
    isInHtml: false,
    hasLines: true,
    hasMore: false,
    spanning: spanningNames(html),
  };
  const blocks = treeOf(tokens, context);
  addHeadingIds(blocks, (fragment) => context.losses.add("target", fragment, markdown.indexOf(`(${fragment}`) + 1));
  const shown = title === undefined ? blocks : underATitle(blocks, title);
  const tree: Root = { type: "root", children: separated([...shown, ...context.footnotes.section()]) };
  for (const { label, line } of context.footnotes.unused()) {
    context.losses.within([line, line + 1]);
    context.losses.add("footnote", label);
  }
  for (const { content, map } of tokens) {
    if (content !== UNFINISHED_MARK || !map) continue;
    context.losses.within(map);
    context.losses.add("unfinished", content);
  }
  return { tree, losses: context.losses.list() };
}

type Context = {
  env: Env;
  footnotes: Footnotes;
  losses: Losses;
  isInHtml: boolean;
  /** Whether a line of the source is one of the post. */
  hasLines: boolean;
  hasMore: boolean;
  /** See `spanningNames`. */
  spanning: ReadonlySet<string>;
};

/** An open element. One too deep is flat: its content goes to its parent. */
type Open = { token: Token | null; element: Element; isFlat: boolean };

/** Emphasis nests as deep as the text is long; walking such a tree would overflow the stack. */
const MAX_DEPTH = 160;

function treeOf(tokens: Token[], context: Context): ElementContent[] {
  const root: Open = { token: null, element: element("div"), isFlat: false };
  const open = [root];
  for (const token of inReadingOrder(tokens, context)) {
    const around = open.at(-1) ?? root;
    if (token.nesting === 1) {
      const isFlat = open.length > MAX_DEPTH || (token.tag === "a" && isOpen(open, "a"));
      if (token.type === "footnote_open") context.footnotes.begin();
      const href = token.tag === "a" ? String(token.attrGet("href") ?? "") : "";
      if (!isLinkAddress(href)) context.losses.add("link", href);
      const made = isFlat ? around.element : element(tagOf(token), propertiesOf(token));
      if (!isFlat && !context.isInHtml) place(made, token);
      open.push({ token, element: made, isFlat });
    } else if (token.nesting === -1) {
      open.pop();
      close(around, open, context.footnotes);
    } else {
      for (const node of leaf(token, open, context)) {
        if (node.type === "element" && !context.isInHtml) place(node, token);
        around.element.children.push(node);
      }
    }
  }
  return root.element.children;
}

/** Notes the lines of a block, from 1. */
function place(made: Element, { map }: Token): void {
  if (map) made.position = { start: { line: map[0] + 1, column: 1 }, end: { line: map[1] + 1, column: 1 } };
}

/** Inline tokens in place of their block's. */
function* inReadingOrder(tokens: Token[], { isInHtml, losses }: Context): Iterable<Token> {
  for (const token of tokens) {
    if (token.map && !isInHtml) losses.within(token.map);
    if (token.type === "inline") yield* joinLines(readTags(token.children ?? [], losses.add));
    else yield token;
  }
}

function isOpen(open: readonly Open[], ...tags: string[]): boolean {
  return open.some(({ token }) => token !== null && tags.includes(token.tag));
}

function tagOf({ type, tag }: Token): string {
  return type === "s_open" ? "del" : tag || "div";
}

function propertiesOf(token: Token): Record<string, string | number | null | undefined> {
  switch (token.type) {
    case "ordered_list_open":
      return { start: token.attrGet("start") };
    case "th_open":
    case "td_open":
      return { align: String(token.attrGet("style") ?? "").split(":")[1] };
    case "link_open":
    case "html_open": {
      const href = token.attrGet("href");
      return { href: href === null ? null : withLowerScheme(String(href)), title: onOneLine(token.attrGet("title")) };
    }
    default:
      return {};
  }
}

/** Attaches a finished element, with line breaks between blocks. */
function close({ token, element, isFlat }: Open, open: readonly Open[], footnotes: Footnotes): void {
  if (token?.type === "footnote_open") {
    footnotes.end(token, isFlat ? [] : element.children);
    return;
  }
  const parent = open.at(-1)?.element;
  if (isFlat || !parent) return;
  if (token?.hidden) TIGHT.add(element);
  if (token?.markup === "autolink") BARE.add(element);
  if (WITH_LINES.has(element.tagName)) withLines(element);
  if (element.tagName === "blockquote") openCallout(element);
  if (element.tagName === "li") closeItem(element, token?.meta?.checked, parent);
  const block = open.length === 1 ? embedOf(element) : element;
  parent.children.push(...(block.tagName === "p" ? figuresOf(block) : [block]));
}

const WITH_LINES: ReadonlySet<string> = new Set(["blockquote", "ul", "ol", "table", "thead", "tbody", "tr"]);

/** Paragraphs of lists without blank lines: their text goes directly into the item. */
const TIGHT = new WeakSet<object>();

/** Links of which the text has only the address. */
const BARE = new WeakSet<object>();

/** An address alone in its paragraph is the player or card that WordPress makes of it. */
function embedOf(paragraph: Element): Element {
  const [link] = paragraph.children;
  if (paragraph.tagName !== "p" || paragraph.children.length > 1 || link?.type !== "element" || !BARE.has(link))
    return paragraph;
  const provider = embedProviderOf(String(link.properties.href));
  return provider ? element("figure", { dataEmbed: provider.name }, [link]) : paragraph;
}

function closeItem(item: Element, checked: unknown, list: Element): void {
  const first = item.children[0];
  if (typeof checked === "boolean" && first?.type === "element") {
    const line = first.tagName === "figure" ? item : first;
    line.children.unshift(element("input", { type: "checkbox", checked, disabled: true }), text(" "));
    item.properties.className = ["task-list-item"];
    list.properties.className = ["contains-task-list"];
  }
  const lines: ElementContent[] = [];
  for (const [index, child] of item.children.entries()) {
    const isTight = TIGHT.has(child);
    if (!isTight || index > 0) lines.push(text("\n"));
    if (isTight && child.type === "element") for (const node of child.children) lines.push(node);
    else lines.push(child);
  }
  const last = item.children.at(-1);
  if (last && !TIGHT.has(last)) lines.push(text("\n"));
  item.children = lines;
}

function leaf(token: Token, open: readonly Open[], context: Context): ElementContent[] {
  switch (token.type) {
    case "text":
      return token.content === "" ? [] : [text(token.content)];
    case "softbreak":
      if (token.meta?.isJoined) return [];
      return !context.hasLines || isOnOneLine(open) ? [text("\n")] : [element("br"), text("\n")];
    case "hardbreak":
      return [element("br"), text("\n")];
    case "code_inline":
      return [element("code", {}, [text(token.content)])];
    case "image":
      return [image(token, context)];
    case "footnote_ref":
      return [context.footnotes.reference(String(token.meta?.label))];
    case "html_image":
      return imageOfHtml(token.meta ?? {}, context);
    case "front_matter":
    case "loss":
      context.losses.add(token.meta?.loss as LossKind, String(token.meta?.source));
      return [];
    case "html_block":
      return open.length === 1
        ? (moreMark(token.content, context) ?? ofHtml(token.content, context))
        : ofHtml(token.content, context);
    case "hr":
      return [element("hr")];
    case "fence":
    case "code_block":
      return [element("pre", {}, [element("code", { className: language(token.info) }, [text(token.content)])])];
    default:
      return [];
  }
}

/** A line of a heading, or inside a tag, does not break where its source does. */
function isOnOneLine(open: readonly Open[]): boolean {
  return open.some(({ token }) => token?.type === "heading_open" || token?.type === "html_open");
}

function image(token: Token, context: Context): Element {
  const alt = onOneLine(plainText(joinLines(readTags(token.children ?? [], context.losses.add))));
  return markTitled(imageOf({ src: token.attrGet("src") ?? "", alt, title: token.attrGet("title") }, context));
}

function imageOf({ src, alt = "", title }: Record<string, unknown>, { losses }: Context): Element {
  if (willNotLast(String(src))) losses.add("fadingPicture", String(src));
  return element("img", { src: withLowerScheme(String(src).trim()), alt: onOneLine(alt), title: onOneLine(title) });
}

function imageOfHtml(attributes: Record<string, unknown>, context: Context): Element[] {
  const { src = "" } = attributes;
  if (isLocalPicture(String(src))) context.losses.add("localPicture", String(src));
  return src === "" || isLocalPicture(String(src)) ? [] : [imageOf(attributes, context)];
}

function onOneLine(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value).replace(/\s*\n\s*/g, " ");
}

function plainText(tokens: Token[]): string {
  return tokens
    .map(({ type, content, children, meta }) => {
      if (type === "image") return plainText(children ?? []);
      if (type === "html_image") return String(meta?.alt ?? "");
      if (type === "softbreak" || type === "hardbreak") return meta?.isJoined ? "" : "\n";
      return type === "text" || type === "code_inline" ? content : "";
    })
    .join("");
}

function ofHtml(html: string, context: Context): ElementContent[] {
  const inside = { ...context, isInHtml: true, hasLines: false };
  const words = (markdown: string) => treeOf(parseLine(markdown, context.env), inside);
  // What is left of a block inside another is marks of words, and tags without a partner.
  if (context.isInHtml) return [element("p", {}, words(html.trim()))];
  return htmlBlock(html, context.spanning, {
    blocks: (markdown) => treeOf(parseTokens(markdown, context.env), inside),
    lines: (markdown) => treeOf(parseTokens(markdown, context.env), { ...inside, hasLines: true }),
    words,
    lost: context.losses.add,
  });
}

/** Where lists of posts end an excerpt: WordPress' `<!--more-->`, of which a post has one. */
function moreMark(html: string, context: Context): ElementContent[] | null {
  const words = /^<!--more(?:\s([^<>&]{0,200}?))?-->$/.exec(html.trim());
  if (!words || context.hasMore) return null;
  context.hasMore = true;
  return [element("hr", { dataMore: (words[1] ?? "").trim() })];
}

function language(info: string): string[] | undefined {
  const [name] = unescapeText(info).trim().split(/\s+/);
  return name ? [`language-${name}`] : undefined;
}
