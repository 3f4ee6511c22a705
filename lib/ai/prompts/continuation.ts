import { withoutWrapping } from "@/lib/ai/prompts/wrapping";

/** The longest repetition of a beginning that is looked for, in UTF-16 units, and the shortest that is one. */
const OVERLAP = { min: 20, max: 500 } as const;

/** A line that begins a block: a heading, an item, a quote, a row, a fence. */
const BLOCK = /^(?:#{1,6}\s|[-*+•]\s|\d{1,9}[.)]\s|>|\||`{3}|~{3})/;

/**
 * A beginning, followed by what a model wrote when it was asked to go on from there. Where the model repeats the last words or
 * starts over, nothing appears twice. White space at the end of the beginning is kept between the two.
 */
export function withContinuation(begun: string, answer: string): string {
  const next = withoutWrapping(answer);
  if (begun.trim() === "") return next;
  if (next.startsWith(begun.trim().slice(0, OVERLAP.max))) return next;
  const rest = withoutOverlap(begun.trimEnd(), next);
  if (rest === "") return begun.trimEnd();
  if (/\s$/.test(begun)) return `${begun}${rest}`;
  return `${begun}${BLOCK.test(rest) ? "\n\n" : " "}${rest}`;
}

function withoutOverlap(begun: string, next: string): string {
  for (let length = Math.min(OVERLAP.max, begun.length, next.length); length >= OVERLAP.min; length--) {
    if (next.startsWith(begun.slice(-length))) return next.slice(length).trimStart();
  }
  return next;
}
