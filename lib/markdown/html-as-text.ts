/**
 * The text of an HTML block, as Markdown: tags are dropped and the text between them is kept, so that a sentence wrapped in a
 * <div> is not lost from a published post. <br> stays a line break; comments, scripts and styles go with their content.
 */
export function textOfHtml(html: string): string {
  const text = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(script|style|template|iframe|object|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replaceAll("\0", "")
    .replace(/<br\s*\/?>/gi, BREAK)
    .replace(/<\/(?:p|div|li|h[1-6]|tr|section|summary|blockquote)\s*>/gi, "\n\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/^[ \t]+/gm, "");
  // Before and after all text a break is none: its backslash would be read as a letter.
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end).replaceAll(BREAK, "\\\n");
}

/** Stands for a line break meanwhile. */
const BREAK = "\0";

function isSpace(character: string): boolean {
  return character === BREAK || character.trim() === "";
}

/** Is this one inline tag a line break? Of all others only the text between them stays, which is no part of the tag. */
export function isLineBreak(tag: string): boolean {
  return /^<br\s*\/?>$/i.test(tag.trim());
}
