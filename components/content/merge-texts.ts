import { diff3Merge, diffComm } from "node-diff3";

/** Lines that both sides agree on or one of them has changed, or lines that each has changed in its own way. */
export type MergePart = { lines: string[] } | Clash;
export type Clash = { mine: string[]; theirs: string[] };
export type Choice = "mine" | "theirs" | "both";

export function isClash(part: MergePart): part is Clash {
  return "mine" in part;
}

/** How many pairs of lines may be compared; beyond, everything between the common beginning and end counts as one part. */
const MAX_PAIRS = 4_000_000;

/**
 * Merges two versions of a text line by line, with the text both come from (diff3: Khanna, Kunal and Pierce, 2007). A part that
 * only one side has changed is that side's; one that both have changed in the same way is merged as well. Without that text,
 * every difference is a clash.
 */
export function mergeTexts(base: string | undefined, mine: string, theirs: string): MergePart[] {
  if (base === undefined) return twoWay(lines(mine), lines(theirs));
  return partsOf(lines(base), lines(mine), lines(theirs));
}

/** The text with a choice for each clash. `choose` gets its place among the clashes. */
export function mergedText(parts: MergePart[], choose: (clash: number) => Choice = () => "mine"): string {
  let clash = -1;
  const chosen = parts.flatMap((part) => {
    if (!isClash(part)) return part.lines;
    clash += 1;
    const choice = choose(clash);
    if (choice === "both") return [...part.mine, ...part.theirs];
    return choice === "mine" ? part.mine : part.theirs;
  });
  return chosen.join("\n");
}

function twoWay(mine: string[], theirs: string[]): MergePart[] {
  if (mine.length * theirs.length > MAX_PAIRS) return [{ mine, theirs }];
  return diffComm(mine, theirs).map(({ common, buffer1, buffer2 }) =>
    common ? { lines: common } : { mine: buffer1 ?? [], theirs: buffer2 ?? [] },
  );
}

function partsOf(base: string[], mine: string[], theirs: string[]): MergePart[] {
  const all = [base, mine, theirs];
  const shortest = Math.min(...all.map(({ length }) => length));
  let start = 0;
  while (start < shortest && base[start] === mine[start] && base[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < shortest - start && all.every((each) => each.at(-1 - end) === base.at(-1 - end))) end += 1;
  const [o, a, b] = all.map((each) => each.slice(start, each.length - end)) as [string[], string[], string[]];
  return [{ lines: base.slice(0, start) }, ...middle(o, a, b), { lines: end > 0 ? base.slice(-end) : [] }];
}

function middle(base: string[], mine: string[], theirs: string[]): MergePart[] {
  if (base.length * Math.max(mine.length, theirs.length) > MAX_PAIRS) return [{ mine, theirs }];
  return diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }).map(({ ok, conflict }) =>
    conflict ? { mine: conflict.a, theirs: conflict.b } : { lines: ok ?? [] },
  );
}

function lines(text: string): string[] {
  return text.split("\n");
}
