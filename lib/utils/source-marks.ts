/** A place where the AI asks for a source. Without a claim, as in `[source needed]`, that is empty. */
export type SourceMark = { from: number; to: number; claim: string };

type Range = { from: number; to: number };

/** Marks that are found in one text. */
export const MAX_SOURCE_MARKS = 500;

/** Brackets and line breaks end a claim, so that no character is read for two marks. With an address after it, it is a link. */
const MARK = /\[source needed(?::([^[\]\n]*))?\](?!\()/gi;

/** The first marks of a text such as `[source needed: how deep]`, in their order, without those in code. */
export function sourceMarks(text: string): SourceMark[] {
  const marks: SourceMark[] = [];
  let code: Range[] | null = null;
  let next = 0;
  for (const { 0: mark, 1: claim = "", index: from } of text.matchAll(MARK)) {
    if (marks.length === MAX_SOURCE_MARKS) break;
    if (isEscaped(text, from)) continue;
    code ??= codeIn(text);
    while ((code[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    if ((code[next]?.from ?? Number.POSITIVE_INFINITY) > from) {
      marks.push({ from, to: from + mark.length, claim: claim.trim() });
    }
  }
  return marks;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start -= 1;
  return (at - start) % 2 === 1;
}

const QUOTES = /^(?: {0,3}>)*/;
const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([\s\S]*)/;
const INDENT = /^ ?(?: {4}| {0,3}\t)/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** What begins a line that does not go on with the paragraph before it. */
const BEGINNING = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;

/** The code of a text: what is fenced, indented or between backticks. */
function codeIn(text: string): Range[] {
  const code: Range[] = [];
  let fence: { marker: string; quotes: number } | null = null;
  let [isAfterBlank, isInList, depth] = [true, false, 0];
  let paragraph = 0;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const whole = text.slice(from, to);
    const [quotes = ""] = whole.includes(">") ? (QUOTES.exec(whole) ?? []) : [];
    const line = whole.slice(quotes.length);
    const quoted = quotes === "" ? 0 : quotes.split(">").length - 1;
    const isBlank = line.trim() === "";
    if (fence && quoted < fence.quotes) fence = null;
    const [, marker = "", info = ""] = (/```|~~~/.test(line) && FENCE.exec(line)) || [];
    const isBeginning = BEGINNING.test(line);
    const isIndented = !fence && !isBlank && isAfterBlank && !isInList && INDENT.test(line);
    const isOpening = !fence && !isIndented && marker !== "" && !(marker.startsWith("`") && info.includes("`"));
    if (isBlank || fence || isOpening || isIndented || quoted !== depth || isBeginning) {
      addBackticks(text, paragraph, from, code);
      paragraph = from;
    }
    if (fence || isOpening || isIndented) {
      code.push({ from, to });
      paragraph = to;
    }
    if (isOpening) fence = { marker, quotes: quoted };
    else if (fence && marker.startsWith(fence.marker) && info.trim() === "") fence = null;
    if (isBeginning && ITEM.test(line)) isInList = true;
    else if (isAfterBlank && /^\S/.test(line)) isInList = false;
    // Indented code goes on until a line is not indented.
    isAfterBlank = isBlank || isIndented;
    depth = quoted;
    from = to + 1;
  }
  addBackticks(text, paragraph, text.length, code);
  return code;
}

const BACKTICK = 96;

/** Adds what is between two runs of as many backticks in a paragraph. */
function addBackticks(text: string, start: number, end: number, code: Range[]): void {
  const runs: { from: number; length: number }[] = [];
  for (let at = start; at < end; at += 1) {
    const from = at;
    while (at < end && text.charCodeAt(at) === BACKTICK) at += 1;
    if (at > from) runs.push({ from, length: at - from });
  }
  const later = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at] ?? { length: 0 };
    closing[at] = later.get(length) ?? -1;
    later.set(length, at);
  }
  for (let at = 0; at < runs.length; at += 1) {
    const [open, close] = [runs[at], runs[closing[at] ?? -1]];
    if (!open || !close || isEscaped(text, open.from)) continue;
    code.push({ from: open.from, to: close.from + close.length });
    at = closing[at] ?? at;
  }
}
