import { InlineContext, type MarkdownConfig } from "@lezer/markdown";
import { eastAsianWidthType } from "get-east-asian-width";

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;
const STRIKETHROUGH = { resolve: "Strikethrough", mark: "StrikethroughMark" };

/**
 * Marks of emphasis and pairs of tildes as the published post has them: beside Chinese, Japanese and Korean characters, whose texts
 * have no spaces, punctuation does not keep asterisks and tildes from opening or closing. This is what markdown-it-cjk-friendly does, with the
 * same table of characters: https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
 */
export const delimiters: MarkdownConfig = {
  parseInline: [
    {
      name: "FriendlyEmphasis",
      before: "Emphasis",
      parse(context, next, start) {
        if (next !== ASTERISK && next !== UNDERSCORE) return -1;
        const end = endOfRun(context, next, start);
        const { open, close } = flanking(context, start, end);
        const type = next === ASTERISK ? InlineContext.emphasisAsterisk : InlineContext.emphasisUnderscore;
        return context.addDelimiter(type, start, end, open, close);
      },
    },
    {
      name: "FriendlyStrikethrough",
      before: "Strikethrough",
      parse(context, next, start) {
        if (next !== TILDE) return -1;
        const end = endOfRun(context, next, start);
        if (end - start !== 2) return end;
        const { open, close } = flanking(context, start, end);
        return context.addDelimiter(STRIKETHROUGH, start, end, open, close);
      },
    },
  ],
};

function endOfRun(context: InlineContext, marker: number, start: number): number {
  let end = start + 1;
  while (context.char(end) === marker) end += 1;
  return end;
}

function flanking(context: InlineContext, start: number, end: number): { open: boolean; close: boolean } {
  const text = context.text;
  const [last, beforeLast] = charactersBefore(text, start - context.offset);
  const next = text.codePointAt(end - context.offset) ?? SPACE;
  const hasSelector = isTextSelector(last) && !isSpace(beforeLast);
  const main = hasSelector ? beforeLast : last;
  if (isSpace(main) || isSpace(next)) return { open: !isSpace(next), close: !isSpace(main) };
  if (context.char(start) === UNDERSCORE) return { open: isPunctuation(main), close: isPunctuation(next) };
  const isCjk = isNextCjk(next) || (isTextSelector(last) ? isCjkWithSelector(beforeLast, last) : isLastCjk(last));
  return {
    open: isPunctuation(main) || isCjk || !isPunctuation(next),
    close: isPunctuation(next) || isCjk || !isPunctuation(main),
  };
}

const SPACE = 32;

function charactersBefore(text: string, end: number): [number, number] {
  const last = codePointBefore(text, end);
  return [last, codePointBefore(text, end - (last > 0xffff ? 2 : 1))];
}

function codePointBefore(text: string, end: number): number {
  if (end <= 0) return SPACE;
  const whole = end > 1 ? text.codePointAt(end - 2) : undefined;
  return whole !== undefined && whole > 0xffff ? whole : text.charCodeAt(end - 1);
}

function isSpace(codePoint: number): boolean {
  return /\s/.test(String.fromCodePoint(codePoint));
}

function isPunctuation(codePoint: number): boolean {
  return /[\p{P}\p{S}]/u.test(String.fromCodePoint(codePoint));
}

/** Null for what is as wide as its neighbours. */
function isCjk(codePoint: number): boolean | null {
  if (codePoint < 0x1100) return false;
  const character = String.fromCodePoint(codePoint);
  switch (eastAsianWidthType(codePoint)) {
    case "fullwidth":
    case "halfwidth":
      return true;
    case "wide":
      return !/^\p{Emoji_Presentation}/u.test(character);
    case "ambiguous":
      return null;
    case "neutral":
      return /^\p{sc=Hangul}/u.test(character);
    default:
      return false;
  }
}

function isNextCjk(codePoint: number): boolean {
  return isCjk(codePoint) ?? false;
}

function isLastCjk(codePoint: number): boolean {
  return isCjk(codePoint) ?? (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
}

function isCjkWithSelector(codePoint: number, selector: number): boolean {
  return isCjk(codePoint) ?? (selector === 0xfe01 && [0x2018, 0x2019, 0x201c, 0x201d].includes(codePoint));
}

/** A variation selector that makes no emoji. */
function isTextSelector(codePoint: number): boolean {
  return codePoint >= 0xfe00 && codePoint <= 0xfe0e;
}
