import MarkdownIt, { type Env, type MarkdownIt as Parser, type StateCore, type Token } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { autolinks } from "@/lib/markdown/autolinks";
import { blockMarks } from "@/lib/markdown/block-marks";
import { footnotes } from "@/lib/markdown/footnotes";
import { frontMatter } from "@/lib/markdown/front-matter";
import { htmlElements } from "@/lib/markdown/html-elements";
import { limitNesting } from "@/lib/markdown/limit-nesting";
import { nestedMarks } from "@/lib/markdown/nested-marks";
import { pictures } from "@/lib/markdown/pictures";
import { taskLists } from "@/lib/markdown/task-lists";
import { wikiLinks } from "@/lib/markdown/wiki-links";
import { mathLength } from "@/lib/utils/formulas";

/** GFM with footnotes. `env` collects the definitions; an embedded text shares it. */
export function parseTokens(markdown: string, env: Env): Token[] {
  return parser.parse(markdown, env);
}

/** The same, of a text that is one line whatever it begins with. */
export function parseLine(markdown: string, env: Env): Token[] {
  return parser.parseInline(markdown, env);
}

/** Percent-encodes a URL for an attribute without encoding twice. */
export function encodeUrl(url: string): string {
  return parser.utils.lib.mdurl.encode(url);
}

/** Resolves backslash escapes and character references, as in a fence's info string. */
export function unescapeText(text: string): string {
  return parser.utils.unescapeAll(text);
}

/** The limit by the parser's own count, above what limitNesting allows. */
const MAX_BLOCK_NESTING = 200;
/** Nested brackets: an unclosed one is visited once per level. */
const MAX_BRACKET_NESTING = 20;

const parser = createParser(MAX_BLOCK_NESTING);
const inlineParser = createParser(MAX_BRACKET_NESTING);
parser.core.ruler.at("inline", ({ tokens, env }: StateCore) => {
  for (const { type, content, children } of tokens)
    if (type === "inline" && children) inlineParser.inline.parse(content, inlineParser, env, children);
});

/** A formula keeps its characters, for the site to set. */
function math({ inline }: Parser): void {
  inline.ruler.before("escape", "math", (state, silent) => {
    const length = mathLength(state.src, state.pos);
    if (length === 0 || state.pos + length > state.posMax) return false;
    if (!silent) state.push("text", "", 0).content = state.src.slice(state.pos, state.pos + length);
    state.pos += length;
    return true;
  });
}

const TILDE = 0x7e;

/** `~~struck~~`, while `10~20` and longer runs are text. */
function onlyTwoTildes({ inline }: Parser): void {
  inline.ruler.before("strikethrough", "tildes", (state, silent) => {
    let end = state.pos;
    while (end < state.posMax && state.src.charCodeAt(end) === TILDE) end += 1;
    const length = end - state.pos;
    if (silent || length === 0 || length === 2) return false;
    state.push("text", "", 0).content = "~".repeat(length);
    state.pos = end;
    return true;
  });
}

function createParser(maxNesting: number): Parser {
  const made = new MarkdownIt({ html: true, maxNesting })
    .use(limitNesting)
    .use(frontMatter)
    .use(blockMarks)
    .use(nestedMarks)
    .use(taskLists)
    .use(footnotes)
    .use(wikiLinks)
    .use(pictures)
    .use(autolinks)
    .use(htmlElements)
    .use(cjkFriendly)
    .use(onlyTwoTildes)
    .use(math);
  // The sanitiser decides which URLs are safe; link text stays as typed.
  made.validateLink = () => true;
  made.normalizeLink = encodeUrl;
  made.normalizeLinkText = (url) => url;
  return made;
}
