import type { Element, ElementContent, RootContent } from "hast";
import { textOf } from "@/lib/markdown/nodes";

export type InlineNode = ElementContent | RootContent;

/**
 * Inline HTML as WordPress writes it, so that neither its editor nor its filter for authors (kses) changes a character:
 * named references, escaped `>`, a space before the slash of an empty element. Elements that WordPress strips keep
 * their text.
 */
export function inlineHtml(nodes: readonly InlineNode[]): string {
  return nodes.map(inlineNode).join("").replaceAll("<br /> ", "<br />");
}

/** Escapes `[`, which could begin a shortcode. */
export function codeText(text: string): string {
  return escapeText(text).replaceAll("[", "&#091;");
}

/** ` src="…" alt="…"`, without null or undefined values. */
export function attributes(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join("");
}

const SIMPLE_TAGS: ReadonlySet<string> = new Set(["strong", "em", "del", "sup", "sub", "u", "mark", "kbd"]);

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

/** A source line break with its white space is one space on the page. */
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
  // Keep only a footnote's number: its id could clash with other posts on the page.
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
