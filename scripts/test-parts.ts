const PARTS = ["check", "unit", "api", "e2e"] as const;
const ALL: Part[] = ["check", "api", "e2e"];

export type Part = (typeof PARTS)[number];

/** The parts named by `npm test -- …`, by default all; the remaining arguments go to the part's runner. */
export function chosenParts(words: string[]): { parts: Part[]; args: string[] } {
  const [first, ...args] = words;
  if (first === undefined) return { parts: ALL, args: [] };
  const part = PARTS.find((name) => name === first);
  if (!part) throw new Error(`npm test runs everything; npm test -- ${PARTS.join("|")} runs one part.`);
  return { parts: [part], args };
}
