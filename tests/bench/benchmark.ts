import type { Shutdown } from "@/scripts/shutdown";
import type { Stack } from "@/scripts/stack";

/** The options behind a benchmark's name, and where its figures go. */
export type LoneBench = { args: string[]; print: (line: string) => void };

/** With the running stack, and the shutdown for everything a benchmark opens. */
export type Bench = LoneBench & { stack: Stack; shutdown: Shutdown };

/** Prints figures next to their limits; a figure never fails a benchmark, only an inability to measure does. */
export type Benchmark = { name: string; about: string } & (
  | {
      /** Extra environment for the app. */
      environment?: () => Promise<Record<string, string>>;
      run: (bench: Bench) => Promise<void>;
    }
  /** Needs no app. */
  | { runAlone: (bench: LoneBench) => Promise<void> }
);
