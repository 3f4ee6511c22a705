import MarkdownIt, { type Env, type MarkdownIt as Parser, type StateCore, type Token } from "markdown-it";
import { autolinks } from "@/lib/markdown/autolinks";
import { footnotes } from "@/lib/markdown/footnotes";
import { limitNesting } from "@/lib/markdown/limit-nesting";
import { strikethrough } from "@/lib/markdown/strikethrough";
import { taskLists } from "@/lib/markdown/task-lists";

/** Markdown (GFM with footnotes) as markdown-it's tokens. `env` collects the definitions; a text within the text shares it. */
export function parseTokens(markdown: string, env: Env): Token[] {
  return parser.parse(markdown, env);
}

/** An address fit for an attribute: what may not stand in it is percent-encoded, what is encoded already stays. */
export function encodeUrl(url: string): string {
  return parser.utils.lib.mdurl.encode(url);
}

/** Backslash escapes and character references resolved, as in the info string of a fence. */
export function unescapeText(text: string): string {
  return parser.utils.unescapeAll(text);
}

/** Levels of the parser's own count: what limitNesting lets through stays below. */
const MAX_BLOCK_NESTING = 200;
/** Brackets within brackets: an opening one that is never closed is looked at once for each level. */
const MAX_BRACKET_NESTING = 20;

const parser = createParser(MAX_BLOCK_NESTING);
const inlineParser = createParser(MAX_BRACKET_NESTING);
parser.core.ruler.at("inline", ({ tokens, env }: StateCore) => {
  for (const { type, content, children } of tokens)
    if (type === "inline" && children) inlineParser.inline.parse(content, inlineParser, env, children);
});

/** Raw HTML is read as such only so that its tags can be dropped. */
function createParser(maxNesting: number): Parser {
  const made = new MarkdownIt({ html: true, maxNesting })
    .use(limitNesting)
    .use(taskLists)
    .use(footnotes)
    .use(strikethrough)
    .use(autolinks);
  // Which addresses are safe is the sanitiser's to say, and the text of a link is as it was typed.
  made.validateLink = () => true;
  made.normalizeLink = encodeUrl;
  made.normalizeLinkText = (url) => url;
  return made;
}
