import { wordStarts } from "@/lib/utils/words";

/** All functions here take linear time: they run on the request's thread. */

export type Line = { text: string; heading: { level: number; text: string } | null };

/** Lines with ATX headings marked; `#` in a code block is no heading. */
export function readLines(markdown: string): Line[] {
  let fence: string | null = null;
  return markdown.split(/\r?\n/).map((text) => {
    // Fast path: there may be 100,000 lines.
    if (!/^ {0,3}[`~#]/.test(text)) return { text, heading: null };
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return { text, heading: null };
    }
    return { text, heading: fence === null ? readHeading(text) : null };
  });
}

function readHeading(line: string): Line["heading"] {
  const mark = /^ {0,3}(#{1,6})[ \t]+/.exec(line);
  if (!mark?.[1]) return null;
  const text = plainHeading(withoutClosingHashes(line.slice(mark[0].length).trimEnd()));
  return text === "" ? null : { level: mark[1].length, text };
}

/** `Light ##` → `Light`, but `C#` stays. */
function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text[end - 1] === " " || text[end - 1] === "\t" ? text.slice(0, end) : text;
}

/** Returns a heading without emphasis around it or a colon at the end. */
export function plainHeading(text: string): string {
  const words = text.trim();
  const mark = ["**", "__", "*", "_"].find((each) => isBetween(words, each));
  return (mark ? words.slice(mark.length, -mark.length) : words).replace(/:$/, "").trim();
}

function isBetween(text: string, mark: string): boolean {
  return text.length > 2 * mark.length && text.startsWith(mark) && text.endsWith(mark);
}

/** The text of an entirely bold line, such as `**Light**:`; null for others. */
export function boldWords(line: string): string | null {
  const text = line.trim().replace(/:$/, "");
  const mark = ["**", "__"].find((each) => isBetween(text, each));
  return mark ? text.slice(mark.length, -mark.length) : null;
}

/** The last `count` words with everything in between. */
export function lastWords(text: string, count: number): string {
  const starts = [...wordStarts(text)];
  return starts.length <= count ? text : text.slice(starts[starts.length - count]);
}
