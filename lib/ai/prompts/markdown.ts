import { fingerprint } from "@/lib/utils/text";

/** Pure helpers for the Markdown that a provider or a person wrote. */

/** Removes one code fence around the whole text. */
export function withoutOuterFence(markdown: string): string {
  const match = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/.exec(markdown);
  return match?.[2] !== undefined && !match[2].includes(`\n${match[1]}`) ? match[2] : markdown;
}

export type Line = { text: string; heading: { level: number; text: string } | null };

/** The lines of a text with its ATX headings marked; `#` inside a code block is not a heading. */
export function readLines(markdown: string): Line[] {
  let fence: string | null = null;
  return markdown.split(/\r?\n/).map((text) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return { text, heading: null };
    }
    return { text, heading: fence === null ? readHeading(text) : null };
  });
}

function readHeading(line: string): Line["heading"] {
  const match = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line);
  const text = plainHeading(match?.[2] ?? "");
  return match?.[1] && text !== "" ? { level: match[1].length, text } : null;
}

/** A heading's words without emphasis around them or a colon at the end. */
export function plainHeading(text: string): string {
  return text
    .trim()
    .replace(/^(\*\*|__|\*|_)(.+)\1$/, "$2")
    .replace(/:$/, "")
    .trim();
}

/**
 * A section as it is stored: without a fence around it, without a repetition of its own heading, without headings above H3 (a
 * section must not open another), without "Here is the section:" before or a rule after it.
 */
export function cleanSection(markdown: string, heading: string): string {
  const lines = readLines(withoutOuterFence(markdown.trim()).trim().replace(ANNOUNCEMENT, ""));
  const first = lines.findIndex((line) => line.text.trim() !== "");
  if (first !== -1 && repeats(lines[first], heading)) lines.splice(0, first + 1);
  return lines
    .map((line) => (line.heading && line.heading.level < 3 ? `### ${line.heading.text}` : line.text))
    .join("\n")
    .replace(/(?:\n\s*(?:-{3,}|\*{3,}|_{3,})\s*)+$/, "")
    .trim();
}

const ANNOUNCEMENT = /^(?:here(?:'s| is| are)|sure|certainly|of course)\b[^\n]{0,120}[:.!]\s*\n+/i;

function repeats(line: Line | undefined, heading: string): boolean {
  const text = line?.heading?.text ?? /^(\*\*|__)(.+)\1:?\s*$/.exec(line?.text.trim() ?? "")?.[2];
  return text !== undefined && fingerprint(text) === fingerprint(plainHeading(heading));
}

// Scripts written without spaces: two characters are counted as a word.
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
const WORD = new RegExp(`[${UNSPACED}]{1,2}|[^\\s${UNSPACED}]+`, "gu");

/** Length in words, also for scripts without spaces between them. */
export function lengthInWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** The last `count` words with everything between them. */
export function lastWords(text: string, count: number): string {
  const starts = [...text.matchAll(WORD)].map((match) => match.index);
  return starts.length <= count ? text : text.slice(starts[starts.length - count]);
}
