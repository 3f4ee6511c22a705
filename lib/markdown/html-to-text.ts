import { HIDDEN } from "@/lib/markdown/tags";

/**
 * Turns an HTML block into Markdown text: drops tags but keeps the text, so that a sentence in a <div> survives
 * publishing. What only looks like a tag is text too. <br> stays a line break; comments, scripts and styles are dropped whole.
 */
export function htmlToText(html: string, isTag: (html: string) => boolean): string {
  const text = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(HIDDEN_ELEMENTS, "")
    .replaceAll("\0", "")
    .replace(/<br\s*\/?>/gi, BREAK)
    .replace(/<\/(?:p|div|li|h[1-6]|tr|section|summary|blockquote)\s*>/gi, "\n\n")
    .replace(/<\/?[a-z][^<>]*>/gi, (tag) => (isTag(tag) ? "" : `\\${tag}`))
    .replace(/^[ \t]+/gm, "");
  // Trim breaks at both ends: their backslash would be read as a character.
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end).replaceAll(BREAK, "\\\n");
}

const HIDDEN_ELEMENTS = new RegExp(`<(${HIDDEN.join("|")})\\b[\\s\\S]*?(?:<\\/\\1\\s*>|$)`, "gi");

/** A placeholder for a line break. */
const BREAK = "\0";

function isSpace(character: string): boolean {
  return character === BREAK || character.trim() === "";
}

/** Other inline tags leave only the text between them. */
export function isLineBreak(tag: string): boolean {
  return /^<br\s*\/?>$/i.test(tag.trim());
}
