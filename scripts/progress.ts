export type Print = (line: string) => void;

/** Runs one step and prints its duration; a slow one is announced after a second. */
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

/** Seconds since `began` (from performance.now()), as in `0.4 s`. */
export function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** Runs a command's main function; an error is printed as its message, with exit code 1. */
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
