/** `main` is what one runs before pushing, `thorough` what only `all` has beyond it: suites in a folder of that name. */
const SCOPES = ["main", "thorough", "all"] as const;
const PARTS = ["check", "unit", "api", "e2e", "faults"] as const;
const OF_SCOPE: Record<Scope, TestPart[]> = {
  main: ["check", "api", "e2e"],
  thorough: ["unit", "api", "e2e", "faults"],
  all: ["check", "api", "e2e", "faults"],
};

export type Scope = (typeof SCOPES)[number];
export type TestPart = (typeof PARTS)[number];

/**
 * The scope, and the parts named by `npm test -- …`, by default all of the scope; the remaining arguments go to the part's
 * runner. A part that is named has all its suites, so that one file can be run wherever it is.
 */
export function chosenParts(words: string[]): { scope: Scope; parts: TestPart[]; args: string[] } {
  const [word, first, ...args] = words;
  const scope = SCOPES.find((name) => name === word) ?? "main";
  if (first === undefined) return { scope, parts: OF_SCOPE[scope], args: [] };
  const part = PARTS.find((name) => name === first);
  if (!part) throw new Error(`npm test runs everything; npm test -- ${PARTS.join("|")} runs one part.`);
  return { scope: args.length > 0 ? "all" : scope, parts: [part], args };
}
