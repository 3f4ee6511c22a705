import { htmlTagNames } from "html-tag-names";
import { htmlVoidElements } from "html-void-elements";
import type { Token } from "markdown-it";

const KNOWN: ReadonlySet<string> = new Set(htmlTagNames);
const WITHOUT_END: ReadonlySet<string> = new Set(htmlVoidElements);
/** HTML may leave out the end of these. */
const WITH_OPTIONAL_END: ReadonlySet<string> = new Set(
  "p li dt dd tr td th thead tbody tfoot caption colgroup option optgroup rp rt".split(" "),
);
/** They go with what is between them. */
export const HIDDEN = ["script", "style", "template", "iframe", "object", "svg"];

type Tag = { name: string; isEnd: boolean };

/** Undefined for a comment, a declaration or an instruction. */
function readTag(html: string): Tag | undefined {
  const [, slash, name = ""] = /^<(\/?)([a-z][a-z\d-]*)/i.exec(html.trim()) ?? [];
  return slash === undefined ? undefined : { name: name.toLowerCase(), isEnd: slash === "/" };
}

/** The names of which the text has a beginning and an end in its HTML. */
export function pairedNames(tokens: readonly Token[]): ReadonlySet<string> {
  const [begun, ended] = [new Set<string>(), new Set<string>()];
  for (const { type, content, children } of tokens) {
    const tags = type === "html_block" ? (content.match(/<\/?[a-z][a-z\d-]*/gi) ?? []) : [];
    for (const html of [...tags, ...(children ?? []).filter(isHtml).map((token) => token.content)]) {
      const tag = readTag(html);
      if (tag) (tag.isEnd ? ended : begun).add(tag.name);
    }
  }
  return new Set([...begun].filter((name) => ended.has(name)));
}

function isHtml({ type }: Token): boolean {
  return type === "html_inline";
}

/** Is it a tag of HTML, and not a placeholder such as `<your-key>`, nor a word about HTML such as `<head>`? */
export function isTagOfHtml(html: string, paired: ReadonlySet<string>): boolean {
  const name = readTag(html)?.name ?? "";
  return KNOWN.has(name) && (WITHOUT_END.has(name) || WITH_OPTIONAL_END.has(name) || paired.has(name));
}

/** What a paragraph, heading or cell shows: without its pairs of HTML tags, and with each tag that has no partner as text. */
export function withoutTags(children: readonly Token[]): Token[] {
  const tags = children.map((token) => (isHtml(token) ? readTag(token.content) : undefined));
  const paired = new Set<number>();
  const begun = new Map<string, number[]>();
  /** Where hidden content begins and ends, counted up and down. */
  const hidden = new Int32Array(children.length + 1);
  for (const [index, tag] of tags.entries()) {
    if (!tag || !KNOWN.has(tag.name)) continue;
    const open = begun.get(tag.name) ?? [];
    begun.set(tag.name, open);
    if (!tag.isEnd) open.push(index);
    const partner = tag.isEnd ? open.pop() : undefined;
    if (partner === undefined) continue;
    paired.add(partner).add(index);
    if (!HIDDEN.includes(tag.name)) continue;
    hidden[partner] = (hidden[partner] ?? 0) + 1;
    hidden[index] = (hidden[index] ?? 0) - 1;
  }
  let depth = 0;
  return children.filter((token, index) => {
    depth += hidden[index] ?? 0;
    // What opens and closes stays balanced.
    if (paired.has(index) || (depth > 0 && token.nesting === 0)) return false;
    const name = tags[index]?.name;
    if (name !== undefined && !WITHOUT_END.has(name)) token.type = "text";
    return true;
  });
}
