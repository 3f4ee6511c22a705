import { diff3Merge } from "node-diff3";

/** Lines that both sides agree on, or that each side has changed in its own way. */
export type Part = { lines: string[] } | { base: string[]; mine: string[]; theirs: string[] };

/** How many pairs of lines may be compared; beyond, everything between the common beginning and end counts as one part. */
const MAX_PAIRS = 4_000_000;

/**
 * Merges two versions of a text line by line, with the text both come from (diff3: Khanna, Kunal and Pierce, 2007). A part that
 * only one side has changed is that side's; one that both have changed in the same way is merged as well.
 */
export function mergeTexts(base: string, mine: string, theirs: string): { text: string } | { parts: Part[] } {
  const parts = partsOf(lines(base), lines(mine), lines(theirs));
  const isClean = parts.every((part) => "lines" in part);
  return isClean ? { text: textOf(parts, "mine") } : { parts };
}

/** The text with one side's version of each part that both have changed. */
export function textOf(parts: Part[], side: "mine" | "theirs"): string {
  return parts.flatMap((part) => ("lines" in part ? part.lines : part[side])).join("\n");
}

function partsOf(base: string[], mine: string[], theirs: string[]): Part[] {
  const all = [base, mine, theirs];
  const shortest = Math.min(...all.map(({ length }) => length));
  let start = 0;
  while (start < shortest && base[start] === mine[start] && base[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < shortest - start && all.every((each) => each.at(-1 - end) === base.at(-1 - end))) end += 1;
  const [o, a, b] = all.map((each) => each.slice(start, each.length - end)) as [string[], string[], string[]];
  return [{ lines: base.slice(0, start) }, ...middle(o, a, b), { lines: end > 0 ? base.slice(-end) : [] }];
}

function middle(base: string[], mine: string[], theirs: string[]): Part[] {
  if (base.length * Math.max(mine.length, theirs.length) > MAX_PAIRS) return [{ base, mine, theirs }];
  return diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }).map(({ ok, conflict }) =>
    conflict ? { base: conflict.o, mine: conflict.a, theirs: conflict.b } : { lines: ok ?? [] },
  );
}

function lines(text: string): string[] {
  return text.split("\n");
}
