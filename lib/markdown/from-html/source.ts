import type { Element, Root } from "hast";
import { attribute, elementsIn, styleOf } from "@/lib/markdown/from-html/tree";
import { textOf } from "@/lib/markdown/nodes";

/**
 * Does the HTML only wrap the source of Markdown, as editors and terminals do? It has no more than lines, the plain text has the
 * same words, and its lines begin with marks of blocks.
 */
export function wrapsSource(root: Root, text: string): boolean {
  return hasMarks(text) && isOnlyLines(root) && letters(textOf(root)) === letters(text);
}

const MARK = /^\s*(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>)/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const DELIMITERS = /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;

function hasMarks(text: string): boolean {
  let marks = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (FENCE.test(line) || DELIMITERS.test(line)) return true;
    if (MARK.test(line)) marks += 1;
    if (marks > 1) return true;
  }
  return false;
}

const LINES: ReadonlySet<string> = new Set(["p", "div", "span", "br"]);

function isOnlyLines(root: Root): boolean {
  const elements = elementsIn(root, () => true);
  const sources = elements.filter(({ tagName }) => tagName === "pre");
  // A page with code beside its sentences is no source.
  if (sources.length > 1 || (sources[0] && letters(textOf(sources[0])) !== letters(textOf(root)))) return false;
  return elements.every((node) => {
    if (LINES.has(node.tagName)) return true;
    if (node.tagName === "pre") return attribute(node, "className") === "";
    if (node.tagName === "a") return isItsAddress(node);
    return /^[bi]$/.test(node.tagName) && isWrapperOfDocs(node);
  });
}

function isItsAddress(link: Element): boolean {
  const bare = (address: string) => address.trim().replace(/^(?:https?:\/\/|mailto:)|\/$/gi, "");
  return bare(textOf(link)) === bare(attribute(link, "href"));
}

/** Google Docs wraps what it copies in a `b` that is not bold. */
export function isWrapperOfDocs(node: Element): boolean {
  return (
    attribute(node, "id").startsWith("docs-internal-guid-") || /^(?:normal|400)$/.test(styleOf(node, "font-weight"))
  );
}

function letters(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, "");
}
