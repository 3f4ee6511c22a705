import type { Root } from "hast";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import type { Loss } from "@/lib/markdown/losses";
import { markdownToTree } from "@/lib/markdown/tree";
import { LINK_PROTOCOLS } from "@/lib/utils/web-address";

/** GFM as a sanitised tree: no scripts or styles; links to http, https, mailto, tel or within the site. */
export function markdownToHast(markdown: string, title?: string): Root {
  return renderMarkdown(markdown, title).tree;
}

/** The same, with what readers will not get of the text. */
export function renderMarkdown(markdown: string, title?: string): { tree: Root; losses: Loss[] } {
  const { tree, losses } = markdownToTree(markdown, title);
  return { tree: sanitize(tree, SCHEMA) as Root, losses };
}

const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), "u", "mark", "caption", "figure", "figcaption"],
  attributes: { ...defaultSchema.attributes, figure: ["dataEmbed"], hr: ["dataMore"] },
  // Footnote ids have their prefix already; a second one would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: LINK_PROTOCOLS, src: ["http", "https"] },
};
