import type { Root } from "hast";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { markdownToTree } from "@/lib/markdown/tree";

/** GFM as a sanitised tree: no raw HTML or scripts; links to http, https, mailto, tel or within the site. */
export function markdownToHast(markdown: string): Root {
  return sanitize(markdownToTree(markdown), SCHEMA) as Root;
}

const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  // Footnote ids have their prefix already; a second one would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
};
