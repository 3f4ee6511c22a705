import type { Root } from "hast";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { markdownToTree } from "@/lib/markdown/tree";

/** Markdown (GFM) as sanitised HTML: no raw HTML, no scripts, links to http, https, mailto, tel or within the site. */
export function markdownToHtml(markdown: string): string {
  return toHtml(markdownToHast(markdown));
}

/** The same as a tree. */
export function markdownToHast(markdown: string): Root {
  return sanitize(markdownToTree(markdown), SCHEMA) as Root;
}

const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  // The ids of footnotes have their prefix already; a second one would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
};
