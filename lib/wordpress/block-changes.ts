import { diffArrays } from "diff";
import { decodeEntities } from "@/lib/utils/plain-text";
import { storableUpTo } from "@/lib/utils/text";

/** What readers see of a block: its kind, such as "Table", and its text with the line breaks. */
export type SeenBlock = { kind: string; text: string };
/** Blocks that take the place of others. */
export type BlockChange = { before: SeenBlock[]; after: SeenBlock[] };

type Post = { title: string; content: string };

export const MAX_CHANGES = 20;
/** Characters of each side of a change. */
export const MAX_SIDE = 300;
/** Blocks that may be exchanged before two posts count as different throughout: time grows with their number. */
const MAX_EDITS = 400;

/** What readers will see change in a post, in its order; `more` counts the changes that are left out. */
export function postChanges(before: Post, after: Post): { changes: BlockChange[]; more: number } {
  const all = [...titleChanges(before, after), ...blockChanges(seenBlocks(before.content), seenBlocks(after.content))];
  return { changes: all.slice(0, MAX_CHANGES).map(shortened), more: Math.max(0, all.length - MAX_CHANGES) };
}

function titleChanges(before: Post, after: Post): BlockChange[] {
  const [old, text] = [before, after].map(({ title }) => ({ kind: "Title", text: decodeEntities(title).trim() }));
  return old && text && !isSame(old, text) ? [{ before: [old], after: [text] }] : [];
}

function isSame(one: SeenBlock, other: SeenBlock): boolean {
  return one.kind === other.kind && one.text === other.text;
}

function blockChanges(before: SeenBlock[], after: SeenBlock[]): BlockChange[] {
  const parts = diffArrays(before, after, { comparator: isSame, maxEditLength: MAX_EDITS });
  if (!parts) return pairs(before, after);
  const changes: BlockChange[] = [];
  let removed: SeenBlock[] = [];
  for (const { value, removed: isOld, added: isNew } of parts) {
    if (isOld) removed.push(...value);
    else {
      changes.push(...pairs(removed, isNew ? value : []));
      removed = [];
    }
  }
  return [...changes, ...pairs(removed, [])];
}

/** As many blocks as before take each other's place; otherwise all of them are one change. */
function pairs(before: SeenBlock[], after: SeenBlock[]): BlockChange[] {
  if (before.length !== after.length) return [{ before, after }];
  return before.flatMap((old, at) => {
    const block = after[at];
    return block && !isSame(old, block) ? [{ before: [old], after: [block] }] : [];
  });
}

/** Cuts both sides, and the words that two long blocks have in common before they differ. */
function shortened({ before, after }: BlockChange): BlockChange {
  const [old, text] = [before[0]?.text ?? "", after[0]?.text ?? ""];
  const from = before.length === 1 && after.length === 1 ? startOfDifference(old, text) : 0;
  return { before: upTo(MAX_SIDE, before, from), after: upTo(MAX_SIDE, after, from) };
}

/** Common text that is kept before a difference. */
const CONTEXT = 60;

function startOfDifference(old: string, text: string): number {
  if (Math.max(old.length, text.length) <= MAX_SIDE) return 0;
  let at = 0;
  while (at < old.length && old[at] === text[at]) at++;
  return at > 2 * CONTEXT ? old.lastIndexOf(" ", at - CONTEXT) + 1 : 0;
}

function upTo(max: number, blocks: SeenBlock[], from: number): SeenBlock[] {
  let left = max;
  return blocks.flatMap(({ kind, text }, at) => {
    if (left <= 0 && at > 0) return [];
    const whole = from > 0 ? `…${text.slice(from)}` : text;
    const cut = whole.length > left ? `${storableUpTo(whole, left - 1)}…` : storableUpTo(whole, left);
    left -= cut.length;
    return [{ kind, text: cut }];
  });
}

/** Block comments of the editor; a setting has no angle brackets. */
const DELIMITER = /<!-- (\/?)wp:([^<>]*)-->/g;

/** The top-level blocks; HTML outside of blocks is what the editor calls Classic. */
function seenBlocks(content: string): SeenBlock[] {
  const blocks: SeenBlock[] = [];
  let [depth, opened, start] = [0, "", 0];
  const take = (end: number, next: number) => {
    const html = content.slice(start, end);
    if (opened || html.trim() !== "") blocks.push({ kind: kindOf(opened || "classic"), text: textOf(html, opened) });
    [opened, start] = ["", next];
  };
  for (const { 0: comment, 1: slash, 2: said = "", index } of content.matchAll(DELIMITER)) {
    const next = index + comment.length;
    const isVoid = said.trimEnd().endsWith("/");
    if (depth === 0 && !slash) {
      take(index, next);
      opened = said;
    }
    if (!isVoid) depth = slash ? Math.max(0, depth - 1) : depth + 1;
    if (depth === 0) take(isVoid ? next : index, next);
  }
  take(content.length, content.length);
  return blocks;
}

const MAX_KIND = 40;

/** `list {"ordered":true}` → "Numbered list". */
function kindOf(said: string): string {
  const [name = ""] = said.trim().split(" ", 1);
  if (name === "heading") return `Heading ${/"level":([1-6])/.exec(said)?.[1] ?? 2}`;
  if (name === "list") return said.includes('"ordered":true') ? "Numbered list" : "List";
  const words = name.slice(name.lastIndexOf("/") + 1).replaceAll("-", " ");
  return storableUpTo(words.charAt(0).toUpperCase() + words.slice(1), MAX_KIND);
}

/** Marks that texts do not have: the border of a line, of a cell, and a break within a line. */
const [LINE, CELL, BREAK] = ["\u0001", "\u0002", "\u0003"];

function textOf(html: string, said: string): string {
  const isCode = /^(?:code|preformatted|verse)\b/.test(said);
  const tidy = (line: string) => (isCode ? line : line.trim());
  const plain = isCode ? html : html.replace(/[ \t\r\n\f]+/g, " ");
  const lists: (number | null)[] = [];
  const lines = decodeEntities(plain.replace(/<[^<>]*>/g, (tag) => markOf(tag, lists)))
    .split(LINE)
    .map((line) => tidy(rowOf(line)))
    .filter((line) => line.trim() !== "");
  return lines.join("\n").split(BREAK).map(tidy).join("\n").trim();
}

/** A row of a table begins with the border of its first cell. */
function rowOf(line: string): string {
  const [text = "", ...cells] = line.split(CELL);
  return cells.length > 0 ? cells.map((cell) => cell.trim()).join(" | ") : text;
}

/** What stands for a tag; `lists` has the last numbers of the lists that are open. */
function markOf(tag: string, lists: (number | null)[]): string {
  const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(tag.slice(0, 20))?.map(lowerCase) ?? [];
  if (name === "ul" || name === "ol") {
    if (slash) lists.pop();
    else lists.push(name === "ol" ? Number(/\sstart="(\d{1,9})"/.exec(tag)?.[1] ?? 1) - 1 : null);
    return LINE;
  }
  if (name === "li" && !slash) return LINE + bulletOf(lists);
  if (name === "br") return BREAK;
  if (name === "td" || name === "th") return slash ? "" : CELL;
  if (name === "img") return /\salt="([^"<>]*)"/.exec(tag)?.[1] ?? "";
  return LINES.has(name) ? LINE : "";
}

function lowerCase(text = ""): string {
  return text.toLowerCase();
}

function bulletOf(lists: (number | null)[]): string {
  const last = lists.at(-1);
  if (typeof last !== "number") return lists.length > 1 ? "◦ " : "• ";
  lists[lists.length - 1] = last + 1;
  return `${last + 1}. `;
}

const LINES: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 li blockquote pre figure figcaption table tr div section details summary dl dt dd hr".split(" "),
);
