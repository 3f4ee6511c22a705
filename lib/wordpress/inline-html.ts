import type { Element, ElementContent, RootContent } from "hast";

/** Any node inside a block of text. */
export type InlineNode = ElementContent | RootContent;

/**
 * Inline HTML as WordPress itself writes it, so that neither its editor nor its filter for authors (kses) changes a character:
 * named references, `>` escaped, a space before the slash of an empty element. Elements that WordPress strips give their text.
 */
export function inlineHtml(nodes: readonly InlineNode[]): string {
  return nodes.map(inlineNode).join("").replaceAll("<br /> ", "<br />");
}

/** Text of a code block or span: an opening bracket must not begin a shortcode. */
export function codeText(text: string): string {
  return escapeText(text).replaceAll("[", "&#091;");
}

/** ` src="…" alt="…"`, leaving out what is null or undefined. */
export function attributes(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join("");
}

/** The text of a node and everything in it. */
export function textOf(node: InlineNode): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

const SIMPLE_TAGS: ReadonlySet<string> = new Set(["strong", "em", "del", "sup", "sub"]);

function inlineNode(node: InlineNode): string {
  if (node.type === "text") return escapeText(onOneLine(node.value));
  if (node.type !== "element") return "";
  if (node.tagName === "br") return "<br />";
  if (node.tagName === "img") return image(node);
  if (node.tagName === "code") return `<code>${codeText(textOf(node))}</code>`;
  if (node.tagName === "input") return node.properties.checked ? "☑" : "☐";
  if (node.tagName === "a") return link(node);
  const inner = inlineHtml(node.children);
  return SIMPLE_TAGS.has(node.tagName) ? `<${node.tagName}>${inner}</${node.tagName}>` : inner;
}

/** A line break of the source, with the white space around it, is a space on the page. */
function onOneLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  if (rest.length === 0) return text;
  const last = rest.pop() ?? "";
  const between = rest.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ");
}

function image(node: Element): string {
  const { src, alt, title } = node.properties;
  if (typeof src !== "string" || src === "") return escapeText(String(alt ?? ""));
  return `<img${attributes({ src, alt: alt ?? "", title })} />`;
}

function link(node: Element): string {
  // A reference to a footnote: its id would clash with other posts on the same page, so that only the number stays.
  if (node.properties.dataFootnoteRef !== undefined) return inlineHtml(node.children);
  if (node.properties.dataFootnoteBackref !== undefined) return "";
  const { href, title } = node.properties;
  const inner = inlineHtml(node.children);
  return typeof href === "string" ? `<a${attributes({ href, title })}>${inner}</a>` : inner;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}
