import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";

/**
 * A markdown-it plugin for GFM's bare autolinks: http://…, https://…, www.… and me@example.com. It visits each
 * character a bounded number of times.
 */
export function autolinks({ inline, core }: MarkdownIt): void {
  inline.ruler.after("text", "http_autolink", httpAutolink);
  core.ruler.after("text_join", "www_and_mail_autolinks", ({ tokens, md, Token }) => {
    for (const token of tokens) if (token.children) token.children = linkTexts(token.children, md, Token);
  });
}

/** Runs inline, before a `_` in the URL can become emphasis. */
function httpAutolink(state: StateInline, silent: boolean): boolean {
  // Above level 0 we are inside a link.
  if (silent || state.level > 0 || !state.src.startsWith("://", state.pos)) return false;
  // Check the source first: reading the growing pending text costs its whole length.
  if (!SCHEME.test(state.src.slice(Math.max(0, state.pos - 6), state.pos))) return false;
  const start = state.pos + 3;
  if (!isDomain(domainAt(state.src, start))) return false;
  const scheme = SCHEME.exec(state.pending.slice(-6))?.[0];
  if (!scheme) return false;
  const text = state.src.slice(start, endOfAddress(state.src, start, state.posMax));
  state.pending = state.pending.slice(0, -scheme.length);
  const url = `${scheme}://${text}`;
  const attrs = [["href", state.md.normalizeLink(url)]];
  Object.assign(state.push("link_open", "a", 1), { attrs, markup: "autolink" });
  state.push("text", "", 0).content = url;
  state.push("link_close", "a", -1);
  state.pos += 3 + text.length;
  return true;
}

const SCHEME = /(?<![a-z])https?$/i;

type Link = { start: number; end: number; href: string };

/** Links text outside links. */
function linkTexts(tokens: Token[], { normalizeLink }: MarkdownIt, Token: StateCore["Token"]): Token[] {
  let isInLink = false;
  return tokens.flatMap((token) => {
    if (token.type === "link_open") isInLink = true;
    if (token.type === "link_close") isInLink = false;
    const links = token.type === "text" && !isInLink ? linksIn(token.content) : [];
    if (links.length === 0) return token;
    const made: Token[] = [];
    const push = (type: string, tag: string, nesting: 1 | 0 | -1, fields: Partial<Token>) =>
      made.push(Object.assign(new Token(type, tag, nesting), fields));
    let done = 0;
    for (const { start, end, href } of links) {
      push("text", "", 0, { content: token.content.slice(done, start) });
      push("link_open", "a", 1, { attrs: [["href", normalizeLink(href)]] });
      push("text", "", 0, { content: token.content.slice(start, end) });
      push("link_close", "a", -1, {});
      done = end;
    }
    push("text", "", 0, { content: token.content.slice(done) });
    return made;
  });
}

function linksIn(text: string): Link[] {
  const links: Link[] = [];
  const signs = /www\.|@/gi;
  let done = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    const link = sign[0] === "@" ? mailAround(text, sign.index, done) : wwwAt(text, sign.index);
    if (link) {
      links.push(link);
      done = link.end;
      signs.lastIndex = done;
    } else if (sign[0] !== "@") {
      // No part of a rejected host name can be one.
      signs.lastIndex = sign.index + domainAt(text, sign.index).length;
    }
  }
  return links;
}

function wwwAt(text: string, start: number): Link | null {
  const domain = domainAt(text, start);
  if (!/^$|[\s\p{P}\p{S}]/u.test(text.charAt(start - 1)) || !/^www\.[^-._]/i.test(domain) || !isDomain(domain))
    return null;
  const end = endOfAddress(text, start);
  return { start, end, href: `http://${text.slice(start, end)}` };
}

/** `from` is the end of the previous link. */
function mailAround(text: string, at: number, from: number): Link | null {
  let start = at;
  while (start > from && /[\w+.-]/.test(text.charAt(start - 1))) start -= 1;
  MAIL_DOMAIN.lastIndex = at + 1;
  const domain = MAIL_DOMAIN.exec(text)?.[0];
  if (start === at || !domain || /[\d_-]$/.test(domain)) return null;
  const end = at + 1 + domain.length;
  const scheme = /(?<![\w+.@-])(?:mailto|xmpp):$/.exec(text.slice(Math.max(from, start - 8), start))?.[0];
  if (scheme === "xmpp:") return null;
  if (scheme) return { start: start - scheme.length, end, href: text.slice(start - scheme.length, end) };
  return { start, end, href: `mailto:${text.slice(start, end)}` };
}

const MAIL_DOMAIN = /[\w-]+(?:\.[\w-]+)+/y;

/** The end of the URL that begins here: a space or `<`, without trailing punctuation. */
function endOfAddress(text: string, start: number, max = text.length): number {
  ADDRESS_END.lastIndex = start;
  const found = ADDRESS_END.exec(text)?.index ?? max;
  let end = Math.min(found, max);
  let unopened = 0;
  for (let index = start; index < end; index += 1) {
    if (text[index] === ")") unopened += 1;
    else if (text[index] === "(") unopened -= 1;
  }
  for (; end > start; end -= 1) {
    const last = text[end - 1] ?? "";
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (last === ";") end = startOfReference(text, start, end);
    else if (!TRAILING.has(last)) break;
  }
  return end;
}

/** `]` ends it only where it may close a link's label. */
const ADDRESS_END = /[\s<]|\](?=[([])/g;
const TRAILING: ReadonlySet<string> = new Set("!\"'*,.:;?]_~");

/** Leaves out a whole trailing `&amp;`. */
function startOfReference(text: string, start: number, end: number): number {
  let index = end - 1;
  while (index > start && /[a-z]/i.test(text[index - 1] ?? "")) index -= 1;
  return index < end - 1 && text[index - 1] === "&" ? index : end;
}

const DOMAIN = /(?:[^\s\p{P}\p{S}]|[-._])+/uy;

function domainAt(text: string, start: number): string {
  DOMAIN.lastIndex = start;
  return DOMAIN.exec(text)?.[0] ?? "";
}

/** GFM allows underscores in a host name, except in its last two parts. */
function isDomain(domain: string): boolean {
  const parts = domain.replace(/[._]+$/, "").split(".");
  return /^[^-._]/.test(domain) && !parts.slice(-2).some((part) => part.includes("_"));
}
