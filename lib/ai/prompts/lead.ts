import { readLines } from "@/lib/ai/prompts/markdown";
import { lengthInWords } from "@/lib/utils/words";

/** The Markdown of a post's first section, and the sentences that stand before its heading; "" for none. */
export type Led = { lead: string; text: string };

/** The line between a lead and the first section. */
const LINE = /^-{3,}\s*$/;

/** Twice the length that is asked for; anything longer is text. */
const MAX_WORDS = 150;

/** Takes the lead off the first section's answer. Without the line there is none, and one with a heading is text. */
export function splitLead(markdown: string): Led {
  const lines = readLines(markdown);
  const at = lines.findIndex(({ text }) => LINE.test(text));
  const before = lines.slice(0, at === -1 ? 0 : at);
  const [lead, text] = [before, lines.slice(at + 1)].map((part) =>
    part
      .map((line) => line.text)
      .join("\n")
      .trim(),
  );
  if (!lead || !text || before.some(({ heading, text: line }) => heading || FENCE.test(line)))
    return { lead: "", text: markdown };
  if (lengthInWords(lead) <= MAX_WORDS) return { lead, text };
  // Right below a paragraph the line would make a heading of it.
  return { lead: "", text: `${lead}\n\n---\n\n${text}` };
}

/** In code the line separates nothing. */
const FENCE = /^ {0,3}(?:`{3}|~{3})/;
