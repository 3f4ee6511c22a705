/**
 * An outline as blocks, each a heading with the lines under it. The text is the truth: what no operation touches keeps every
 * character, and `outlineText(blocksOf(text))` is the text.
 */
export type Blocks = {
  /** What stands before the first heading. */
  before: string;
  blocks: string[];
};

/** What a block says. `words` is null without a budget. */
export type Card = { level: number; heading: string; words: number | null; note: string; brief: string };

const HEADING = /^( {0,3})(#{1,6})([ \t]+)(.*)$/;
const WORDS = /^\s*words:\s*(\d{1,3}(?:[,. ]\d{3})|\d{1,4})\s*$/i;
const NOTE = /^\s*note:\s*(.*)$/i;
const FIRST_LEVEL = 2;
const LAST_LEVEL = 6;

export function blocksOf(text: string): Blocks {
  const starts: number[] = [];
  let fence: string | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    else if (fence === null && HEADING.test(line)) starts.push(at);
    at += line.length + 1;
  }
  return {
    before: text.slice(0, starts[0] ?? text.length),
    blocks: starts.map((start, index) => text.slice(start, starts[index + 1])),
  };
}

/** Joins the blocks; one that now stands before others gets the empty line that sets it apart. */
export function outlineText({ before, blocks }: Blocks): string {
  const parts = [before, ...blocks];
  return parts
    .map((part, index) => (index === parts.length - 1 || part === "" || part.endsWith("\n") ? part : `${part}\n\n`))
    .join("");
}

export function cardOf(block: string): Card {
  const [first = "", ...lines] = block.split("\n");
  const [, , marks = "", , heading = ""] = HEADING.exec(first) ?? [];
  const words = lines.map((line) => WORDS.exec(line)?.[1]).find(Boolean);
  const note = lines.map((line) => NOTE.exec(line)?.[1]).find((found) => found !== undefined);
  const brief = lines.filter((line) => !(WORDS.test(line) || NOTE.test(line))).join("\n");
  return {
    level: marks.length,
    heading: heading.trim(),
    words: words ? Number(words.replaceAll(/[,. ]/g, "")) : null,
    note: note?.trim() ?? "",
    brief: brief.trim(),
  };
}

export function levelOf(block: string): number {
  return HEADING.exec(block.slice(0, lineEnd(block)))?.[2]?.length ?? 0;
}

function lineEnd(block: string): number {
  const end = block.indexOf("\n");
  return end === -1 ? block.length : end;
}

export function withHeading(block: string, heading: string): string {
  return withFirstLine(block, (indent, marks, gap) => `${indent}${marks}${gap}${oneLine(heading)}`);
}

export function withLevel(block: string, level: number): string {
  return withFirstLine(block, (indent, _marks, gap, heading) => `${indent}${"#".repeat(level)}${gap}${heading}`);
}

function withFirstLine(block: string, to: (...parts: [string, string, string, string]) => string): string {
  const end = lineEnd(block);
  const [, indent = "", marks = "", gap = " ", heading = ""] = HEADING.exec(block.slice(0, end)) ?? [];
  return to(indent, marks, gap, heading) + block.slice(end);
}

/** Sets the section's budget; null removes it. */
export function withWords(block: string, words: number | null): string {
  return withLine(block, WORDS, words === null ? null : `Words: ${words}`);
}

/** Sets the note for the writer, on one line; a blank one is removed. */
export function withNote(block: string, note: string): string {
  return withLine(block, NOTE, note.trim() === "" ? null : `Note: ${oneLine(note)}`);
}

/** Replaces the first such line, or puts it under the heading. */
function withLine(block: string, pattern: RegExp, line: string | null): string {
  const lines = block.split("\n");
  const at = lines.findIndex((each, index) => index > 0 && pattern.test(each));
  if (at !== -1) lines.splice(at, 1, ...(line === null ? [] : [line]));
  else if (line !== null) lines.splice(1, 0, line, ...(lines.length === 1 ? [""] : []));
  return lines.join("\n");
}

/** Replaces the lines that are neither heading, budget nor note. White space at the end stays. */
export function withBrief(block: string, brief: string): string {
  const [first = "", ...lines] = block.split("\n");
  const kept = lines.filter((line) => WORDS.test(line) || NOTE.test(line));
  const end = /\s*$/.exec(block)?.[0] ?? "";
  return [first, ...kept, ...(brief === "" ? [] : brief.split("\n"))].join("\n").trimEnd() + end;
}

/** Returns the place after the block and all that is nested under it. */
export function endOf(blocks: string[], index: number): number {
  const level = levelOf(blocks[index] ?? "");
  let end = index + 1;
  while (end < blocks.length && levelOf(blocks[end] ?? "") > level) end += 1;
  return end;
}

/** The neighbour on the same level under the same parent, or null. */
export function siblingOf(blocks: string[], index: number, step: 1 | -1): number | null {
  const level = levelOf(blocks[index] ?? "");
  let at = step === 1 ? endOf(blocks, index) : index - 1;
  while (step === -1 && at >= 0 && levelOf(blocks[at] ?? "") > level) at -= 1;
  const isThere = at >= 0 && at < blocks.length && levelOf(blocks[at] ?? "") === level;
  return isThere ? at : null;
}

/** Moves a block with all under it in front of the block at `to`, or to the end. Returns its new place too. */
export function moved(blocks: string[], index: number, to: number): { blocks: string[]; index: number } {
  const end = endOf(blocks, index);
  if (to >= index && to <= end) return { blocks, index };
  const part = blocks.slice(index, end);
  const rest = [...blocks.slice(0, index), ...blocks.slice(end)];
  const at = to > index ? to - part.length : to;
  return { blocks: apart([...rest.slice(0, at), ...part, ...rest.slice(at)], blocks.at(-1)), index: at };
}

/** Sets all blocks apart by an empty line, where there is none. */
export function spaced(blocks: string[]): string[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 || block.endsWith("\n\n") ? block : `${block.trimEnd()}\n\n`,
  );
}

/** Sets the block that was the last one apart from what follows it now. */
function apart(blocks: string[], last: string | undefined): string[] {
  return blocks.map((block, index) =>
    block === last && index < blocks.length - 1 && !block.endsWith("\n\n") ? `${block.trimEnd()}\n\n` : block,
  );
}

/** True if the block can be nested one level deeper, or be taken out by one. */
export function canShift(blocks: string[], index: number, step: 1 | -1): boolean {
  const level = levelOf(blocks[index] ?? "") + step;
  if (step === -1) return level >= FIRST_LEVEL;
  const above = index > 0 ? levelOf(blocks[index - 1] ?? "") : 0;
  const deepest = Math.max(...blocks.slice(index, endOf(blocks, index)).map(levelOf));
  return level <= above + 1 && deepest < LAST_LEVEL;
}

/** Nests a block with all under it one level deeper, or takes it out by one. */
export function shifted(blocks: string[], index: number, step: 1 | -1): string[] {
  const end = endOf(blocks, index);
  return blocks.map((block, at) => (at >= index && at < end ? withLevel(block, levelOf(block) + step) : block));
}

/** Returns the blocks without this one and all under it. */
export function removed(blocks: string[], index: number): string[] {
  return [...blocks.slice(0, index), ...blocks.slice(endOf(blocks, index))];
}

/** Returns the blocks with a new section after this one and all under it. */
export function added(blocks: string[], index: number, heading: string): { blocks: string[]; index: number } {
  const level = index < 0 ? FIRST_LEVEL : levelOf(blocks[index] ?? "");
  const at = index < 0 ? 0 : endOf(blocks, index);
  const block = `${"#".repeat(level)} ${heading}\n\n`;
  return { blocks: apart([...blocks.slice(0, at), block, ...blocks.slice(at)], blocks.at(-1)), index: at };
}

/** Turns the next block into lines of this one: its heading, and what stands under it. Budgets add up. */
export function merged(blocks: string[], index: number): string[] {
  const [block, next] = [blocks[index], blocks[index + 1]];
  if (block === undefined || next === undefined) return blocks;
  const [one, two] = [cardOf(block), cardOf(next)];
  const brief = [one.brief, two.heading, two.brief].filter(Boolean).join("\n");
  const note = [one.note, two.note].filter(Boolean).join(" ");
  const words = one.words === null && two.words === null ? null : (one.words ?? 0) + (two.words ?? 0);
  const end = /\s*$/.exec(next)?.[0] || "\n\n";
  const whole = withBrief(withNote(withWords(block.trimEnd(), words), note), brief).trimEnd() + end;
  return [...blocks.slice(0, index), whole, ...blocks.slice(index + 2)];
}

/** Turns the lines of the brief from `line` on into a section of their own, with the first of them as its heading. */
export function divided(blocks: string[], index: number, line: number): string[] {
  const block = blocks[index];
  if (block === undefined) return blocks;
  const { level, brief } = cardOf(block);
  const lines = brief.split("\n");
  const [heading, ...rest] = lines.slice(line);
  if (line < 1 || heading === undefined) return blocks;
  const end = /\s*$/.exec(block)?.[0] ?? "";
  const first = `${withBrief(block, lines.slice(0, line).join("\n")).trimEnd()}\n\n`;
  const second = [`${"#".repeat(level)} ${oneLine(heading)}`, ...rest].join("\n").trimEnd() + end;
  return [...blocks.slice(0, index), first, second, ...blocks.slice(index + 1)];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
