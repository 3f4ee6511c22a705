import type { Shots, Summary } from "@/tests/bench/fairness/figures-file";
import type { Measured } from "@/tests/bench/fairness/sides";
import type { Answers } from "@/tests/bench/fairness/traffic";
import { quantile, spread } from "@/tests/bench/figures";

/** The figures of all rounds: times of all of them together, memory at its most, and the median of what else was measured. */
export function summaryOf(alone: Measured[], attacked: Measured[]): Summary {
  const attacks = attacked.flatMap(({ attack }) => attack ?? []);
  const bothOf = <Value>(figure: (sides: Measured[]) => Value) => ({
    alone: figure(alone),
    attacked: figure(attacked),
  });
  const people = Object.keys(attacked[0]?.others ?? {}).map(
    (name) => [name, bothOf((sides) => shotsOf(sides.flatMap(({ others }) => others[name] ?? [])))] as const,
  );
  const beside = Object.keys(attacked[0]?.beside ?? {}).map(
    (name) => [name, bothOf((sides) => medianOf(sides.map((side) => side.beside[name] ?? Number.NaN)))] as const,
  );
  return {
    at: new Date().toISOString(),
    load: Math.max(...[...alone, ...attacked].map(({ load }) => load)),
    rounds: attacked.length,
    people: Object.fromEntries(people),
    attack: shotsOf(attacks),
    statuses: statusesOf(attacks),
    figures: {
      ...Object.fromEntries(beside),
      "RSS at most, MB": bothOf((sides) => megabytes(sides.map(({ residentMost }) => residentMost))),
      "RSS at the end, MB": bothOf((sides) => megabytes(sides.map(({ residentAtEnd }) => residentAtEnd))),
    },
  };
}

function shotsOf(answers: Answers[]): Shots {
  const times = answers.flatMap(({ times }) => times).sort((a, b) => a - b);
  const statuses = Object.entries(statusesOf(answers));
  const count = (matches: RegExp) =>
    statuses.reduce((total, [status, count]) => total + (matches.test(status) ? count : 0), 0);
  return {
    count: times.length,
    p50: numeric(quantile(times, 0.5)),
    p99: numeric(quantile(times, 0.99)),
    serverErrors: count(/^5/),
    failures: count(/^(4|no answer)/),
  };
}

function statusesOf(answers: Answers[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { statuses } of answers)
    for (const [status, count] of Object.entries(statuses)) all[status] = (all[status] ?? 0) + count;
  return all;
}

function medianOf(values: number[]): number | null {
  return numeric(spread(values).median);
}

/** The most that was used; null once the app's process is gone, because Number(undefined) is NaN. */
function megabytes(bytes: (number | undefined)[]): number | null {
  return numeric(Math.max(...bytes.map(Number)) / 1_000_000);
}

/** JSON has no NaN. */
function numeric(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
