import type { Shutdown } from "@/scripts/shutdown";
import type { Stack } from "@/scripts/stack";

/** What a benchmark works on: the running product, and the end that everything it opens is added to. */
export type Bench = { stack: Stack; shutdown: Shutdown; print: (line: string) => void };

/** Prints figures with the promises beside them; never fails for a figure, only when it cannot measure. */
export type Benchmark = {
  name: string;
  about: string;
  /** What the app is started with besides. */
  environment?: () => Promise<Record<string, string>>;
  run: (bench: Bench) => Promise<void>;
};
