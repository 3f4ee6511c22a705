import { setTimeout as wait } from "node:timers/promises";
import { Logger, run, runMigrations } from "graphile-worker";
import OpenAI from "openai";
import pLimit from "p-limit";
import pg from "pg";
import { startLocalInngest } from "@/inngest/local-server/server";
import { startSampleAiProvider } from "@/scripts/samples/ai-provider";
import type { PeerRound } from "@/tests/bench/queue/part";

type Call = () => Promise<void>;

const [name, json = ""] = process.argv.slice(2);
const options = JSON.parse(json);

process.on("disconnect", () => process.exit());
if (name === "engine") startEngine();
if (name === "provider") startProvider();
if (name === "peers") startPeers();

/** Says that the part is ready, and answers questions from then on. */
function serve<Question>(ready: object, answer: (question: Question) => unknown): void {
  process.on("message", async (question: Question) => process.send?.(await answer(question)));
  process.send?.(ready);
}

/** The question is whether anything runs or waits. */
async function startEngine(): Promise<void> {
  const { url, engine } = await startLocalInngest(options);
  serve({ url }, () => engine.status().running + engine.status().waiting > 0);
}

/** The question is the body of the last request. */
async function startProvider(): Promise<void> {
  const { url, apiKey, texts, requests } = await startSampleAiProvider();
  // One wait before the whole answer. The sample's own latency is spread over the words of a stream, where timers add to it.
  texts.shift = () => ({ until: wait(options.latencyMs) });
  serve({ url, apiKey }, () => requests.at(-1)?.body);
}

/** The question is the time and the CPU time of a round. */
async function startPeers(): Promise<void> {
  const { connectionString, url, apiKey } = options;
  await runMigrations({ connectionString });
  const client = new OpenAI({ baseURL: url, apiKey });
  serve({}, async ({ name, items, concurrency, body }: PeerRound) => {
    const call = () => makeCall(client, body);
    const makeAll = name === "pool" ? poolOf(concurrency, call) : await workerOf(connectionString, concurrency, call);
    const [before, began] = [process.cpuUsage(), performance.now()];
    await makeAll(items);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - began) / 1_000, "CPU, ms": (user + system) / 1_000 };
  });
}

async function makeCall(client: OpenAI, body: PeerRound["body"]): Promise<void> {
  const answer = await client.chat.completions.create(body);
  if ("choices" in answer) return;
  for await (const _chunk of answer);
}

function poolOf(concurrency: number, call: Call) {
  const limit = pLimit(concurrency);
  return (items: number) => Promise.all(Array.from({ length: items }, () => limit(call)));
}

async function workerOf(connectionString: string, concurrency: number, call: Call) {
  const logger = new Logger(() => () => undefined);
  const pool = { connectionString, concurrency, maxPoolSize: concurrency + 2 };
  const runner = await run({ ...pool, taskList: { call }, logger, noHandleSignals: true });
  return async (items: number) => {
    const done = new Promise<void>((resolve) => {
      let left = items;
      runner.events.on("job:complete", () => --left === 0 && resolve());
    });
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query("SELECT graphile_worker.add_job('call', '{}') FROM generate_series(1, $1::int)", [items]);
    await client.end();
    await done;
    await runner.stop();
  };
}
