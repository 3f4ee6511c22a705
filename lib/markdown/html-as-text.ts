/**
 * The text of an HTML block, as Markdown: tags are dropped and the text between them is kept, so that a sentence wrapped in a
 * <div> is not lost from a published post. <br> stays a line break; comments, scripts and styles go with their content.
 */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(script|style|template|iframe|object|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<br\s*\/?>/gi, "\\\n")
    .replace(/<\/(?:p|div|li|h[1-6]|tr|section|summary|blockquote)\s*>/gi, "\n\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/^[ \t]+/gm, "")
    .trim();
}

/** Is this one inline tag a line break? Of all others only the text between them stays, which is no part of the tag. */
export function isLineBreak(tag: string): boolean {
  return /^<br\s*\/?>$/i.test(tag.trim());
}
