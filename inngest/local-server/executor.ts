import type { AppAnswer, AppClient } from "@/inngest/local-server/app-client";
import { delayUntil, retryAfterMs } from "@/inngest/local-server/durations";
import { firstIssue, type Operation, operations, type StepState } from "@/inngest/local-server/protocol";
import type { Run } from "@/inngest/local-server/runs";

/** One call to make: the whole function (`stepId` "step") or one of its parallel steps. `attempt` counts from 0. */
export type WorkItem = { run: Run; stepId: string; attempt: number; unreachableSince?: number };

type ExecutorOptions = {
  app: AppClient;
  now: () => number;
  /** A timer of a run ends with it. */
  after: (owner: object, ms: number, then: () => void) => void;
  /** Milliseconds before a failed attempt (counted from 0) is made again. */
  backoff: (attempt: number) => number;
  enqueue: (item: WorkItem) => void;
  complete: (run: Run, output: unknown) => void;
  fail: (run: Run, error: unknown) => void;
  onAnswer: () => void;
  onUnreachable: (reason: string) => void;
  /** The time to wait for the app is over: start work again, to see whether it answers. */
  onTryAgain: () => void;
};

type Answer = AppAnswer & { kind: "answer" };

/** How long a call waits before it tries an app that does not answer again, and how long in all. */
const UNREACHABLE_RETRY_MS = 1000;
const UNREACHABLE_LIMIT_MS = 10 * 60 * 1000;

const EMULATED = new Set(["StepRun", "StepError", "StepFailed", "StepPlanned", "Sleep"]);

/** How a person knows the operations that are not emulated. */
const TOOL_NAMES: Record<string, string> = {
  WaitForEvent: "step.waitForEvent",
  WaitForSignal: "step.waitForSignal",
  InvokeFunction: "step.invoke",
  AIGateway: "step.ai.infer",
  Gateway: "step.fetch",
  DeferAdd: "defer",
  DeferAbort: "defer().abort",
};

/** Makes the call an item stands for and does what the answer asks. Never rejects on what the app says. */
export function createExecutor(options: ExecutorOptions): (item: WorkItem) => Promise<void> {
  const { app, now, after, enqueue, complete, fail } = options;

  async function execute(item: WorkItem): Promise<void> {
    const { run } = item;
    const url = new URL(run.fn.url);
    url.searchParams.set("fnId", run.fn.id);
    url.searchParams.set("stepId", item.stepId);
    const answer = await app.callFunction(url.href, run.id, callBody(item));
    if (run.status !== "Running") return;
    if (answer.kind === "unreachable") {
      waitForApp(item, answer.reason);
    } else {
      run.executions++;
      run.attempts = Math.max(run.attempts, item.attempt + 1);
      options.onAnswer();
      follow(item, answer);
    }
  }

  function waitForApp(item: WorkItem, reason: string): void {
    const since = item.unreachableSince ?? now();
    if (now() - since > UNREACHABLE_LIMIT_MS) {
      fail(item.run, { name: "AppUnreachable", message: `The app did not answer for 10 minutes: ${reason}` });
      return;
    }
    options.onUnreachable(reason);
    // Not the run's own: what else waits for the app has to go on when this run is cancelled.
    after(options, UNREACHABLE_RETRY_MS, () => {
      options.onTryAgain();
      enqueue({ ...item, unreachableSince: since });
    });
  }

  function follow(item: WorkItem, answer: Answer): void {
    const { run } = item;
    const last = answer.noRetry || item.attempt + 1 >= run.fn.maxAttempts;
    if (answer.status === 200) complete(run, answer.body);
    else if (answer.status === 206) performAll(item, answer, last);
    else if (last) fail(run, answer.body);
    else retry(item, answer);
  }

  function performAll(item: WorkItem, answer: Answer, last: boolean): void {
    const asked = operations.safeParse(answer.body);
    const problem = asked.success ? notEmulated(item.run, asked.data) : firstIssue(asked.error);
    if (!asked.success || problem) {
      fail(item.run, { name: "NotEmulated", message: `The local Inngest engine cannot go on: ${problem}.` });
      return;
    }
    for (const op of asked.data) if (op.op === "StepPlanned" || op.op === "Sleep") item.run.pending.add(op.id);
    for (const op of asked.data) perform(item, op, answer, last);
  }

  function perform(item: WorkItem, op: Operation, answer: Answer, last: boolean): void {
    const { run } = item;
    if (run.status !== "Running") return;
    const attempts = item.attempt + 1;
    if (op.op === "StepPlanned") {
      run.records.note(op, "Running", 0);
      enqueue({ run, stepId: op.id, attempt: 0 });
    } else if (op.op === "Sleep") {
      run.records.note(op, "Waiting", 1);
      sleep(run, op);
    } else if (op.op === "StepRun") {
      run.records.note(op, "Completed", attempts, op.data);
      remember(run, op.id, { type: "data", data: op.data ?? null });
    } else if (op.op === "StepError" && !last) {
      run.records.note(op, "Waiting", attempts, op.error);
      retry(item, answer);
    } else {
      run.records.note(op, "Failed", attempts, op.error);
      remember(run, op.id, { type: "error", error: op.error });
    }
  }

  function sleep(run: Run, op: Operation): void {
    try {
      after(run, delayUntil(op.name ?? "", now()), () => {
        run.records.endSleep(op.id);
        remember(run, op.id, { type: "data", data: null });
      });
    } catch (error) {
      fail(run, errorOf(error));
    }
  }

  function remember(run: Run, stepId: string, state: StepState): void {
    if (run.status !== "Running") return;
    if (!Object.hasOwn(run.steps, stepId)) run.stack.push(stepId);
    run.steps[stepId] = state;
    run.pending.delete(stepId);
    if (run.pending.size === 0) enqueue({ run, stepId: "step", attempt: 0 });
  }

  function retry(item: WorkItem, answer: { retryAfter?: string }): void {
    const delay = retryAfterMs(answer.retryAfter, now()) ?? options.backoff(item.attempt);
    after(item.run, delay, () => enqueue({ run: item.run, stepId: item.stepId, attempt: item.attempt + 1 }));
  }

  return execute;
}

function callBody({ run, attempt }: WorkItem): unknown {
  return {
    event: run.event,
    events: [run.event],
    steps: run.steps,
    ctx: {
      // No fn_id: with one the SDK would send its steps to an API of Inngest's that is not emulated.
      run_id: run.id,
      attempt,
      max_attempts: run.fn.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack: run.stack, current: run.stack.length },
    },
  };
}

/** What among the operations is not emulated, in words, or undefined. */
function notEmulated(run: Run, asked: Operation[]): string | undefined {
  const op = asked.find(({ op, opts }) => !EMULATED.has(op) || opts?.parallelMode);
  if (!op) return undefined;
  const tool = op.opts?.parallelMode ? "group.parallel" : (TOOL_NAMES[op.op] ?? op.op);
  return `function "${run.fn.id}" uses ${tool} ("${op.displayName ?? op.name ?? op.id}"), which it does not emulate`;
}

function errorOf(error: unknown): { name: string; message: string } {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: "Error", message: String(error) };
}
