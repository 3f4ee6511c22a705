import type { MarkdownConfig } from "@lezer/markdown";
import { wikiLinkAt } from "@/lib/utils/wiki-links";

const [OPENING, EXCLAMATION] = [91, 33];

/** `[[Note|words]]` with its brackets and target as marks, and `![[image.png]]`. */
export const wikiLinks: MarkdownConfig = {
  defineNodes: ["WikiLink", "WikiEmbed"],
  parseInline: [
    {
      name: "WikiLink",
      before: "Link",
      parse(context, next, start) {
        if (next !== OPENING && next !== EXCLAMATION) return -1;
        const link = wikiLinkAt(context.text, start - context.offset);
        if (!link) return -1;
        const position = (at: number) => at + context.offset;
        const end = position(link.end);
        if (link.isEmbed) return context.addElement(context.elt("WikiEmbed", start, end));
        const marks = [
          context.elt("LinkMark", start, position(link.from)),
          context.elt("LinkMark", position(link.to), end),
        ];
        return context.addElement(context.elt("WikiLink", start, end, marks));
      },
    },
  ],
};
