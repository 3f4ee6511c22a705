import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { logTo } from "@/scripts/log-file";
import { freePort } from "@/scripts/ports";
import { startStack } from "@/scripts/stack";
import type { Bench } from "@/tests/bench/benchmark";
import { insertTitles } from "@/tests/bench/fairness/rows";
import { ask, newUser, query, type User } from "@/tests/bench/fairness/users";
import { type Part, startPart } from "@/tests/bench/queue/part";
import { usageOf } from "@/tests/bench/usage";

/** Figures by name. */
export type Counts = Record<string, number>;

export type Provider = Part<{ url: string; apiKey: string }>;

/** The app at one concurrency, with a database and an engine of its own and a user. */
export type Side = {
  bench: Bench;
  concurrency: number;
  user: User;
  engine: Part<{ url: string }>;
  /** CPU so far, and transactions in the app's database without our polls. */
  counts(): Promise<Counts>;
  /** Polls until the statement finds a row; returns it. */
  until<Row extends object>(sql: string, jobId: string): Promise<Row>;
};

const POLL_MS = 50;
const LIMIT_MS = 900_000;

/** Starts the app with so many AI calls a user at once. */
export async function startSide(bench: Bench, provider: Provider, concurrency: number): Promise<Side> {
  const { stack, shutdown } = bench;
  const name = `queue_${concurrency}`;
  const databaseUrl = await createDatabase(bench, name);
  const port = await freePort();
  const appUrl = `http://localhost:${port}`;
  const { INNGEST_SIGNING_KEY: signingKey, INNGEST_EVENT_KEY: eventKey } = stack.environment;
  const engineOptions = { appUrl: `${appUrl}/api/inngest`, signingKey, eventKey };
  const engine = await startPart<{ url: string }>(bench, "engine", engineOptions);
  const environment = {
    ...stack.environment,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: provider.ready.url,
    INNGEST_BASE_URL: engine.ready.url,
    INNGEST_SERVE_ORIGIN: appUrl,
    AI_MAX_CONCURRENCY_PER_USER: String(concurrency),
  };
  const folder = path.join(".data", "bench", name);
  const output = logTo(path.join(folder, "app.log"));
  const own = await startStack({ mode: "start", folder, environment, print: () => undefined, output }, shutdown);
  const samples = stack.samples && { ...stack.samples, ai: provider.ready };
  const ownBench = { ...bench, stack: { ...own, samples } };

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await shutdown.add(() => client.end());
  let polls = 0;
  const [found] = await query<{ folder: string }>(bench, "SELECT current_setting('data_directory') AS folder", []);
  const postgres = Number(readFileSync(path.join(found?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    bench: ownBench,
    concurrency,
    user: await newUser(ownBench),
    engine,
    async counts() {
      const [row] = await query<{ count: number }>(bench, TRANSACTIONS, [name]);
      const cpu = (pid: number) => 1_000 * usageOf(pid).cpu;
      const [ofApp, ofEngine] = [cpu(own.appPid), cpu(engine.pid)];
      return {
        "CPU, ms": ofApp + ofEngine,
        "CPU of the app itself, ms": ofApp,
        "CPU of the engine, ms": ofEngine,
        "CPU of PostgreSQL, ms": cpu(postgres),
        "CPU of the provider, ms": cpu(provider.pid),
        transactions: (row?.count ?? 0) - polls,
      };
    },
    async until<Row extends object>(sql: string, jobId: string) {
      for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await wait(POLL_MS)) {
        polls++;
        const [row] = (await client.query(sql, [jobId])).rows;
        if (row) return row as Row;
      }
      throw new Error(`Nothing after ${LIMIT_MS / 1_000} s: ${sql}`);
    },
  };
}

const TRANSACTIONS = "SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = $1";

/** Creates a database beside the benchmark's own; returns its address. */
export async function createDatabase(bench: Bench, name: string): Promise<string> {
  await query(bench, `CREATE DATABASE ${name}`, []);
  return Object.assign(new URL(bench.stack.databaseUrl), { pathname: `/${name}` }).href;
}

/** Inserts a topic with so many titles; returns its id. */
export async function insertTopic({ bench }: Side, user: User, items: number): Promise<number> {
  const [plan] = await insertTitles(bench, user, items);
  return plan?.topicId ?? 0;
}

/** Queues the topic's outlines; returns the job's id. */
export async function queueOutlines({ bench }: Side, { cookie }: User, topicId: number): Promise<string> {
  const answer = await ask(bench, "POST", `/api/topics/${topicId}/generate-outline-queue`, { cookie });
  return ((await answer.json()) as { jobId: string }).jobId;
}

/** Seconds from the answer of the queueing call until the job's end, which the database's clock sets: it is this machine's. */
export async function measureJob(side: Side, user: User, topicId: number): Promise<number> {
  const jobId = await queueOutlines(side, user, topicId);
  const answeredAt = Date.now();
  const { status, at } = await side.until<{ status: string; at: Date }>(ENDED, jobId);
  if (status !== "completed") throw new Error(`A job ended as ${status}; see .data/bench/queue_${side.concurrency}.`);
  return (at.getTime() - answeredAt) / 1_000;
}

const ENDED = "SELECT status::text, completed_at AS at FROM processing_jobs WHERE id = $1 AND completed_at IS NOT NULL";
