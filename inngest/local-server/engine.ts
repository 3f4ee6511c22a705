import { randomBytes } from "node:crypto";
import { type AppFetch, createAppClient } from "@/inngest/local-server/app-client";
import { createDedupe } from "@/inngest/local-server/dedupe";
import { createExecutor, type WorkItem } from "@/inngest/local-server/executor";
import {
  CANCELLED_ERROR,
  CANCELLED_EVENT,
  FAILED_EVENT,
  type IncomingEvent,
  type StoredEvent,
  TIMER_EVENT,
} from "@/inngest/local-server/protocol";
import { createKeyedQueue } from "@/inngest/local-server/queue";
import { createRegistry, type RegisteredFunction } from "@/inngest/local-server/registry";
import { createRunStore, LIVE_RUNS, laneOf, type Run, type RunStatus } from "@/inngest/local-server/runs";
import { createStepRecords } from "@/inngest/local-server/steps";
import { createTimers } from "@/inngest/local-server/timers";
import { boundedSet } from "@/lib/utils/bounded";

export type EngineOptions = {
  /** Full address of the app's Inngest endpoint. */
  appUrl: string;
  /** `signkey-…`. Without one calls are unsigned, as in the SDK's dev mode. */
  signingKey?: string;
  log?: (sentence: string) => void;
  fetch?: AppFetch;
  now?: () => number;
  /** Milliseconds before the retry of a failed attempt (counted from 0); Retry-After overrides it. */
  backoff?: (attempt: number) => number;
};

export type Engine = ReturnType<typeof createEngine>;

/** Inngest's schedule without jitter. */
const BACKOFF_SECONDS = [15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200];
const DEDUPE_MS = 24 * 60 * 60 * 1000;
/** Bounds the connections of a fan-out; Inngest limits parallel steps too. */
const MAX_PARALLEL_CALLS = 200;
const CLOSE_WAIT_MS = 500;

/** The engine without its HTTP server: takes events and calls the app's functions. State is in memory. */
export function createEngine(options: EngineOptions) {
  const { appUrl, log = () => {}, now = Date.now } = options;
  const backoff = options.backoff ?? ((attempt) => (BACKOFF_SECONDS[attempt] ?? 7200) * 1000);
  const app = createAppClient({ ...options, now });
  const registry = createRegistry();
  const runs = createRunStore();
  const timers = createTimers();
  const eventIds = createDedupe(DEDUPE_MS);
  const earlyEvents = boundedSet<StoredEvent>(
    "early events",
    LIVE_RUNS,
    "They come before the app. The sender sends again.",
  );
  let registered: string | undefined;
  let appAnswers = true;
  let lastMinute = Math.floor(now() / 60_000);
  let closed = false;

  const queue = createKeyedQueue<WorkItem>({
    run: (item) =>
      execute(item).catch((error: unknown) => log(`The engine failed on ${item.run.fn.id}: ${String(error)}`)),
    isDropped: (item) => item.run.status !== "Running",
    maxParallel: MAX_PARALLEL_CALLS,
  });
  const execute = createExecutor({
    app,
    now,
    after,
    backoff,
    enqueue: (item) => queue.add(item, item.run.lane, "continuing"),
    complete: (run, output) => finish(run, "Completed", output),
    fail,
    onAnswer: () => {
      if (!appAnswers) log("The app answers again.");
      appAnswers = true;
      startWork();
    },
    onUnreachable: (reason) => {
      if (closed) return;
      if (appAnswers) log(`Waiting for the app: ${reason}`);
      appAnswers = false;
      queue.pause();
    },
    onTryAgain: startWork,
  });

  function after(owner: object, ms: number, then: () => void): void {
    if (!closed) timers.after(owner, ms, then);
  }

  function startWork(): void {
    if (!closed) queue.resume();
  }

  /** Fetches the app's functions. Throws when it is not up, or uses what is not emulated. */
  async function sync(): Promise<void> {
    register(await app.fetchFunctions(appUrl));
  }

  /** Replaces the app's functions and delivers events that came before them; false when nothing changed. */
  function register(configs: unknown[]): boolean {
    const text = JSON.stringify(configs);
    if (text === registered) return false;
    registry.replace(configs);
    registered = text;
    const ids = registry.all().map((fn) => fn.id);
    log(`Functions: ${ids.join(", ") || "none"}.`);
    queue.recheck();
    for (const event of earlyEvents) {
      earlyEvents.delete(event);
      dispatch(event);
    }
    return true;
  }

  /** Accepts an event and returns its id. An id seen in the last 24 hours is ignored. */
  function ingest(incoming: IncomingEvent): string {
    const event: StoredEvent = {
      ...incoming,
      id: incoming.id || createId(),
      data: incoming.data ?? {},
      ts: incoming.ts ?? now(),
    };
    if (!eventIds.add(event.id, now())) return event.id;
    if (registered === undefined) earlyEvents.add(event);
    else dispatch(event);
    return event.id;
  }

  function dispatch(event: StoredEvent): void {
    for (const fn of registry.cancelledBy(event.name)) for (const run of runs.cancelledBy(fn, event)) cancel(run);
    for (const fn of registry.startedBy(event.name)) start(fn, event);
  }

  function start(fn: RegisteredFunction, event: StoredEvent): void {
    const lane = laneOf(fn, event, log);
    const run: Run = {
      id: createId(),
      fn,
      event,
      status: "Running",
      steps: {},
      stack: [],
      pending: boundedSet("parallel steps", 1_000, "Inngest ends a run with more."),
      records: createStepRecords(),
      attempts: 0,
      executions: 0,
      lane,
      cancelKeys: [],
      startedAt: now(),
    };
    runs.add(run);
    const begin = () => queue.add({ run, stepId: "step", attempt: 0 }, lane, "starting");
    if (event.ts > now()) after(run, event.ts - now(), begin);
    else begin();
  }

  function fail(run: Run, error: unknown): void {
    if (run.status !== "Running") return;
    finish(run, "Failed", error);
    startFollowers(run, FAILED_EVENT, error);
  }

  function cancel(run: Run): void {
    if (run.status !== "Running") return;
    finish(run, "Cancelled", null);
    startFollowers(run, CANCELLED_EVENT, CANCELLED_ERROR);
  }

  /** The event's id is the run's, as at Inngest. Failures of failure handlers start nothing. */
  function startFollowers(run: Run, name: string, error: unknown): void {
    if (run.event.name === FAILED_EVENT) return;
    const data = { function_id: run.fn.id, run_id: run.id, error, event: run.event, events: [run.event] };
    for (const fn of registry.followersOf(run.fn.id, name)) start(fn, { id: run.id, name, data, ts: now() });
  }

  function finish(run: Run, status: RunStatus, output: unknown): void {
    timers.clearFor(run);
    runs.finish(run, status, output, now());
    if (status === "Failed") log(`${run.fn.id} (run ${run.id}) failed: ${messageOf(output)}`);
  }

  /** Starts scheduled functions and prunes old state. Call it about every second. */
  function tick(): void {
    runs.prune(now());
    eventIds.prune(now());
    const minute = Math.floor(now() / 60_000);
    if (minute === lastMinute) return;
    lastMinute = minute;
    for (const fn of registry.all()) {
      for (const cron of fn.crons) {
        if (!cron.matches(minute * 60_000)) continue;
        start(fn, { id: createId(), name: TIMER_EVENT, data: { cron: cron.text }, ts: now() });
      }
    }
  }

  /** Resolves once nothing runs, waits or sleeps. */
  async function idle(): Promise<void> {
    while (!closed && (queue.counts().running > 0 || queue.counts().waiting > 0 || timers.count() > 0)) await delay(5);
  }

  async function close(): Promise<void> {
    closed = true;
    queue.pause();
    timers.clear();
    app.close();
    for (let waited = 0; queue.counts().running > 0 && waited < CLOSE_WAIT_MS; waited += 5) await delay(5);
  }

  function status() {
    const { waiting, running } = queue.counts();
    return { functions: registry.all().map((fn) => fn.id), waiting, running, runs: runs.counts() };
  }

  return {
    /** Ends all waits now, for tests. */
    wake: timers.wake,
    sync,
    register,
    ingest,
    tick,
    idle,
    close,
    status,
    isRegistered: () => registered !== undefined,
    /** Events that come now should come again later. */
    isFull: () => earlyEvents.size + runs.counts().live >= LIVE_RUNS,
    findRun: runs.get,
    runsOfEvent: runs.ofEvent,
    cancel,
  };
}

function createId(): string {
  return Date.now().toString(36).padStart(9, "0") + randomBytes(8).toString("hex");
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : JSON.stringify(error);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
