import MarkdownIt, { type Env, type Token } from "markdown-it";
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

/** Raw HTML is read as such only so that its tags can be dropped. */
const parser = new MarkdownIt({ html: true, maxNesting: 200 })
  .use(limitNesting)
  .use(taskLists)
  .use(footnotes)
  .use(strikethrough)
  .use(autolinks);
// Which addresses are safe is the sanitiser's to say, and the text of a link is as it was typed.
parser.validateLink = () => true;
parser.normalizeLink = encodeUrl;
parser.normalizeLinkText = (url) => url;
