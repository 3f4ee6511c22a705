import type { Element, ElementContent } from "hast";
import type { Lost } from "@/lib/markdown/losses";
import { element, text, withLines } from "@/lib/markdown/nodes";
import { unescapeText } from "@/lib/markdown/parser";
import { createPairing, isBlockTag, isHidden, isVoid, readTag, type Tag } from "@/lib/markdown/tags";

export type Reading = {
  /** Reads the Markdown between tags as blocks. */
  blocks: (markdown: string) => ElementContent[];
  /** Reads it as blocks that are no HTML, in which a line stays a line. */
  lines: (markdown: string) => ElementContent[];
  /** Reads it as the words of one line. */
  words: (markdown: string) => ElementContent[];
  lost: Lost;
};

/**
 * What Markdown makes of a block of HTML. Tables, lists, headings, paragraphs, quotes and code are those of Markdown; other
 * pairs of tags go and leave what is between them, which is Markdown. Scripts, frames, forms and comments go with their
 * content. A tag without a partner is text, unless its name is in `spanning`: other blocks have its partner.
 */
export function htmlBlock(source: string, spanning: ReadonlySet<string>, reading: Reading): ElementContent[] {
  const html = source
    .replace(COMMENT, (comment) => {
      reading.lost("comment", comment);
      return "";
    })
    .trim();
  const nodes = treeOf(pair(split(html), spanning));
  if (nodes.some((node) => typeof node !== "string")) return content(nodes, reading);
  const words = nodes.join("").trim();
  if (words === "") return [];
  if (!words.startsWith("<")) return reading.blocks(words);
  return isLone(words) ? reading.lines(`\\${words}`) : [element("p", {}, reading.words(words))];
}

/** The names of elements that begin in one block of HTML and end in another, with Markdown between. */
export function spanningNames(blocks: readonly string[]): ReadonlySet<string> {
  const tags = blocks.flatMap((html) => split(html.replace(COMMENT, "")).flatMap(({ tag }) => tag ?? []));
  const ended = new Set(tags.filter(({ isEnd }) => isEnd).map(({ name }) => name));
  return new Set(tags.flatMap(({ name, isEnd }) => (!isEnd && ended.has(name) ? name : [])));
}

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

/** Does the text begin with a tag that no later one ends? */
function isLone(html: string): boolean {
  const tag = readTag(/^<[^<>]*>/.exec(html)?.[0] ?? "");
  return !tag || tag.isEnd || !(isVoid(tag.name) || html.toLowerCase().includes(`</${tag.name}`));
}

/** A tag of a block, or the text between two. The end of one may be left out, where something else implies it. */
type Part = { source: string; tag?: Tag; ends?: "itself" | "implied" | undefined };

const TAG = /<\/?[a-z][a-z\d-]*(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?\/?>/gi;

function split(html: string): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (const { 0: source, index } of html.matchAll(TAG)) {
    const tag = readTag(source);
    if (!tag || !(isBlockTag(tag.name) || isHidden(tag.name))) continue;
    parts.push({ source: html.slice(done, index) }, { source, tag, ends: isVoid(tag.name) ? "itself" : undefined });
    done = index + source.length;
  }
  parts.push({ source: html.slice(done) });
  return parts;
}

/** Finds the partners. A tag that has none is text, or goes if its partner is elsewhere. */
function pair(parts: Part[], spanning: ReadonlySet<string>): Part[] {
  const pairing = createPairing((start) => setEnd(parts[start], "implied"));
  for (const [index, { tag, ends }] of parts.entries()) {
    if (!tag || ends) continue;
    if (!tag.isEnd) pairing.push(tag.name, index);
    const start = tag.isEnd ? pairing.end(tag.name) : undefined;
    if (start !== undefined) for (const at of [start, index]) setEnd(parts[at], "itself");
  }
  return parts.flatMap((part): Part[] => {
    if (!part.tag || part.ends) return [part];
    return spanning.has(part.tag.name) ? [] : [{ source: part.source }];
  });
}

function setEnd(part: Part | undefined, ends: Part["ends"]): void {
  if (part) part.ends = ends;
}

type Node = string | Parent;
type Parent = Required<Part> & { tag: Tag; children: Node[] };

/** Deeper elements are not nested further. */
const MAX_DEPTH = 50;

function treeOf(parts: readonly Part[]): Node[] {
  const root: Parent = { tag: { name: "", isEnd: false, attributes: {} }, source: "", ends: "itself", children: [] };
  const open = [root];
  const top = () => open.at(-1) ?? root;
  for (const { source, tag, ends = "itself" } of parts) {
    const { children } = top();
    if (!tag) {
      const last = children.at(-1);
      if (typeof last === "string") children[children.length - 1] = last + source;
      else if (source !== "") children.push(source);
    } else if (tag.isEnd) {
      while (top().ends === "implied" && top().tag.name !== tag.name) open.pop();
      open.pop();
    } else {
      while (top().ends === "implied" && ENDED_BY[tag.name]?.includes(top().tag.name)) open.pop();
      const around = top().children;
      const isFlat = open.length > MAX_DEPTH;
      const parent = { tag, source, ends, children: isFlat ? around : [] };
      if (!isFlat) around.push(parent);
      if (!isVoid(tag.name)) open.push(parent);
    }
  }
  return root.children;
}

const SECTION = ["thead", "tbody", "tfoot"];
const ROW = ["p", "td", "th", "tr"];
/** Which open elements end where another begins. */
const ENDED_BY: Record<string, string[]> = {
  li: ["p", "li"],
  td: ["p", "td", "th"],
  th: ["p", "td", "th"],
  tr: ROW,
  ...Object.fromEntries(SECTION.map((name) => [name, [...ROW, ...SECTION, "caption"]])),
  p: ["p"],
  dt: ["p", "dt", "dd"],
  dd: ["p", "dt", "dd"],
};

/** The content of an element that holds blocks. */
function content(nodes: readonly Node[], reading: Reading): ElementContent[] {
  return nodes.flatMap((node) => {
    if (typeof node !== "string") return blockOf(node, reading);
    const markdown = node.replace(/^[ \t]+/gm, "").trim();
    return markdown === "" ? [] : reading.blocks(markdown);
  });
}

function blockOf(node: Parent, reading: Reading): ElementContent[] {
  const { tag, children } = node;
  if (/^(?:p|h[1-6])$/.test(tag.name)) return [element(tag.name, {}, words(children, reading))];
  switch (tag.name) {
    case "table":
      return table(node, reading);
    case "ul":
    case "ol":
    case "menu":
      return [list(node, reading)];
    case "blockquote":
      return [withLines(element("blockquote", {}, content(children, reading)))];
    case "pre":
      return [element("pre", {}, [element("code", {}, [text(plain(children))])])];
    case "hr":
      return [element("hr")];
    default:
      if (!isHidden(tag.name)) return content(children, reading);
      reading.lost("element", node.source);
      return [];
  }
}

function words(nodes: readonly Node[], { words }: Reading): ElementContent[] {
  return words(sourceOf(nodes).replace(/\s+/g, " ").trim());
}

function sourceOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? node : `${node.source}${sourceOf(node.children)}${endOf(node)}`))
    .join("");
}

function endOf({ tag }: Parent): string {
  return isVoid(tag.name) ? "" : `</${tag.name}>`;
}

/** The text of code, which is not Markdown. */
function plain(nodes: readonly Node[]): string {
  const inside = nodes.map((node) => (typeof node === "string" ? node : plain(node.children))).join("");
  const html = inside.replace(TAG, (source) => (readTag(source) ? "" : source)).replace(/^\n/, "");
  return decodeReferences(html);
}

/** Only references: a backslash is a character of the code. */
function decodeReferences(html: string): string {
  return html.replace(/&(?:#x?[\da-f]{1,7}|[a-z][a-z\d]{1,31});/gi, unescapeText);
}

function list({ tag, children }: Parent, reading: Reading): Element {
  const start = /^\d{1,9}$/.test(tag.attributes.start ?? "") ? Number(tag.attributes.start) : null;
  const items = children.flatMap((node): Element[] => {
    if (typeof node === "string") return node.trim() === "" ? [] : [item([node], reading)];
    return [item(node.tag.name === "li" ? node.children : [node], reading)];
  });
  const isOrdered = tag.name === "ol";
  return withLines(element(isOrdered ? "ol" : "ul", { start: isOrdered && start !== 1 ? start : null }, items));
}

/** What stands beside the blocks of an item is its line. */
function item(nodes: readonly Node[], reading: Reading): Element {
  const line: Node[] = [];
  const inside: ElementContent[] = [];
  const endLine = () => inside.push(...words(line.splice(0), reading));
  for (const node of nodes) {
    if (typeof node === "string") line.push(node);
    else {
      endLine();
      inside.push(...blockOf(node, reading));
    }
  }
  endLine();
  return element("li", {}, inside);
}

/** Rows of headings at the top are the head. What stands between rows comes before the table. */
function table(node: Parent, reading: Reading): ElementContent[] {
  const sections = new Map<string, Element[]>(SECTION.map((name) => [name, []]));
  const before: Node[] = [];
  const captions: Element[] = [];
  const read = (nodes: readonly Node[], section: string) => {
    for (const each of nodes) {
      const name = typeof each === "string" ? "" : each.tag.name;
      if (typeof each === "string" || !(SECTION.includes(name) || name === "tr" || name === "caption"))
        before.push(each);
      else if (name === "caption") captions.push(element("caption", {}, words(each.children, reading)));
      else if (name !== "tr") read(each.children, name);
      else {
        const { cells, others } = row(each, reading);
        before.push(...others);
        const isHead = section === "" && cells.length > 0 && cells.every(({ tagName }) => tagName === "th");
        const hasBody = (sections.get("tbody")?.length ?? 0) > 0;
        const into = section || (isHead && !hasBody ? "thead" : "tbody");
        if (cells.length > 0) sections.get(into)?.push(withLines(element("tr", {}, cells)));
      }
    }
  };
  read(node.children, "");
  const made = [...sections].flatMap(([name, rows]) => (rows.length > 0 ? [withLines(element(name, {}, rows))] : []));
  const strays = content(before, reading);
  return made.length > 0 ? [...strays, withLines(element("table", {}, [...captions.slice(0, 1), ...made]))] : strays;
}

function row({ children }: Parent, reading: Reading): { cells: Element[]; others: Node[] } {
  const isCell = (node: Node): node is Parent => typeof node !== "string" && /^t[dh]$/.test(node.tag.name);
  const cells = children.filter(isCell).map(({ tag, children }) => {
    const { align = "", colspan, rowspan } = tag.attributes;
    const aligned = /^(left|center|right)$/i.test(align) ? align.toLowerCase() : null;
    return element(
      tag.name,
      { align: aligned, colSpan: span(colspan), rowSpan: span(rowspan) },
      words(children, reading),
    );
  });
  return { cells, others: children.filter((node) => !isCell(node)) };
}

function span(value = ""): number | null {
  return /^[1-9]\d{0,2}$/.test(value) && value !== "1" ? Number(value) : null;
}
