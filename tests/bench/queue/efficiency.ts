import { setTimeout as wait } from "node:timers/promises";
import { step } from "@/scripts/progress";
import type { Bench } from "@/tests/bench/benchmark";
import { type PeerRound, startPart } from "@/tests/bench/queue/part";
import {
  type Counts,
  createDatabase,
  insertTopic,
  measureJob,
  type Provider,
  type Side,
} from "@/tests/bench/queue/side";

const PEERS = ["pool", "graphile-worker"];
const WARM_UP = 100;
/** PostgreSQL counts what a connection did at the latest ten seconds after it became idle. */
const COUNTED_MS = 10_500;
const MINUTE_MS = 60_000;

type Options = { sides: Side[]; provider: Provider; items: number; latencyMs: number };

/** Measures the idle apps; a round measures each app, and then the peers with the last call that it made. */
export async function prepareEfficiency(bench: Bench, { sides, provider, items, latencyMs }: Options) {
  const connectionString = await createDatabase(bench, "queue_peers");
  const peers = await startPart(bench, "peers", { connectionString, ...provider.ready });
  const body = await provider.ask<PeerRound["body"]>("body");
  const measurePeer = (round: Omit<PeerRound, "body">) => peers.ask<Counts>({ ...round, body } satisfies PeerRound);
  for (const name of PEERS) await measurePeer({ name, items: WARM_UP, concurrency: 4 });
  const idle = await step(bench.print, "A minute of idle apps", () =>
    Promise.all(sides.map((side) => costsOf(side, () => wait(MINUTE_MS - COUNTED_MS, 0)))),
  );
  return async () => {
    const figures: Counts = {};
    for (const [at, side] of sides.entries()) {
      const { concurrency, user } = side;
      const add = (who: string, { seconds = 0, ...costs }: Counts) => {
        figures[`C = ${concurrency}, ${who}: efficiency`] = (items * latencyMs) / 1_000 / concurrency / seconds;
        for (const name in costs) figures[`C = ${concurrency}, ${who}: ${name}`] = (costs[name] ?? 0) / items;
      };
      const topicId = await insertTopic(side, user, items);
      add("app", await costsOf(side, () => measureJob(side, user, topicId), idle[at]));
      for (const name of PEERS) add(name, await measurePeer({ name, items, concurrency }));
    }
    return figures;
  };
}

/** The seconds that the work says it took, and what was spent meanwhile beyond the costs of idle minutes. */
async function costsOf(side: Side, work: () => Promise<number>, perMinute: Counts = {}): Promise<Counts> {
  const [before, began] = [await side.counts(), performance.now()];
  const costs: Counts = { seconds: await work() };
  await wait(COUNTED_MS);
  const [after, minutes] = [await side.counts(), (performance.now() - began) / MINUTE_MS];
  for (const [name, count] of Object.entries(after))
    costs[name] = count - (before[name] ?? 0) - minutes * (perMinute[name] ?? 0);
  return costs;
}
