import type { MarkdownIt } from "markdown-it";
import { wikiLinkAt } from "@/lib/utils/wiki-links";

/** A markdown-it plugin: a wiki link is its words, an embedded file a token without output whose `meta` names the loss. */
export function wikiLinks({ inline, utils }: MarkdownIt): void {
  inline.ruler.before("link", "wiki_link", (state, silent) => {
    // A link's text is looked through silently; what it takes for a link there would end the one around it.
    const link = silent ? null : wikiLinkAt(state.src, state.pos);
    if (!link || link.end > state.posMax) return false;
    // A definition makes it a link in brackets.
    if (state.env.references?.[utils.normalizeReference(link.inner)]) return false;
    if (link.isEmbed) state.push("loss", "", 0).meta = { loss: "embeddedFile", source: link.inner };
    else state.push("text", "", 0).content = state.src.slice(link.from, link.to);
    state.pos = link.end;
    return true;
  });
}
