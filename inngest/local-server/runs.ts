import { valueAt } from "@/inngest/local-server/expressions";
import type { StepState, StoredEvent } from "@/inngest/local-server/protocol";
import type { Lane } from "@/inngest/local-server/queue";
import type { CancelRule, RegisteredFunction } from "@/inngest/local-server/registry";
import type { StepRecords } from "@/inngest/local-server/steps";
import { bounded, boundedSet } from "@/lib/utils/bounded";

export type RunStatus = "Running" | "Completed" | "Failed" | "Cancelled";

export type Run = {
  id: string;
  fn: RegisteredFunction;
  event: StoredEvent;
  status: RunStatus;
  /** Finished steps by the SDK's hashed id, and their order. */
  steps: Record<string, StepState>;
  stack: string[];
  /** Parallel steps; the function is called again when none is left. */
  pending: Set<string>;
  /** What the dashboard shows: steps, the most attempts of one call, and all calls to the app. */
  records: StepRecords;
  attempts: number;
  executions: number;
  lane: Lane;
  cancelKeys: string[];
  startedAt: number;
  endedAt?: number;
  output?: unknown;
};

/** Events that start more are refused, and come again: the app notes what it has sent. A run takes about 2 KB. */
export const LIVE_RUNS = 200_000;
/** An event may start several runs, and a run that fails others. */
const MAX_RUNS = 5 * LIVE_RUNS;
const FEWER_EVENTS = "The engine refuses events before.";
export const FINISHED_RUNS_KEPT = 500;
const FINISHED_RUNS_KEPT_MS = 60 * 60 * 1000;

/** All live runs and recently finished ones, by id, event and cancelling event. */
export function createRunStore() {
  const runs = bounded<string, Run>("runs", MAX_RUNS, FEWER_EVENTS);
  const byEvent = bounded<string, Set<Run>>("events with runs", MAX_RUNS, FEWER_EVENTS);
  const byCancelKey = bounded<string, Set<Run>>("keys that cancel", MAX_RUNS, FEWER_EVENTS);
  // A Set keeps the order in which they finished.
  const finished = boundedSet<Run>("finished runs", FINISHED_RUNS_KEPT + 1, "The oldest goes with each that finishes.");

  function add(run: Run): void {
    runs.set(run.id, run);
    insert(byEvent, run.event.id, run);
    run.cancelKeys = run.fn.cancelOn.flatMap((rule) => cancelKey(run.fn, rule, run.event) ?? []);
    for (const key of run.cancelKeys) insert(byCancelKey, key, run);
  }

  function finish(run: Run, status: RunStatus, output: unknown, now: number): void {
    Object.assign(run, { status, output, endedAt: now, steps: {}, stack: [] });
    run.records.end();
    for (const key of run.cancelKeys) remove(byCancelKey, key, run);
    finished.add(run);
    prune(now);
  }

  function prune(now: number): void {
    for (const run of finished) {
      if (finished.size <= FINISHED_RUNS_KEPT && (run.endedAt ?? 0) > now - FINISHED_RUNS_KEPT_MS) return;
      finished.delete(run);
      runs.delete(run.id);
      remove(byEvent, run.event.id, run);
    }
  }

  function cancelledBy(fn: RegisteredFunction, event: StoredEvent): Run[] {
    const keys = fn.cancelOn.flatMap((rule) => (rule.event === event.name ? (cancelKey(fn, rule, event) ?? []) : []));
    return [...new Set(keys.flatMap((key) => [...(byCancelKey.get(key) ?? [])]))];
  }

  return {
    add,
    finish,
    prune,
    cancelledBy,
    get: (id: string) => runs.get(id),
    ofEvent: (eventId: string) => [...(byEvent.get(eventId) ?? [])],
    counts: () => ({ live: runs.size - finished.size, finished: finished.size }),
  };
}

/** The lane for runs of this function on this event. Warns about keys without a value. */
export function laneOf(fn: RegisteredFunction, event: StoredEvent, warn: (sentence: string) => void): Lane {
  const slots = fn.concurrency.map((rule) => {
    const value = rule.path ? valueAt(rule.path, event) : "";
    if (value === undefined) warn(`Function "${fn.id}": ${event.name} has no value for the key ${rule.expression}.`);
    return { key: `${fn.id} ${rule.expression} ${value ?? ""}`, rule };
  });
  return { key: [fn.id, ...slots.map((slot) => slot.key)].join("\n"), slots };
}

/** The event's key for a cancelOn rule; undefined, which matches nothing, when it has no value there. */
function cancelKey(fn: RegisteredFunction, rule: CancelRule, event: StoredEvent): string | undefined {
  const value = rule.path ? valueAt(rule.path, event) : "";
  return value === undefined ? undefined : [fn.id, rule.event, rule.path?.join("."), value].join("\n");
}

function insert(index: Map<string, Set<Run>>, key: string, run: Run): void {
  const set = index.get(key);
  if (set) set.add(run);
  else index.set(key, new Set([run]));
}

function remove(index: Map<string, Set<Run>>, key: string, run: Run): void {
  const set = index.get(key);
  set?.delete(run);
  if (set?.size === 0) index.delete(key);
}
