import { withoutAnnouncement } from "@/lib/ai/prompts/announcements";

/**
 * The text alone of an answer that has it in a code fence or announces it, whatever the language. In doubt all of it stays.
 * Linear: it runs on the request's thread.
 */
export function withoutWrapping(markdown: string): string {
  const text = markdown.trim();
  return withoutAnnouncement(insideFence(text) ?? text).trim();
}

/** The inside of a fence that has the whole text but for a few short sentences; null if it is a part of the text. */
function insideFence(text: string): string | null {
  const lines = text.split("\n");
  const open = lines.findIndex((line) => fenceOf(line) !== null);
  const fence = fenceOf(lines[open] ?? "");
  if (!fence || !["", "markdown", "md"].includes(fence.language)) return null;
  const close = closingLine(lines, open, fence.mark);
  if (close === -1) return null;
  const [before, inside, behind] = [lines.slice(0, open), lines.slice(open + 1, close), lines.slice(close + 1)];
  if (!areShort(before, 2) || !areShort(behind, 1)) return null;
  const isEmpty = inside.every((line) => line.trim() === "");
  if (isEmpty && before.length + behind.length > 0) return null;
  if (!isEmpty && fence.language === "" && !readsAsText(inside)) return null;
  // An example in a short text has words about it on both sides.
  const isExample = behind.length > 0 && lengthOf(inside) <= lengthOf([...before, ...behind]);
  return isExample ? null : inside.join("\n");
}

type Fence = { mark: string; language: string };

function fenceOf(line: string): Fence | null {
  const [, mark, language] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
  return mark === undefined ? null : { mark, language: (language ?? "").trim().toLowerCase() };
}

/** Models write a text's own fences inside with the same mark: one with a language opens, one without it closes. */
function closingLine(lines: string[], open: number, mark: string): number {
  let nested: string | null = null;
  for (let at = open + 1; at < lines.length; at++) {
    const fence = fenceOf(lines[at] ?? "");
    if (!fence) continue;
    const isBare = fence.language === "";
    if (nested !== null) {
      if (isBare && fence.mark.startsWith(nested)) nested = null;
    } else if (isBare && fence.mark.startsWith(mark)) return at;
    else nested = fence.mark;
  }
  return -1;
}

/** The longest paragraph that may be the model's own words around a text. */
const SHORT = 200;

function areShort(lines: string[], most: number): boolean {
  const paragraphs = paragraphsOf(lines);
  return paragraphs.length <= most && paragraphs.every((paragraph) => paragraph.length <= SHORT);
}

/** Has it a heading or two paragraphs of sentences? `# a` may be a comment in code. */
function readsAsText(lines: string[]): boolean {
  if (lines.some((line) => /^ {0,3}#{2,6}[ \t]/.test(line))) return true;
  return paragraphsOf(lines).filter((paragraph) => /[.!?…。！？।]$/.test(paragraph)).length > 1;
}

function paragraphsOf(lines: string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() !== "") paragraphs.at(-1)?.push(line.trim());
    else paragraphs.push([]);
  }
  return paragraphs.filter((each) => each.length > 0).map((each) => each.join("\n"));
}

function lengthOf(lines: string[]): number {
  return lines.join("\n").trim().length;
}
