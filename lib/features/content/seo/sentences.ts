import type { Block, Sentence } from "@/lib/features/content/seo/material";
import { lengthInWords } from "@/lib/utils/words";

/** Characters by which the beginning and the end of a sentence are found in its source, and how far ahead they are looked for. */
const ENOUGH = 40;
const AHEAD = 2_000;

/**
 * The sentences of a paragraph that have a word, by the rules of Unicode Standard Annex 29. Each has the place of its words in
 * `body`, or the paragraph's where marks inside it hide them.
 */
export function sentencesOf(block: Block, body: string, language: string | null): Sentence[] {
  const sentences: Sentence[] = [];
  let done = block.from;
  for (const text of segmentsOf(block.text, language)) {
    const words = lengthInWords(text);
    if (words === 0) continue;
    const ahead = body.slice(done, Math.min(block.to, done + text.length + AHEAD));
    const from = ahead.indexOf(text.slice(0, ENOUGH));
    const to = ahead.indexOf(text.slice(-ENOUGH), from);
    if (from < 0 || to < 0) sentences.push({ text, words, from: block.from, to: block.to });
    else sentences.push({ text, words, from: done + from, to: done + to + Math.min(ENOUGH, text.length) });
    done += from < 0 || to < 0 ? text.length : to + Math.min(ENOUGH, text.length);
  }
  return sentences;
}

/** The segmenter's time grows with the square of its text: a longer one is cut where a sentence seems to end. */
const PART = 5_000;

function* segmentsOf(text: string, language: string | null): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const part = text.slice(from, from + PART);
    const isLast = from + PART >= text.length;
    const end = isLast ? part.length : endOfPart(part);
    for (const { segment } of segmenterOf(language ?? "en").segment(part.slice(0, end))) yield segment.trim();
    from += end;
  }
}

function endOfPart(part: string): number {
  for (const end of [". ", "? ", "! ", "。", " "]) {
    const at = part.lastIndexOf(end);
    if (at > 0) return at + end.length;
  }
  return part.length;
}

let made: { language: string; segmenter: Intl.Segmenter } | null = null;

/** Making one takes longer than reading a paragraph. */
function segmenterOf(language: string): Intl.Segmenter {
  if (made?.language !== language)
    made = { language, segmenter: new Intl.Segmenter(language, { granularity: "sentence" }) };
  return made.segmenter;
}
