import { setTimeout as wait } from "node:timers/promises";
import { step } from "@/scripts/progress";
import type { Bench } from "@/tests/bench/benchmark";
import { startPart } from "@/tests/bench/queue/part";
import type { PeerRound } from "@/tests/bench/queue/part-main";
import { type Counts, createDatabase, measureJob, type Provider, type Side } from "@/tests/bench/queue/side";

const PEERS = ["pool", "graphile-worker"];
const WARM_UP = 100;
/** PostgreSQL counts what a connection did at the latest ten seconds after it became idle. */
const COUNTED_MS = 10_500;
/** In a minute, the schedule's frequent jobs run once. */
const IDLE_MS = 60_000;

type Options = { sides: Side[]; provider: Provider; items: number; latencyMs: number };

/** Measures the idle apps; the rounds measure each app with the peers beside it. */
export async function prepareEfficiency(bench: Bench, { sides, provider, items, latencyMs }: Options) {
  const connectionString = await createDatabase(bench, "queue_peers");
  const peers = await startPart(bench, "peers", { connectionString, ...provider.ready });
  // The last call that the app made.
  const body = await provider.ask<PeerRound["body"]>("body");
  const runPeer = (round: Omit<PeerRound, "body">) =>
    peers.ask<{ seconds: number; cpu: number }>({ ...round, body } satisfies PeerRound);
  for (const name of PEERS) await runPeer({ name, items: WARM_UP, concurrency: 4 });
  await wait(COUNTED_MS);
  const idleRates = await step(bench.print, "The idle apps", () =>
    Promise.all(sides.map(async (side) => ratesOf(await spent(side, () => wait(IDLE_MS))))),
  );

  return async () => {
    const figures: Record<string, number> = {};
    for (const [at, side] of sides.entries()) {
      const { concurrency } = side;
      const add = (who: string, seconds: number, perItem: Record<string, number>) => {
        const own = { efficiency: (items * latencyMs) / 1_000 / concurrency / seconds, ...perItem };
        for (const [name, value] of Object.entries(own)) figures[`C = ${concurrency}, ${who}: ${name}`] = value;
      };
      const { result, counts, ms } = await spent(side, () => measureJob(side, side.user, items));
      const perItem = mapOf(counts, (value, name) => (value - ms * (idleRates[at]?.[name] ?? 0)) / items);
      add("app", result, { "CPU, ms": perItem["app, ms"] + perItem["engine, ms"], ...perItem });
      for (const name of PEERS) {
        const { seconds, cpu } = await runPeer({ name, items, concurrency });
        add(name, seconds, { "CPU, ms": (1_000 * cpu) / items });
      }
    }
    return figures;
  };
}

type Spent<Result> = { result: Result; counts: Counts; ms: number };

/** What the work cost, and what went on until it was counted. */
async function spent<Result>(side: Side, work: () => Promise<Result>): Promise<Spent<Result>> {
  const [before, began] = [await side.counts(), performance.now()];
  const result = await work();
  await wait(COUNTED_MS);
  const after = await side.counts();
  return { result, counts: mapOf(after, (value, name) => value - before[name]), ms: performance.now() - began };
}

function ratesOf({ counts, ms }: Spent<void>): Counts {
  return mapOf(counts, (value) => value / ms);
}

function mapOf(counts: Counts, change: (value: number, name: keyof Counts) => number): Counts {
  const names = Object.keys(counts) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, change(counts[name], name)])) as Counts;
}
