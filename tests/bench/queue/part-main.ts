import { setTimeout as wait } from "node:timers/promises";
import { Logger, run, runMigrations } from "graphile-worker";
import OpenAI from "openai";
import pLimit from "p-limit";
import pg from "pg";
import { type LocalInngestOptions, startLocalInngest } from "@/inngest/local-server/server";
import { startSampleAiProvider } from "@/scripts/samples/ai-provider";

/** A round of a peer: the call that the app made, so many times. */
export type PeerRound = { name: string; items: number; concurrency: number; body: OpenAI.ChatCompletionCreateParams };

type Call = () => Promise<void>;

const [name, options = ""] = process.argv.slice(2);
const PARTS: Record<string, () => Promise<void>> = { engine, provider, peers };

process.on("disconnect", () => process.exit());
PARTS[name ?? ""]?.();

/** Says that the part is ready, and answers what it is asked from then on. */
function serve<Question>(ready: object, answer: (question: Question) => unknown): void {
  process.on("message", async (question: Question) => process.send?.(await answer(question)));
  process.send?.(ready);
}

/** Answers whether anything runs or waits. */
async function engine(): Promise<void> {
  const { url, engine } = await startLocalInngest(JSON.parse(options) as LocalInngestOptions);
  serve({ url }, () => engine.status().running + engine.status().waiting > 0);
}

/** Answers with the last request's body. */
async function provider(): Promise<void> {
  const { url, apiKey, texts, requests } = await startSampleAiProvider();
  const { latencyMs } = JSON.parse(options);
  // The wait comes before the whole answer: `latencyMs` of a stream is a timer a word, and timers are late.
  texts.shift = () => ({ until: wait(latencyMs) });
  serve({ url, apiKey }, () => requests.at(-1)?.body);
}

/** Answers with the seconds and the CPU seconds of a round. */
async function peers(): Promise<void> {
  const { connectionString, url, apiKey } = JSON.parse(options);
  await runMigrations({ connectionString });
  const client = new OpenAI({ baseURL: url, apiKey });
  serve({}, async ({ name, items, concurrency, body }: PeerRound) => {
    const call = () => makeCall(client, body);
    const makeAll = await (name === "pool" ? poolOf(concurrency, call) : workerOf(connectionString, concurrency, call));
    const [before, began] = [process.cpuUsage(), performance.now()];
    await makeAll(items);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - began) / 1_000, cpu: (user + system) / 1_000_000 };
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
    let left = items;
    const done = new Promise<void>((resolve) => {
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
