import { parseArgs } from "node:util";
import { step } from "@/scripts/progress";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { type Limit, spread, table, verdict } from "@/tests/bench/figures";
import { prepareEfficiency } from "@/tests/bench/queue/efficiency";
import { measureFairness } from "@/tests/bench/queue/fairness";
import { measureFirstWords } from "@/tests/bench/queue/first-words";
import { startPart } from "@/tests/bench/queue/part";
import { type Counts, insertTopic, measureJob, type Provider, type Side, startSide } from "@/tests/bench/queue/side";

const LATENCY_MS = 200;
const WARM_UP = 100;

const TARGETS: Record<string, Limit> = {
  "C = 4, app: efficiency": { must: 0.93, aim: 0.95 },
  "C = 16, app: efficiency": { must: 0.7, aim: 0.8 },
  "C = 16, app: CPU, ms": { must: 14, aim: 10 },
  "C = 16, app: transactions": { must: 4, aim: 3 },
  "fairness: ratio": { must: 1.5, aim: 1.3 },
  "first word: added, p50, ms": { must: 50, aim: 15 },
  "first word: added, p99, ms": { must: 150, aim: 60 },
};

export const queue: Benchmark = {
  name: "queue",
  about:
    "queued outlines beside an in-memory pool and graphile-worker (13 minutes; --items, --rounds, --behind, --only efficiency|fairness|streaming)",
  run: measureQueue,
};

/** Measures one round. */
type Round = () => Promise<Counts>;

async function measureQueue(bench: Bench): Promise<void> {
  const { print, args } = bench;
  const { items, rounds, behind, only } = optionsOf(args);
  const provider: Provider = await startPart(bench, "provider", { latencyMs: LATENCY_MS });
  const sides: Side[] = [];
  for (const concurrency of only && only !== "efficiency" ? [4] : [4, 16]) {
    const side = await step(print, `The app at C = ${concurrency}`, () => startSide(bench, provider, concurrency));
    await measureJob(side, side.user, await insertTopic(side, side.user, WARM_UP));
    sides.push(side);
  }
  const [side] = sides as [Side];
  const parts: [string, () => Promise<Round> | Round][] = [
    ["efficiency", () => prepareEfficiency(bench, { sides, provider, items, latencyMs: LATENCY_MS })],
    ["fairness", () => () => measureFairness(side, behind)],
    ["streaming", () => () => measureFirstWords(side, provider)],
  ];
  const chosen: [string, Round][] = [];
  for (const [name, prepare] of parts) if (!only || only === name) chosen.push([name, await prepare()]);
  const figures = new Map<string, number[]>();
  for (let n = 1; n <= rounds; n++)
    for (const [part, measure] of chosen)
      for (const [name, value] of Object.entries(await step(print, `${part}, round ${n} of ${rounds}`, measure)))
        figures.set(name, [...(figures.get(name) ?? []), value]);
  print(`\n${items} outlines of one call of ${LATENCY_MS} ms each; CPU and transactions are an outline's.`);
  print(`Fairness: seconds of a small job alone, and behind another user's ${behind} outlines.`);
  print("A/A: each round divided by the one before it.\n");
  for (const line of report(figures)) print(line);
}

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      items: { type: "string", default: "500" },
      rounds: { type: "string", default: "3" },
      behind: { type: "string", default: "3000" },
      only: { type: "string" },
    },
  });
  const { items, rounds, behind, only } = values;
  if (only && !["efficiency", "fairness", "streaming"].includes(only))
    throw new Error("--only takes efficiency, fairness or streaming.");
  return { items: Number(items), rounds: Number(rounds), behind: Number(behind), only };
}

function report(figures: Map<string, number[]>): string[] {
  const band = (values: number[]) => {
    const { p10, p90 } = spread(values);
    return values.length > 0 ? `${p10.toFixed(2)}–${p90.toFixed(2)}` : "";
  };
  const rows = [...figures].map(([name, values]) => {
    const { median } = spread(values);
    const again = values.slice(1).map((value, at) => value / (values[at] ?? Number.NaN));
    const limit = TARGETS[name];
    const target = limit ? [`must ${limit.must}, aim ${limit.aim}: ${verdictOf(median, limit)}`] : [];
    return [name, median.toFixed(2), band(values), band(again), ...target];
  });
  return table(["", "median", "p10–p90", "A/A", ""], rows);
}

/** An aim above what must be is for a figure that should be high. */
function verdictOf(value: number, { must, aim }: Limit): string {
  return aim > must ? verdict(-value, { must: -must, aim: -aim }) : verdict(value, { must, aim });
}
