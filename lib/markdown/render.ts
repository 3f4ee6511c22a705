import type { Root } from "hast";
import { toHtml } from "hast-util-to-html";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { remarkHtmlAsText } from "@/lib/markdown/html-as-text";

/** Markdown (GFM) as sanitised HTML: no raw HTML, no scripts, links to http, https, mailto, tel or within the site. */
export function markdownToHtml(markdown: string): string {
  return toHtml(markdownToHast(markdown));
}

/** The same as a tree. */
export function markdownToHast(markdown: string): Root {
  return pipeline.runSync(pipeline.parse(limitNesting(markdown)));
}

/** No text nests quotes and lists deeper than this; thousands of markers on a line would exhaust the stack. */
const MAX_NESTING = 50;
const MARKER = "[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))";
const TOO_DEEP = new RegExp(`^((?:${MARKER}){${MAX_NESTING}})(?:${MARKER})+`, "gm");

function limitNesting(markdown: string): string {
  return markdown.replace(TOO_DEEP, "$1");
}

const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  // remark-rehype prefixes the ids of footnotes already; a second prefix would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
};

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkHtmlAsText)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA)
  .freeze();
