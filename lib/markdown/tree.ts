import type { Element, ElementContent, Root } from "hast";
import type { Env, Token } from "markdown-it";
import { openCallout } from "@/lib/markdown/callouts";
import { collectFootnotes, type Footnotes } from "@/lib/markdown/footnote-section";
import { addHeadingIds } from "@/lib/markdown/heading-ids";
import { htmlToText, isLineBreak } from "@/lib/markdown/html-to-text";
import { element, separated, text } from "@/lib/markdown/nodes";
import { parseTokens, unescapeText } from "@/lib/markdown/parser";
import { isTagOfHtml, pairedNames, withoutTags } from "@/lib/markdown/tags";

/** GFM with footnotes as an HTML tree, not yet sanitised. Raw HTML keeps only its text. */
export function markdownToTree(markdown: string): Root {
  const env = {};
  const tokens = parseTokens(markdown.replace(/^\uFEFF/, ""), env);
  const context = { env, footnotes: collectFootnotes(), isText: false, paired: pairedNames(tokens) };
  const blocks = treeOf(tokens, context);
  addHeadingIds(blocks);
  return { type: "root", children: separated([...blocks, ...context.footnotes.section()]) };
}

type Context = {
  env: Env;
  footnotes: Footnotes;
  /** Inside an HTML block's text: remaining tags are dropped. */
  isText: boolean;
  /** Names of the HTML tags that the text begins and ends. */
  paired: ReadonlySet<string>;
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
      const isFlat = open.length > MAX_DEPTH;
      if (token.type === "footnote_open") context.footnotes.begin();
      open.push({ token, element: isFlat ? around.element : element(tagOf(token), propertiesOf(token)), isFlat });
    } else if (token.nesting === -1) {
      open.pop();
      close(around, (open.at(-1) ?? root).element, context.footnotes);
    } else {
      for (const node of leaf(token, context)) around.element.children.push(node);
    }
  }
  return root.element.children;
}

/** Inline tokens in place of their block's. */
function* inReadingOrder(tokens: Token[], { isText }: Context): Iterable<Token> {
  for (const token of tokens) {
    const children = token.children ?? [];
    if (token.type === "inline") yield* isText ? children : withoutTags(children);
    else yield token;
  }
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
      return { href: token.attrGet("href"), title: token.attrGet("title") };
    default:
      return {};
  }
}

/** Attaches a finished element, with line breaks between blocks. */
function close({ token, element, isFlat }: Open, parent: Element, footnotes: Footnotes): void {
  if (token?.type === "footnote_open") {
    footnotes.end(String(token.meta?.label), isFlat ? [] : element.children);
    return;
  }
  if (isFlat) return;
  if (token?.hidden) TIGHT.add(element);
  if (WITH_LINES.has(element.tagName)) element.children = separated(element.children, "around");
  if (element.tagName === "blockquote") openCallout(element);
  if (element.tagName === "li") closeItem(element, token?.meta?.checked, parent);
  parent.children.push(element);
}

const WITH_LINES: ReadonlySet<string> = new Set(["blockquote", "ul", "ol", "table", "thead", "tbody", "tr"]);

/** Paragraphs of lists without blank lines: their text goes directly into the item. */
const TIGHT = new WeakSet<object>();

function closeItem(item: Element, checked: unknown, list: Element): void {
  const first = item.children[0];
  if (typeof checked === "boolean" && first?.type === "element") {
    first.children.unshift(element("input", { type: "checkbox", checked, disabled: true }), text(" "));
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

function leaf(token: Token, context: Context): ElementContent[] {
  switch (token.type) {
    case "text":
      return token.content === "" ? [] : [text(token.content)];
    case "softbreak":
      return [text("\n")];
    case "hardbreak":
      return [element("br"), text("\n")];
    case "code_inline":
      return [element("code", {}, [text(token.content)])];
    case "image":
      return [image(token)];
    case "footnote_ref":
      return [context.footnotes.reference(String(token.meta?.label))];
    case "html_inline":
      return isLineBreak(token.content) && !context.isText ? [element("br"), text("\n")] : [];
    case "html_block":
      return context.isText ? [] : htmlBlock(token.content, context);
    case "hr":
      return [element("hr")];
    case "fence":
    case "code_block":
      return [element("pre", {}, [element("code", { className: language(token.info) }, [text(token.content)])])];
    default:
      return [];
  }
}

function image(token: Token): Element {
  const alt = plainText(withoutTags(token.children ?? []));
  return element("img", { src: token.attrGet("src"), alt, title: token.attrGet("title") });
}

function plainText(tokens: Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === "image") return plainText(children ?? []);
      if (type === "softbreak" || type === "hardbreak") return "\n";
      return type === "text" || type === "code_inline" ? content : "";
    })
    .join("");
}

/** Parses the text as Markdown, which also resolves character references. */
function htmlBlock(html: string, context: Context): ElementContent[] {
  const markdown = htmlToText(html, (tag) => isTagOfHtml(tag, context.paired));
  return markdown === "" ? [] : treeOf(parseTokens(markdown, context.env), { ...context, isText: true });
}

function language(info: string): string[] | undefined {
  const [name] = unescapeText(info).trim().split(/\s+/);
  return name ? [`language-${name}`] : undefined;
}
