import type { Shutdown } from "@/scripts/shutdown";
import type { Stack } from "@/scripts/stack";

/** The running stack, the shutdown for everything a benchmark opens, and the options behind its name. */
export type Bench = { stack: Stack; shutdown: Shutdown; args: string[]; print: (line: string) => void };

/** Prints figures next to their limits; a figure never fails a benchmark, only an inability to measure does. */
export type Benchmark = {
  name: string;
  about: string;
  /** Extra environment for the app. */
  environment?: () => Promise<Record<string, string>>;
  run: (bench: Bench) => Promise<void>;
};
