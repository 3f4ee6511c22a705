import type { Bench } from "@/tests/bench/benchmark";
import type { Call, Pattern, Traffic } from "@/tests/bench/fairness/traffic";
import type { Limit } from "@/tests/bench/figures";

/** One side of a round, prepared before its clock starts. */
export type Side = {
  /** What the attacker sends, on the attacked side alone. */
  calls: Call[];
  /** More calls that are measured on both sides. */
  watched?: Traffic[];
  /** Work that is measured on both sides, and that the side waits for: figures by name. */
  beside?: () => Promise<Record<string, number>>;
};

/** Runs before each side. */
export type Prepared = (isAttacked: boolean) => Promise<Side>;

export type Attack = {
  name: string;
  about: string;
  pattern: Pattern;
  /** Runs once, before the first side. */
  prepare: (bench: Bench) => Promise<Prepared>;
  /** How long the attacked side lasts, if `--seconds` is not enough. */
  seconds?: number;
  /** The number of rounds, if `--rounds` is too many. */
  rounds?: number;
  /** Runs only with --large. */
  isLarge?: true;
  /** Limits how much the attack may raise the figure of this name: 1.1 is a tenth. */
  growth?: { of: string; limit: Limit };
};

/** Prepares an attack whose calls are the same on every side. */
export function always(calls: (bench: Bench) => Promise<Call[]> | Call[]): Attack["prepare"] {
  return async (bench) => {
    const made = await calls(bench);
    return async () => ({ calls: made });
  };
}
