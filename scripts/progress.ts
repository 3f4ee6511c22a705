export type Print = (line: string) => void;

/** Runs one step of a start and prints it with its time; a long one says at once what it is doing. */
export async function step<Result>(print: Print, name: string, work: () => Promise<Result> | Result): Promise<Result> {
  const began = performance.now();
  const announce = setTimeout(() => print(`  ${name} …`), 1_000);
  try {
    const result = await work();
    print(`✓ ${name} (${seconds(began)})`);
    return result;
  } finally {
    clearTimeout(announce);
  }
}

/** Time since `began` (of performance.now()) for people: `0.4 s`. */
export function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** Runs a command's main function: an Error is printed as its sentence, with exit code 1. */
export function runCommand(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(`\n${error instanceof Error ? error.message : String(error)}`);
      if (process.env.DEBUG) console.error(error);
      process.exit(1);
    },
  );
}
