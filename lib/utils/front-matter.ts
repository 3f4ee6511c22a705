/** Longer ones are text. */
export const MAX_FRONT_MATTER = 10_000;

const KEY = /^["']?[\p{L}\p{N}_][\p{L}\p{N}_ ./-]{0,60}["']?[ \t]*:(?:\s|$)/u;
/** Items of a list, continued values, comments, and the end of a value in brackets. */
const MORE = /^(?:-\s|-$|[ \t]|#|[\]}],?\s*$)/;

/**
 * Where the text's front matter ends: the YAML between `---` and `---` or `...` with which site generators and note apps begin
 * a file. 0 if the text has none.
 */
export function frontMatterEnd(whole: string): number {
  const text = whole.slice(0, MAX_FRONT_MATTER);
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0].length ?? 0;
  let hasKey = false;
  for (let at = start; start > 0 && at < text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end);
    if (hasKey && /^(?:---|\.\.\.)\s*$/.test(line)) return end;
    const isKey = KEY.test(line);
    if (!isKey && line.trim() !== "" && !MORE.test(line)) return 0;
    hasKey ||= isKey;
    at = end + 1;
  }
  return 0;
}
