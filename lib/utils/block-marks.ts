/** Bullets that other applications write and Markdown does not know. */
export const BULLETS = "•◦‣▪●·";
/** Spaces that a keyboard or another application puts after a mark: no-break, narrow no-break and ideographic. */
export const WIDE_SPACES = "\u00a0\u202f\u3000";

const UNKNOWN_TO_MARKDOWN = new RegExp(`[${BULLETS}${WIDE_SPACES}]`);
const MARK = new RegExp(`(?:[-*+${BULLETS}]|\\d{1,9}[.)])(?=[ \\t${WIDE_SPACES}])`, "y");
const HASHES = /#{1,6}/y;

/** A text as the parsers read its marks, of the same length: see `plainMarks`. */
export function withPlainMarks(text: string): string {
  if (!UNKNOWN_TO_MARKDOWN.test(text)) return text;
  const lines = text.split("\n");
  return lines
    .map((line, index) =>
      plainMarks(
        line,
        () => lines[index - 1],
        () => lines[index + 1],
      ),
    )
    .join("\n");
}

/**
 * A line with marks that Markdown knows, of the same length: a plain space after each mark of a block, and `+` for another
 * application's bullet where a line before or after it has one too. A single bullet stays text.
 */
export function plainMarks(line: string, before: () => string | undefined, after: () => string | undefined): string {
  if (!UNKNOWN_TO_MARKDOWN.test(line)) return line;
  const start = startOf(line);
  const isListed = start.bullet >= 0 && (follows(start, startOf(before())) || follows(startOf(after()), start));
  const characters = line.split("");
  for (const at of start.spaces) characters[at] = " ";
  if (isListed) characters[start.bullet] = "+";
  return characters.join("");
}

/** Where a line's marks of quotes, lists and headings end. */
type Start = {
  /** Positions of wide spaces after marks. */
  spaces: number[];
  /** The position of another application's bullet, the last mark; else -1. */
  bullet: number;
  bulletColumn: number;
  quotes: number;
  isItem: boolean;
  /** The column of the text in the innermost item that begins on the line. */
  textColumn: number;
};

function startOf(line = ""): Start {
  const start: Start = { spaces: [], bullet: -1, bulletColumn: 0, quotes: 0, isItem: false, textColumn: 0 };
  let at = 0;
  let column = 0;
  for (;;) {
    for (; line[at] === " " || line[at] === "\t"; at += 1) column += line[at] === "\t" ? 4 - (column % 4) : 1;
    const isQuote = line[at] === ">";
    const width = isQuote ? 1 : lengthAt(MARK, line, at) || lengthAt(HASHES, line, at);
    if (width === 0) return start;
    if (BULLETS.includes(line[at] ?? "")) Object.assign(start, { bullet: at, bulletColumn: column });
    else if (isQuote) start.quotes += 1;
    else Object.assign(start, { isItem: true, textColumn: column + width + 1 });
    const isLast = start.bullet >= 0 || line[at] === "#";
    at += width;
    column += width;
    if (isWide(line[at])) {
      start.spaces.push(at);
      at += 1;
      column += 1;
    }
    if (isLast) return start;
  }
}

function lengthAt(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0].length ?? 0;
}

function isWide(character = ""): boolean {
  return character !== "" && WIDE_SPACES.includes(character);
}

/** Do both lines begin with a bullet, the later one in the quote or item of the earlier? */
function follows(later: Start, earlier: Start): boolean {
  if (earlier.bullet < 0 || later.bullet < 0 || later.isItem || later.quotes !== earlier.quotes) return false;
  return later.bulletColumn >= earlier.textColumn;
}

const NESTED = /(?:[-*+]|1[.)])[ \t]+[^ \t\r\n]/y;
const RULE = /([-*])(?:[ \t]*\1){2,}[ \t]*(?:[\r\n]|$)/y;

/**
 * Does a list begin here that belongs to a numbered item although it is indented by less than the item's text? Its number
 * is 1: another one goes on with the list outside.
 */
export function beginsNestedList(text: string, at: number): boolean {
  return lengthAt(NESTED, text, at) > 0 && lengthAt(RULE, text, at) === 0;
}

/** The columns by which a list is indented under the mark of a numbered item that it belongs to. */
export const NESTED_INDENTS = [2, 3];

/** `- ` for other applications' bullets, in a pasted text; outside fenced code and where it has more than one. */
export function bulletsToDashes(text: string): string {
  const lines = text.split("\n");
  let isCode = false;
  let previous = -1;
  let listed = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (line.trim() === "") continue;
    const isBullet = !isCode && PASTED.test(line);
    if (isBullet && previous >= 0) {
      if (!listed) lines[previous] = withDash(lines[previous] ?? "");
      lines[index] = withDash(line);
    }
    listed = isBullet && previous >= 0;
    previous = isBullet ? index : -1;
  }
  return lines.join("\n");
}

const PASTED = new RegExp(`^([ \\t>]*)[${BULLETS}]\\s+(?=\\S)`);

function withDash(line: string): string {
  return line.replace(PASTED, "$1- ");
}
