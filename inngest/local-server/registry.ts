import type { z } from "zod";
import { type CronSchedule, parseCron } from "@/inngest/local-server/cron";
import { parseFunctionId, parseMatch, parsePath } from "@/inngest/local-server/expressions";
import {
  CANCELLED_EVENT,
  FAILED_EVENT,
  type FunctionConfig,
  firstIssue,
  functionConfig,
} from "@/inngest/local-server/protocol";
import { bounded } from "@/lib/utils/bounded";

/** Limits parallel steps of runs with the same key. Updated in place when the app registers again. */
type ConcurrencyRule = { limit: number; expression: string; path?: string[] };

/** `path` must have the same value in this event and the run's own; without one any such event cancels. */
export type CancelRule = { event: string; path?: string[] };

export type RegisteredFunction = {
  id: string;
  name: string;
  url: string;
  /** Includes the first attempt. */
  maxAttempts: number;
  events: string[];
  crons: { text: string; matches: CronSchedule }[];
  /** Triggers on failed or cancelled runs, of one function or of all. */
  follows: { event: string; functionId?: string }[];
  concurrency: ConcurrencyRule[];
  cancelOn: CancelRule[];
};

/** Inngest's default. */
const DEFAULT_RETRIES = 4;

/** The app's functions, indexed by the events that start, cancel or follow them. */
export function createRegistry() {
  const functions = bounded<string, RegisteredFunction>("functions", 1_000, "The app has ten.");
  const byEvent = index("functions by event");
  const byCancelEvent = index("functions by the event that cancels them");
  const byFollowed = index("functions by the function that they follow");

  /** Replaces the list of functions; throws and keeps the old one if the new one is invalid. */
  function replace(configs: unknown[]): void {
    const next = configs.map(parseFunction);
    for (const id of functions.keys()) if (!next.some((fn) => fn.id === id)) functions.delete(id);
    for (const fn of next) functions.set(fn.id, merge(functions.get(fn.id), fn));

    for (const index of [byEvent, byCancelEvent, byFollowed]) index.clear();
    for (const fn of functions.values()) {
      for (const event of new Set(fn.events)) append(byEvent, event, fn);
      for (const event of new Set(fn.cancelOn.map((rule) => rule.event))) append(byCancelEvent, event, fn);
      for (const { event, functionId = "" } of fn.follows) append(byFollowed, `${event} ${functionId}`, fn);
    }
  }

  return {
    replace,
    all: () => [...functions.values()],
    startedBy: (event: string) => byEvent.get(event) ?? [],
    cancelledBy: (event: string) => byCancelEvent.get(event) ?? [],
    followersOf: (id: string, event: string) => [
      ...new Set([`${event} ${id}`, `${event} `].flatMap((key) => byFollowed.get(key) ?? [])),
    ],
  };
}

function index(name: string): Map<string, RegisteredFunction[]> {
  return bounded(name, 10_000, "A function has a few.");
}

/** Updates the object that runs refer to, so that a changed limit or URL reaches them. */
function merge(known: RegisteredFunction | undefined, next: RegisteredFunction): RegisteredFunction {
  if (!known) return next;
  const concurrency = next.concurrency.map((rule) => {
    const same = known.concurrency.find((old) => old.expression === rule.expression);
    return same ? Object.assign(same, rule) : rule;
  });
  return Object.assign(known, next, { concurrency });
}

function parseFunction(config: unknown): RegisteredFunction {
  const id = typeof config === "object" && config !== null && "id" in config ? String(config.id) : "(no id)";
  const parsed = functionConfig.safeParse(config);
  if (!parsed.success) throw refusal(id, firstProblem(parsed.error));
  const fn: RegisteredFunction = {
    id,
    name: parsed.data.name ?? id,
    url: parsed.data.steps.step.runtime.url,
    maxAttempts: (parsed.data.steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    events: [],
    crons: [],
    follows: [],
    concurrency: parsed.data.concurrency.map((rule, i) => parseConcurrency(id, rule, i)),
    cancelOn: parsed.data.cancel.map((rule, i) => ({
      event: rule.event,
      ...(rule.if === undefined ? {} : { path: option(id, `cancelOn[${i}].if`, rule.if, parseMatch) }),
    })),
  };
  for (const [i, trigger] of parsed.data.triggers.entries()) addTrigger(fn, trigger, `triggers[${i}]`);
  return fn;
}

function firstProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code !== "unrecognized_keys") return firstIssue(error);
  return issue.keys.map((key) => [...issue.path, key].join(".")).join(", ");
}

function parseConcurrency(id: string, rule: FunctionConfig["concurrency"][number], i: number): ConcurrencyRule {
  const { limit, key: expression = "" } = rule;
  if (!expression) return { limit, expression };
  return { limit, expression, path: option(id, `concurrency[${i}].key`, expression, parsePath) };
}

function addTrigger(fn: RegisteredFunction, trigger: FunctionConfig["triggers"][number], place: string): void {
  const { event, expression, cron } = trigger;
  if (cron !== undefined) {
    fn.crons.push({ text: cron, matches: option(fn.id, `${place}.cron`, cron, parseCron) });
  } else if (event === FAILED_EVENT || event === CANCELLED_EVENT) {
    const of = expression === undefined ? undefined : option(fn.id, `${place}.if`, expression, parseFunctionId);
    fn.follows.push({ event, ...(of === undefined ? {} : { functionId: of }) });
  } else if (expression !== undefined) {
    throw refusal(fn.id, `${place}.if: the expression ${expression}`);
  } else if (event === undefined || event.includes("*") || event.startsWith("inngest/")) {
    throw refusal(fn.id, `${place}.event: ${event ?? "no event"}`);
  } else {
    fn.events.push(event);
  }
}

function option<T>(id: string, place: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw refusal(id, `${place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refusal(id: string, what: string): Error {
  return new Error(`Function "${id}" uses what the local Inngest engine does not emulate: ${what}.`);
}

function append<K, V>(index: Map<K, V[]>, key: K, value: V): void {
  const list = index.get(key);
  if (list) list.push(value);
  else index.set(key, [value]);
}
