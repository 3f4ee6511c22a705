import { htmlTagNames } from "html-tag-names";
import { htmlVoidElements } from "html-void-elements";
import type { Token } from "markdown-it";
import type { Lost } from "@/lib/markdown/losses";
import { unescapeText } from "@/lib/markdown/parser";

const KNOWN: ReadonlySet<string> = new Set(htmlTagNames);
const VOID: ReadonlySet<string> = new Set(htmlVoidElements);
/** Inside a table or list, HTML may leave out the end of these. */
const WITH_OPTIONAL_END: ReadonlySet<string> = new Set("p li dt dd tr td th thead tbody tfoot caption".split(" "));
/** They go with what is between them. */
const HIDDEN = "script style template iframe object svg video audio canvas form select textarea button".split(" ");
/** Begin a line of their own wherever they stand. The first of CommonMark's list of HTML blocks, and `pre`. */
const BLOCK: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol optgroup option p param pre search section " +
    "summary table tbody td tfoot th thead title tr ul"
  ).split(" "),
);
/** Marks of words that a post keeps, and other tags for the same. */
const MARKS: ReadonlySet<string> = new Set("strong em del u mark kbd sub sup code a".split(" "));
const SAME_AS: Record<string, string> = { b: "strong", i: "em", s: "del", strike: "del", ins: "u", tt: "code" };

export type Tag = { name: string; isEnd: boolean; attributes: Record<string, string> };

/** Undefined for what is no tag of HTML: a placeholder such as `<your-key>`, a comment, a declaration. */
export function readTag(html: string): Tag | undefined {
  const [, slash, written = "", rest = ""] = /^<(\/?)([a-z][a-z\d-]*)([\s\S]*)>$/i.exec(html.trim()) ?? [];
  const name = written.toLowerCase();
  if (slash === undefined || !KNOWN.has(name)) return undefined;
  const attributes: Record<string, string> = {};
  for (const [, key = "", double, single, bare] of slash === "" ? rest.matchAll(ATTRIBUTE) : []) {
    attributes[key.toLowerCase()] ??= unescapeText(double ?? single ?? bare ?? "");
  }
  return { name, isEnd: slash === "/", attributes };
}

const ATTRIBUTE = /([a-z_:][\w.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gi;

export function isVoid(name: string): boolean {
  return VOID.has(name);
}

export function isBlockTag(name: string): boolean {
  return BLOCK.has(name);
}

export function isHidden(name: string): boolean {
  return HIDDEN.includes(name);
}

/**
 * Pairs start tags with end tags. `push` and `end` take the position of a tag; `end` returns the position of its start tag, or
 * undefined. A tag opened in between and never closed has no partner; if HTML lets its end tag be omitted, `implied` is called
 * with its position. No pair crosses a boundary.
 */
export function createPairing(implied: (start: number) => void = () => undefined) {
  type Open = { at: number; name: string | null };
  const open: Open[] = [];
  const places = new Map<string | null, number[]>();
  const take = () => {
    const last = open.pop();
    if (last) places.get(last.name)?.pop();
    return last;
  };
  const push = (name: string | null, at: number) => {
    const known = places.get(name) ?? [];
    places.set(name, known);
    known.push(open.length);
    open.push({ at, name });
  };
  return {
    push,
    /** What is open belongs to a mark of Markdown from here on. */
    beginBoundary: () => push(null, -1),
    endBoundary() {
      while (open.length > 0 && take()?.name !== null);
    },
    end(name: string): number | undefined {
      const place = places.get(name)?.at(-1) ?? -1;
      if (place < 0 || place < (places.get(null)?.at(-1) ?? -1)) return undefined;
      while (open.length > place + 1) {
        const between = take();
        if (between?.name && WITH_OPTIONAL_END.has(between.name)) implied(between.at);
      }
      return take()?.at;
    },
  };
}

/**
 * What a paragraph, heading or cell shows: each pair of HTML tags is the element that a post gets for it, or goes and leaves
 * what it is around; a tag that has no partner is text.
 */
export function readTags(children: readonly Token[], lost: Lost): Token[] {
  if (!children.some(isHtml)) return [...children];
  const tags = children.map((token) => (isHtml(token) ? readTag(token.content) : undefined));
  const partners = partnersOf(children, tags);
  const shown: Token[] = [];
  for (let index = 0; index < children.length; index += 1) {
    const token = children[index] as Token;
    const tag = tags[index];
    const partner = partners.get(index);
    if (!isHtml(token)) words(token, shown);
    else if (!tag && !/^<\/?[a-z]/i.test(token.content)) lost("comment", token.content);
    else if (tag && isVoid(tag.name)) voidElement(token, tag, shown, lost);
    else if (partner === undefined || !tag) shown.push(Object.assign(token, { type: "text" }));
    else if (isHidden(tag.name)) {
      lost("element", token.content);
      index = partner;
    } else if (isBlockTag(tag.name)) breakLine(token, tag, shown);
    else mark(token, tag, tags[Math.min(index, partner)] ?? tag, shown);
  }
  while (shown.at(-1)?.meta === BREAK) shown.pop();
  return shown;
}

function isHtml({ type }: Token): boolean {
  return type === "html_inline";
}

function partnersOf(children: readonly Token[], tags: readonly (Tag | undefined)[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const pairing = createPairing();
  for (const [index, { nesting }] of children.entries()) {
    const tag = tags[index];
    if (nesting === 1) pairing.beginBoundary();
    else if (nesting === -1) pairing.endBoundary();
    else if (tag && !tag.isEnd) pairing.push(tag.name, index);
    else if (tag) {
      const start = pairing.end(tag.name);
      if (start !== undefined) partners.set(start, index).set(index, start);
    }
  }
  return partners;
}

function words(token: Token, shown: Token[]): void {
  const isSpace = token.type === "text" && token.content.trim() === "";
  if (!isSpace || (shown.length > 0 && shown.at(-1)?.meta !== BREAK)) shown.push(token);
}

function voidElement(token: Token, tag: Tag, shown: Token[], lost: Lost): void {
  if (tag.name === "br") shown.push(Object.assign(token, { type: "hardbreak" }));
  else if (tag.name === "hr") breakLine(token, tag, shown);
  else if (tag.name === "img") shown.push(Object.assign(token, { type: "html_image", meta: tag.attributes }));
  else if (tag.name === "embed") lost("element", token.content);
  else if (tag.name !== "wbr") shown.push(Object.assign(token, { type: "text" }));
}

const BREAK = { isOfBlock: true };

/** Words of two blocks are never glued together. */
function breakLine(token: Token, { name, isEnd }: Tag, shown: Token[]): void {
  const last = shown.findLast(({ type, content }) => type !== "text" || content.trim() !== "");
  if (last && last.type !== "hardbreak") shown.push(Object.assign(token, { type: "hardbreak", meta: BREAK }));
  if (name === "li" && !isEnd)
    shown.push(Object.assign(Object.create(token), { type: "text", content: "• ", meta: null }));
}

function mark(token: Token, { name, isEnd }: Tag, { attributes }: Tag, shown: Token[]): void {
  const tag = SAME_AS[name] ?? name;
  if (!MARKS.has(tag)) return;
  const attrs = Object.entries(attributes).filter(([key]) => tag === "a" && (key === "href" || key === "title"));
  const type = isEnd ? "html_close" : "html_open";
  shown.push(
    Object.assign(token, {
      type,
      tag,
      nesting: isEnd ? -1 : 1,
      attrs: attrs.map(([key, value]) => [key, value.trim()]),
    }),
  );
}
