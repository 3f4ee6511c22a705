import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch as undiciFetch } from "undici";
import type { AppFetch } from "@/inngest/local-server/app-client";
import { type LocalInngest, startLocalInngest } from "@/inngest/local-server/server";
import { expireLeases } from "@/scripts/leases";
import { freePort } from "@/scripts/ports";
import type { Script } from "@/scripts/samples/ai/faults";
import { type RecordedRequest, type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { type AppProcess, startAppProcess } from "@/tests/support/app-process";
import { eventually } from "@/tests/support/backend";
import { databaseUrl, query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { contentQueueUrl, itemRows, type Queued, status } from "@/tests/support/queue-workspace";
import { markdownTable } from "@/tests/support/report-table";

// Providers that take minutes, with the app as a process of its own, undisturbed and killed in the middle. All cases run at once.

const IS_REAL = Boolean(process.env.FAULTS_REAL_TIME);
/** How much faster than in real time the clocks of app and provider run. */
const FACTOR = IS_REAL ? 1 : 10;
const ms = (seconds: number) => Math.round((seconds * 1000) / FACTOR);

/** In the middle of each. */
const KILL_AT_MS = ms(60);
const SWEEP_EVERY_MS = ms(60);
/** How long the app may take to start again, and how late a sweep may be, on a machine that is busy. */
const TOLERANCE_MS = 30_000;
const PATIENCE_MS = ms(20 * 60) + 180_000;
jest.setTimeout(PATIENCE_MS + 120_000);

const SLOW = {
  "first byte after 150 s": { firstMs: ms(150) },
  "thoughts for 4 minutes, then text": { thoughts: 24, thoughtMs: ms(10) },
  "8 minutes without streaming": { firstMs: ms(480) },
  "a word a second for five minutes": { wordMs: ms(1) },
};
/** A section of 300 words, so that a word a second takes five minutes. */
const STYLE = { tone: "", language: "", words: 300, instructions: "" };
type Case = { name: keyof typeof SLOW; isKilled: boolean };
const CASES = Object.keys(SLOW).flatMap((name) => [
  { name, isKilled: false },
  { name, isKilled: true },
]) as Case[];

type Seen = { case: string; paid: number; status: string; attempts: number; sections: number; words: number };
type Outcome = Seen & { overdueMs: number; seconds: number };

const KEYS = { INNGEST_SIGNING_KEY: `signkey-test-${"ab".repeat(32)}`, INNGEST_EVENT_KEY: "test-event-key" };

let engine: LocalInngest;
let streaming: SampleAiProvider;
let whole: SampleAiProvider;
let sweeping = true;
const hosts: Host[] = [];
const outcomes = new Map<string, Outcome>();

/** An app, and the users whose items it works on. */
type Host = { app: AppProcess; ai: SampleAiProvider; users: string[]; environment: Record<string, string> };

beforeAll(async () => {
  [streaming, whole] = [await startSampleAiProvider(), await startSampleAiProvider()];
  whole.faults.refuses.add("stream");
  const port = await freePort();
  delete process.env.INNGEST_DEV;
  Object.assign(process.env, { ...KEYS, INNGEST_BASE_URL: `http://127.0.0.1:${port}` });
  const backoff = IS_REAL ? {} : { backoff: () => 200 };
  for (const ai of [streaming, whole]) for (const _ of ["undisturbed", "killed"]) hosts.push(await startHost(ai));
  const [signingKey, eventKey] = [KEYS.INNGEST_SIGNING_KEY, KEYS.INNGEST_EVENT_KEY];
  engine = await startLocalInngest({ appUrl: APP_URL, signingKey, eventKey, port, fetch: askHost, ...backoff });
  await eventually(async () => engine.engine.isRegistered(), Boolean);
  const sweeps = sweepRegularly();
  const killed = killInTheMiddle();
  const all = await Promise.all(CASES.map(write));
  for (const outcome of all) outcomes.set(outcome.case, outcome);
  await killed;
  sweeping = false;
  await sweeps;
  process.stdout.write(`\n${IS_REAL ? "In real time" : `${FACTOR} times as fast`}:\n\n${markdownTable(all)}\n`);
}, PATIENCE_MS + 120_000);

afterAll(async () => {
  sweeping = false;
  await Promise.all([engine.close(), ...hosts.map(({ app }) => app.close()), streaming.close(), whole.close()]);
});

const APP_URL = "http://localhost:3000/api/inngest";
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

async function startHost(ai: SampleAiProvider): Promise<Host> {
  const environment = {
    OPENAI_BASE_URL: ai.url,
    AI_FIRST_BYTE_SECONDS: String(180 / FACTOR),
    AI_SILENCE_SECONDS: String(60 / FACTOR),
    AI_CALL_SECONDS: String(600 / FACTOR),
    BOOT_ID: randomUUID(),
  };
  return { app: await startAppProcess(environment), ai, users: [], environment };
}

/** The engine asks the app that has the user's item; what is nobody's, any. */
const askHost: AppFetch = (url, { method, headers, body, signal }) => {
  const { app } = hosts.find(({ users }) => users.some((id) => body.includes(id))) ?? (hosts[0] as Host);
  const { pathname, search } = new URL(url);
  return undiciFetch(`${app.url}${pathname}${search}`, { method, headers, body, signal, dispatcher: patient });
};

async function sweepRegularly(): Promise<void> {
  const { sweep } = await import("@/lib/features/work/steps");
  while (sweeping) {
    await sleep(SWEEP_EVERY_MS);
    await sweep();
  }
}

/** In real time nobody expires the leases of a process that was killed; the launcher would. */
async function killInTheMiddle(): Promise<void> {
  const isAsked = ({ name, isKilled }: Case) => paidCalls(titleOf({ name, isKilled }), providerOf(name)) > 0;
  await eventually(async () => CASES.every(isAsked), Boolean, PATIENCE_MS);
  await sleep(KILL_AT_MS);
  await Promise.all(
    hosts.map(async (host, at) => {
      if (!isKilledHost(at)) return;
      await host.app.kill();
      if (!IS_REAL) await expireLeases(databaseUrl(), host.environment.BOOT_ID as string, false);
      host.environment.BOOT_ID = randomUUID();
      host.app = await startAppProcess(host.environment);
    }),
  );
}

const isKilledHost = (at: number) => at % 2 === 1;

/** Queues one piece of one section and waits for its end. */
async function write({ name, isKilled }: Case): Promise<Outcome> {
  const ai = providerOf(name);
  const host = hosts.find((one, at) => one.ai === ai && isKilledHost(at) === isKilled) as Host;
  const title = titleOf({ name, isKilled });
  const mine = await newWorkspace();
  host.users.push(mine.id);
  await mine.caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
  await mine.caller.patch(`/api/projects/${mine.projectId}`, { writing: STYLE });
  const piece = await newPiece(mine, mine, { title });
  await mine.caller.patch(`/api/content/${piece}`, { outline: "## Alpha\nWhat it says." });
  ai.faults.matching(`"${title}"`, { kind: "slow", ...SLOW[name] } satisfies Script);
  const began = performance.now();
  const { body } = await host.app.callerOf(mine).post<Queued>(contentQueueUrl(mine));
  let overdueMs = 0;
  await eventually(
    async () => {
      overdueMs = Math.max(overdueMs, await overdue(mine.id));
      return status(mine);
    },
    ({ jobs }) => jobs.some(({ id, completedAt }) => id === body.jobId && completedAt !== null),
    PATIENCE_MS,
  );
  const [item] = await itemRows(mine);
  const [row] = await query<{ words: number; sections: number }>(
    `SELECT array_length(regexp_split_to_array(trim(body), '\\s+'), 1) AS words,
       (SELECT count(*)::int FROM written_sections s WHERE s.content_piece_id = p.id) AS sections
     FROM content_pieces p WHERE id = $1`,
    [piece],
  );
  return {
    case: title,
    paid: paidCalls(title, ai),
    status: item?.status ?? "",
    attempts: 1 + (item?.retry_count ?? 0),
    sections: row?.sections ?? -1,
    words: row?.words ?? 0,
    overdueMs,
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

const titleOf = ({ name, isKilled }: Case) => `${name}${isKilled ? ", killed" : ""}`;
const providerOf = (name: Case["name"]) => (name === "8 minutes without streaming" ? whole : streaming);

/** A call that is refused for `stream` costs nothing. */
function paidCalls(title: string, ai: SampleAiProvider): number {
  const isAbout = ({ body }: RecordedRequest) => JSON.stringify(body.messages).includes(`\\"${title}\\"`);
  return ai.requests.filter((request) => isAbout(request) && !(ai === whole && request.body.stream)).length;
}

/** For how long a user's item has been processing without a lease. */
async function overdue(userId: string): Promise<number> {
  const [row] = await query<{ ms: number }>(
    `SELECT coalesce(max(extract(epoch FROM now() - l.until)), 0)::float8 * 1000 AS ms
     FROM processing_queue q LEFT JOIN leases l ON l.kind = 'writing' AND l.token = q.claim_token
     WHERE q.user_id = $1 AND q.status = 'processing'`,
    [userId],
  );
  return Math.max(0, Math.round(row?.ms ?? 0));
}

const outcomeOf = (title: string) => outcomes.get(title) as Outcome;

it.each(Object.keys(SLOW))("pays once for a provider that takes its time: %s", (name) => {
  const { paid, status, attempts, sections } = outcomeOf(name);
  expect({ paid, status, attempts, sections }).toEqual({ paid: 1, status: "completed", attempts: 1, sections: 0 });
});

it.each(Object.keys(SLOW))("goes on after a kill, and pays once more at most: %s", (name) => {
  const { paid, status, attempts, words } = outcomeOf(`${name}, killed`);
  expect({ paid, status, attempts }).toEqual({ paid: 2, status: "completed", attempts: 2 });
  expect(words).toBeGreaterThan(100);
});

it("leaves nothing processing for longer than its lease and a sweep", () => {
  for (const { overdueMs } of outcomes.values()) expect(overdueMs).toBeLessThan(SWEEP_EVERY_MS + TOLERANCE_MS);
});
