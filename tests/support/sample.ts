/**
 * CI has thirty minutes, and most of them go into inputs of the same kind: there (TEST_SAMPLE=1) the tests with most of them take
 * every third. `npm test` takes all.
 */
const ONE_IN = process.env.TEST_SAMPLE === "1" ? 3 : 1;

/** Of inputs that each are tried. Tests of one kind take different ones if each has a number. */
export function sampled<Item>(items: readonly Item[], test = 0): Item[] {
  return items.filter((_, at) => at % ONE_IN === test % ONE_IN);
}

/** How many to try of so many. */
export function sampleSize(full: number): number {
  return Math.ceil(full / ONE_IN);
}
