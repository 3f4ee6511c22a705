import type { Root } from "hast";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { markdownToTree } from "@/lib/markdown/tree";

/** GFM as a sanitised tree: no scripts or styles; links to http, https, mailto, tel or within the site. */
export function markdownToHast(markdown: string, title?: string): Root {
  return sanitize(markdownToTree(markdown, title), SCHEMA) as Root;
}

const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), "u", "mark", "caption", "figure"],
  attributes: { ...defaultSchema.attributes, figure: ["dataEmbed"], hr: ["dataMore"] },
  // Footnote ids have their prefix already; a second one would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
};
