import type { ElementContent, Root, RootContent } from "hast";
import { CODE_SIGN, keywordOf } from "@/lib/features/content/seo/keyword";
import { languageOf } from "@/lib/features/content/seo/language";
import { isHeading, type Judged, type Material, type Place } from "@/lib/features/content/seo/material";
import { sentencesOf } from "@/lib/features/content/seo/sentences";
import { permalinkSlug } from "@/lib/utils/slug";
import { isBlank } from "@/lib/utils/text";
import { lengthInWords } from "@/lib/utils/words";

/** Reads a piece. `tree` is that of its body, with the lines of its blocks. */
export function readMaterial(piece: Judged, tree: Root): Material {
  const { title, body, metaTitle, slug } = piece;
  const read: Pick<Material, "blocks" | "pictures" | "links"> = { blocks: [], pictures: [], links: [] };
  const startOf = lineStarts(body);
  readNodes(tree.children, { read, body, startOf, place: { from: 0, to: body.length }, isNote: false });
  const seoTitle = isBlank(metaTitle) ? title : String(metaTitle);
  const metaDescription = piece.metaDescription?.trim() ?? "";
  const language = languageOf(piece.language, `${title}\n${seoTitle}\n${metaDescription}\n${body}`);
  const firstHeading = read.blocks.findIndex(isHeading);
  const paragraphs = read.blocks.filter((block) => !isHeading(block));
  return {
    ...read,
    keyword: keywordOf(piece.focusKeyword, language),
    language,
    seoTitle: seoTitle.trim(),
    slug: isBlank(slug) ? permalinkSlug(title) : String(slug),
    metaDescription,
    site: piece.site,
    others: piece.others,
    words: lengthInWords(body),
    paragraphs,
    headings: read.blocks.filter(isHeading),
    lead: firstHeading < 0 ? paragraphs : read.blocks.slice(0, firstHeading),
    sentences: paragraphs.flatMap((block) => sentencesOf(block, body, language)),
  };
}

type Reading = {
  read: Pick<Material, "blocks" | "pictures" | "links">;
  body: string;
  startOf: (line: number) => number;
  /** The block of the source around what is read. */
  place: Place;
  /** Inside a footnote. */
  isNote: boolean;
};

type Node = RootContent | ElementContent;

/** Text of these is no prose. */
const NO_PROSE: ReadonlySet<string> = new Set(["table", "pre", "figure", "figcaption", "caption", "summary", "dt"]);
/** Their children are blocks, or a paragraph's text that has no element of its own. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "blockquote",
  "ul",
  "ol",
  "li",
  "div",
  "section",
  "details",
  "dl",
  "dd",
]);

/** Reads blocks. Text among them, as in an item of a list without blank lines, is a paragraph. */
function readNodes(nodes: readonly Node[], reading: Reading): void {
  let run: Node[] = [];
  const endRun = () => {
    addBlock(run, reading);
    run = [];
  };
  for (const node of nodes) {
    if (node.type !== "element") {
      run.push(node);
      continue;
    }
    const inside = { ...reading, place: placeOf(node, reading) };
    const level = /^h([1-6])$/.exec(node.tagName)?.[1];
    if (level) {
      endRun();
      addBlock(node.children, inside, Number(level));
    } else if (node.tagName === "p") {
      endRun();
      addBlock(node.children, inside);
    } else if (CONTAINERS.has(node.tagName)) {
      endRun();
      readNodes(node.children, { ...inside, isNote: reading.isNote || "dataFootnotes" in node.properties });
    } else if (NO_PROSE.has(node.tagName)) {
      endRun();
      readInline(node.children, inside);
    } else {
      run.push(node);
    }
  }
  endRun();
}

function addBlock(nodes: readonly Node[], reading: Reading, level?: number): void {
  const { read, place, isNote } = reading;
  readInline(nodes, reading);
  if (isNote) return;
  const text = oneLine(nodes.map((node) => textOf(node, (code) => code)).join(""));
  if (level !== undefined) {
    const heading = { ...place, text, prose: proseOf(nodes), words: lengthInWords(text), level };
    read.blocks.push(heading);
    return;
  }
  const words = lengthInWords(text);
  if (words > 0) read.blocks.push({ ...place, text, prose: proseOf(nodes), words });
}

function proseOf(nodes: readonly Node[]): string {
  return oneLine(nodes.map((node) => textOf(node, () => CODE_SIGN)).join(""));
}

/** What readers read of a node, without the numbers of footnotes. */
function textOf(node: Node, codeOf: (code: string) => string): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  if (
    node.tagName === "sup" &&
    node.children.some((child) => child.type === "element" && isNoteNumber(child.properties))
  )
    return "";
  if (node.tagName === "br") return "\n";
  const text = node.children.map((child) => textOf(child, codeOf)).join("");
  return node.tagName === "code" ? codeOf(text) : text;
}

function isNoteNumber(properties: object): boolean {
  return "dataFootnoteRef" in properties || "dataFootnoteBackref" in properties;
}

/** Links and pictures. */
function readInline(nodes: readonly Node[], reading: Reading): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    const inside = { ...reading, place: placeOf(node, reading) };
    const { href, src, alt } = node.properties;
    if (node.tagName === "img" && src !== undefined)
      reading.read.pictures.push({ ...inside.place, alternative: String(alt ?? "").trim(), address: String(src) });
    if (node.tagName === "a" && typeof href === "string" && !isNoteNumber(node.properties))
      reading.read.links.push({ ...inside.place, address: href, text: oneLine(textOf(node, (code) => code)) });
    readInline(node.children, inside);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The lines of a block of the source, without those around it; what has none is where its parent is. */
function placeOf({ position }: Node, { body, startOf, place }: Reading): Place {
  if (!position) return place;
  const [from, to] = [startOf(position.start.line), startOf(position.end.line)];
  const text = body.slice(from, to);
  return { from: from + (text.length - text.trimStart().length), to: from + text.trimEnd().length };
}

/** Where a line begins, from 1. */
function lineStarts(text: string): (line: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (line) => starts[line - 1] ?? text.length;
}
