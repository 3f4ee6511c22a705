import type { Delete, Emphasis, Link, PhrasingContent, RootContent, Strong } from "mdast";
import { withoutEnd, withoutStart } from "@/lib/markdown/from-html/spaces";
import { isBreak, wordsOfBlocks } from "@/lib/markdown/from-html/words";

type Mark = Strong | Emphasis | Delete;

/**
 * Pages mark spaces, parts of words and nothing at all. Markdown's marks stand at words: spaces go outside, neighbours of a kind
 * are joined, and what cannot begin or end at its place loses its mark.
 */
export function tidyMarks(nodes: readonly RootContent[], breakOf: () => PhrasingContent): PhrasingContent[] {
  return settled(joined(nodes, new Set(), breakOf));
}

function isMark(node: PhrasingContent | undefined): node is Mark {
  return node?.type === "strong" || node?.type === "emphasis" || node?.type === "delete";
}

/** The nodes with no mark inside another of its kind, and no space at a mark's edge. */
function joined(
  nodes: readonly RootContent[],
  within: ReadonlySet<string>,
  breakOf: () => PhrasingContent,
): PhrasingContent[] {
  const made: PhrasingContent[] = [];
  for (const node of wordsOfBlocks(nodes, breakOf)) {
    if (isMark(node) || node.type === "link") for (const part of parted(node, within, breakOf)) add(part, made);
    else add(node, made);
  }
  return made;
}

function parted(node: Mark | Link, within: ReadonlySet<string>, breakOf: () => PhrasingContent): PhrasingContent[] {
  const inside = joined(node.children, new Set([...within, node.type]), breakOf);
  if (within.has(node.type)) return inside;
  const { before, middle, after } = withoutSpaces(inside);
  if (middle.length === 0) return [...before, ...after];
  return [...before, { ...node, children: middle } as Mark | Link, ...after];
}

/** Joins the node to the last one where they are of a kind. A line neither begins nor ends with spaces. */
function add(node: PhrasingContent, to: PhrasingContent[]): void {
  const last = to.at(-1);
  if (isBreak(node)) {
    const before = last?.type === "text" ? withoutEnd(last.value) : null;
    if (before !== null) to.splice(-1, 1, ...(before === "" ? [] : [{ type: "text", value: before } as const]));
    if (!isBreak(to.at(-1))) to.push(node);
  } else if (node.type === "text") {
    const value = isBreak(last) ? withoutStart(node.value) : node.value;
    if (last?.type === "text") to[to.length - 1] = { type: "text", value: last.value + value };
    else if (value !== "") to.push({ type: "text", value });
  } else if (node.type === "inlineCode" && last?.type === "inlineCode")
    to[to.length - 1] = { type: "inlineCode", value: last.value + node.value };
  else if (isMark(node) && last?.type === node.type) for (const child of node.children) add(child, last.children);
  else if (node.type === "link" && last?.type === "link" && last.url === node.url)
    for (const child of node.children) add(child, last.children);
  else to.push(node);
}

type Parts = { before: PhrasingContent[]; middle: PhrasingContent[]; after: PhrasingContent[] };

function withoutSpaces(nodes: readonly PhrasingContent[]): Parts {
  const { before, middle, after }: Parts = { before: [], middle: [...nodes], after: [] };
  for (let first = middle[0]; first; first = middle[0]) {
    const spaces = first.type === "text" ? (/^\s*/.exec(first.value)?.[0].length ?? 0) : 0;
    if (first.type === "text" && spaces < first.value.length) {
      if (spaces > 0) before.push({ type: "text", value: first.value.slice(0, spaces) });
      middle[0] = { ...first, value: first.value.slice(spaces) };
      break;
    }
    if (first.type !== "text" && !isBreak(first)) break;
    before.push(first);
    middle.shift();
  }
  for (let last = middle.at(-1); last; last = middle.at(-1)) {
    const end = last.type === "text" ? last.value.trimEnd().length : 0;
    if (last.type === "text" && end > 0) {
      if (end < last.value.length) after.unshift({ type: "text", value: last.value.slice(end) });
      middle[middle.length - 1] = { ...last, value: last.value.slice(0, end) };
      break;
    }
    if (last.type !== "text" && !isBreak(last)) break;
    after.unshift(last);
    middle.pop();
  }
  return { before, middle, after };
}

/** With marks that CommonMark sees at their places, between `before` and `after`; `around` has the markers of the marks around. */
function settled(nodes: readonly PhrasingContent[], before = "", after = "", around = ""): PhrasingContent[] {
  const made: PhrasingContent[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.type === "link") add({ ...node, children: settled(node.children) as Link["children"] }, made);
    if (!isMark(node)) {
      if (node.type !== "link") add(node, made);
      continue;
    }
    const marker = markerOf(node);
    const [last, following] = [made.at(-1), nodes[index + 1]];
    const previous = edge(last, "end", marker);
    const next = edge(following, "start", marker);
    const isNextToOne = node.type === "emphasis" && [last, following].some((beside) => beside?.type === "strong");
    const isOneSided =
      isClear(previous, edge(node.children[0], "start", marker)) &&
      isClear(next, edge(node.children.at(-1), "end", marker));
    const parts =
      isNextToOne || (around.includes(marker) && !isOneSided)
        ? settled(node.children, previous ?? before, next ?? after, around)
        : settledMark(node, previous ?? before, next ?? after, around);
    for (const part of parts) add(part, made);
  }
  return made;
}

/** Moves punctuation between a mark and a letter outside the mark; a mark around punctuation alone is dropped. */
function settledMark(node: Mark, before: string, after: string, around: string): PhrasingContent[] {
  const marker = markerOf(node);
  const children = [...node.children];
  const outside: Pick<Parts, "before" | "after"> = { before: [], after: [] };
  if (isPunctuation(edge(children[0], "start", marker)) && isWord(before)) {
    const { marks, rest } = splitStart(children[0]);
    if (rest === "") return settled(children, before, after, around);
    outside.before.push({ type: "text", value: marks });
    children[0] = { type: "text", value: rest };
  }
  if (isPunctuation(edge(children.at(-1), "end", marker)) && isWord(after)) {
    const { marks, rest } = splitEnd(children.at(-1));
    if (rest === "") return settled([...outside.before, ...children], before, after, around);
    outside.after.push({ type: "text", value: marks });
    children[children.length - 1] = { type: "text", value: rest };
  }
  return [
    ...outside.before,
    { ...node, children: settled(children, "", "", around + marker) } as Mark,
    ...outside.after,
  ];
}

function splitStart(node: PhrasingContent | undefined): { marks: string; rest: string } {
  const text = node?.type === "text" ? node.value : "";
  const marks = /^[\p{P}\p{S}\s]+/u.exec(text)?.[0] ?? "";
  return { marks, rest: text.slice(marks.length) };
}

function splitEnd(node: PhrasingContent | undefined): { marks: string; rest: string } {
  const characters = [...(node?.type === "text" ? node.value : "")];
  let end = characters.length;
  while (end > 0 && /[\p{P}\p{S}\s]/u.test(characters[end - 1] ?? "")) end -= 1;
  return { marks: characters.slice(end).join(""), rest: characters.slice(0, end).join("") };
}

function markerOf({ type }: Mark): string {
  return type === "delete" ? "~" : "*";
}

/** The character with which a node begins or ends in Markdown; marks of `marker` are one run, past which it looks. */
function edge(node: PhrasingContent | undefined, at: "start" | "end", marker = ""): string | undefined {
  if (!node) return undefined;
  if (node.type === "text") return at === "start" ? [...node.value.slice(0, 2)][0] : [...node.value.slice(-2)].at(-1);
  if (node.type === "break") return "\n";
  if (!isMark(node)) return node.type === "html" ? (at === "start" ? "<" : ">") : "`";
  const own = markerOf(node);
  return own === marker ? edge(at === "start" ? node.children[0] : node.children.at(-1), at, marker) : own;
}

/** Chinese, Japanese and Korean characters and their punctuation, beside which a mark always holds. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

function isPunctuation(text = ""): boolean {
  return /[\p{P}\p{S}]/u.test(text) && !CJK.test(text);
}

function isWord(text = ""): boolean {
  return text !== "" && !/[\s\p{P}\p{S}]/u.test(text) && !CJK.test(text);
}

/** Can a marker between the two only begin or only end? One that could do both may belong to the mark around it. */
function isClear(outside: string | undefined, inside = ""): boolean {
  if (outside === undefined || /\s/.test(outside)) return true;
  return isPunctuation(outside) && isWord(inside);
}
