export type Kind = "TypeScript" | "SQL";

/** One change to one file; `start` and `end` are offsets into its text. */
export type Mutant = { file: string; kind: Kind; start: number; end: number; replacement: string };

export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** A mutant as a diff: its line number and the changed lines before and after. */
export function patchOf(source: string, mutant: Mutant): { line: number; from: string; to: string } {
  const first = source.lastIndexOf("\n", mutant.start - 1) + 1;
  const next = source.indexOf("\n", mutant.end);
  const last = next === -1 ? source.length : next;
  return {
    line: source.slice(0, mutant.start).split("\n").length,
    from: oneLine(source.slice(first, last)),
    to: oneLine(source.slice(first, mutant.start) + mutant.replacement + source.slice(mutant.end, last)),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `count` items, reproducible by seed, in their original order. */
export function sample<Item>(items: Item[], count: number, seed: number): Item[] {
  const next = randomNumbers(seed);
  const places = items.map((_, place) => ({ place, draw: next() })).sort((a, b) => a.draw - b.draw);
  const drawn = new Set(places.slice(0, count).map(({ place }) => place));
  return items.filter((_, place) => drawn.has(place));
}

/** The mulberry32 generator: numbers in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
