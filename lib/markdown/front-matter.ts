import type { Env, MarkdownIt } from "markdown-it";
import { frontMatterEnd } from "@/lib/utils/front-matter";

/** A markdown-it plugin that leaves out front matter. It becomes a token without output whose `meta` names the loss. */
export function frontMatter({ core }: MarkdownIt): void {
  core.ruler.before("block", "front_matter", (state) => {
    const end = isEmbedded(state.env) ? 0 : frontMatterEnd(state.src);
    if (end === 0) return;
    const lines = state.src.slice(0, end).split("\n").length;
    const token = new state.Token("front_matter", "", 0);
    Object.assign(token, { block: true, map: [0, lines], meta: { loss: "frontMatter", source: "---" } });
    state.tokens.push(token);
    // Line numbers stay.
    state.src = "\n".repeat(lines - 1) + state.src.slice(end);
  });
}

const PARSED = Symbol("parsed");

/** Only the first text that is parsed with an `env` is the whole one. */
function isEmbedded(env: Env): boolean {
  const isLater = PARSED in env;
  env[PARSED] = true;
  return isLater;
}
