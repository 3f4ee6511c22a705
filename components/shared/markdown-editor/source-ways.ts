import { citableAddress } from "@/components/shared/markdown-editor/web-address";
import type { SourceMark } from "@/lib/utils/source-marks";

/** What takes the place of a part of a text. */
type Change = { from: number; to: number; insert: string };
type Range = { from: number; to: number };

/**
 * Puts a citation in the place of a mark: `([source](https://…))`, or a link on the words right before it if these are the
 * claim. Returns null for what is not an address of the web.
 */
export function cite(text: string, mark: SourceMark, address: string): Change | null {
  const url = citableAddress(address);
  if (!url) return null;
  const words = claimBefore(text, mark);
  if (words) return { from: words.from, to: mark.to, insert: `[${text.slice(words.from, words.to)}](${url})` };
  return { from: mark.from, to: mark.to, insert: `([source](${url}))` };
}

/** Removes the sentence that has the mark. `block` is the paragraph, heading, item or cell that it is in; without words it goes too. */
export function dropClaim(text: string, mark: SourceMark, block: Range): Change {
  const start = block.from + (/^(?:#{1,6}|\[[ xX]\])[ \t]+/.exec(text.slice(block.from, mark.from))?.[0].length ?? 0);
  const sentence = sentenceAround(text, mark, { from: start, to: block.to });
  const isAll = sentence.from === start && sentence.to === block.to;
  return { ...((isAll && wholeLines(text, block)) || sentence), insert: "" };
}

/** Words that Markdown would read as more than words. */
const MARKED = /[*_`<\\~|]/;
const IN_WORD = /[\p{L}\p{N}]$/u;

function claimBefore(text: string, { from, claim }: SourceMark): Range | null {
  if (claim === "" || MARKED.test(claim)) return null;
  const to = from - (text[from - 1] === " " ? 1 : 0);
  const start = to - claim.length;
  const isClaim = start >= 0 && text.slice(start, to).toLowerCase() === claim.toLowerCase();
  return isClaim && !IN_WORD.test(text.slice(Math.max(0, start - 2), start)) ? { from: start, to } : null;
}

/** The sentence with the space after it; the last one of a block with the space before it. */
function sentenceAround(text: string, mark: SourceMark, block: Range): Range {
  const [before, after] = [text.slice(block.from, mark.from), text.slice(mark.to, block.to)];
  // After a full stop, a mark begins a sentence if that goes on; otherwise it belongs to the sentence before.
  const cover = /^\s*\p{Ll}/u.test(after) ? "X" : " ";
  const shown = plain(before) + cover.repeat(mark.to - mark.from) + plain(after);
  const segments = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(shown);
  const found = segments.containing(mark.from - block.from);
  let from = found?.index ?? 0;
  let to = from + (found?.segment ?? shown).length;
  const source = text.slice(block.from + from, block.from + to);
  const [opening = ""] = /^[*_~]+/.exec(source) ?? [];
  const [closing = ""] = /[*_~]+(?=\s*$)/.exec(source) ?? [];
  // What begins or ends in another sentence stays for that one.
  if (opening !== "" && !source.slice(opening.length).includes(opening)) from += opening.length;
  const isOpenedBefore = closing !== "" && source.indexOf(closing) === source.lastIndexOf(closing);
  if (isOpenedBefore) to = (found?.index ?? 0) + source.lastIndexOf(closing);
  if (isOpenedBefore || to === shown.length) from = shown.slice(0, from).trimEnd().length;
  return { from: block.from + from, to: block.from + to };
}

/** As long as the source: formatting ends a sentence as quotation marks do, a line's end and the marks of a quote do not. */
function plain(source: string): string {
  return source.replace(/\n[ \t>]*/g, (gap) => " ".repeat(gap.length)).replace(/[*_~]/g, '"');
}

const MARKS = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?$/;

/** The lines of a block and the blank ones after it; null if something else is on them or belongs to them. */
function wholeLines(text: string, block: Range): Range | null {
  const from = text.lastIndexOf("\n", block.from - 1) + 1;
  const end = text.indexOf("\n", block.to) < 0 ? text.length : text.indexOf("\n", block.to);
  const prefix = text.slice(from, block.from);
  if (!MARKS.test(prefix) || text.slice(block.to, end).trim() !== "") return null;
  const rest = text.slice(end + 1);
  const blank = /^(?:[ \t]*\n)*/.exec(rest)?.[0].length ?? 0;
  if (prefix.trim() !== "" && indentOf(rest.slice(blank)) > indentOf(prefix)) return null;
  if (rest.trim() === "") return { from: text.slice(0, from).trimEnd().length, to: text.length };
  const previous = text.slice(text.lastIndexOf("\n", from - 2) + 1, from);
  return { from, to: end + 1 + (from === 0 || previous.trim() === "" ? blank : 0) };
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
