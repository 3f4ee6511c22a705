/** The majors that are supported besides the oldest one, which everything else runs on. */
export const OTHER_MAJORS = [22, 24];
const COMMANDS = [
  ["test", "check"],
  ["test", "api"],
];

/** Splits `24 test api --shard=1/4` into versions and one command; both can be left out. */
export function chosenNodes(words: string[]): { majors: number[]; commands: string[][] } {
  const [first, ...rest] = words;
  if (first === undefined || !/^[\d,]+$/.test(first)) return { majors: OTHER_MAJORS, commands: commandsOf(words) };
  const majors = first.split(",").map(Number);
  const unknown = majors.find((major) => !OTHER_MAJORS.includes(major));
  if (unknown !== undefined) {
    throw new Error(`npm run test:node knows Node ${OTHER_MAJORS.join(" and ")}; ${unknown} is neither.`);
  }
  return { majors, commands: commandsOf(rest) };
}

function commandsOf(words: string[]): string[][] {
  return words.length > 0 ? [words] : COMMANDS;
}
