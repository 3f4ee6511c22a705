import type { AppAnswer, AppClient } from "@/inngest/local-server/app-client";
import { delayUntil, retryAfterMs } from "@/inngest/local-server/durations";
import { firstIssue, type Operation, operations, type StepState } from "@/inngest/local-server/protocol";
import type { Run } from "@/inngest/local-server/runs";

/** One call to the app: the function (`stepId` "step") or one of its parallel steps. `attempt` counts from 0. */
export type WorkItem = { run: Run; stepId: string; attempt: number; unreachableSince?: number };

type ExecutorOptions = {
  app: AppClient;
  now: () => number;
  /** A timer, cleared when its owner (a run) ends. */
  after: (owner: object, ms: number, then: () => void) => void;
  /** Milliseconds before the retry of a failed attempt (counted from 0). */
  backoff: (attempt: number) => number;
  enqueue: (item: WorkItem) => void;
  complete: (run: Run, output: unknown) => void;
  fail: (run: Run, error: unknown) => void;
  onAnswer: () => void;
  onUnreachable: (reason: string) => void;
  /** Time to see whether the app answers again. */
  onTryAgain: () => void;
};

type Answer = AppAnswer & { kind: "answer" };

/** Delay between calls to an app that does not answer, and when to give up. */
const UNREACHABLE_RETRY_MS = 1000;
const UNREACHABLE_LIMIT_MS = 10 * 60 * 1000;

const EMULATED = new Set(["StepRun", "StepError", "StepFailed", "StepPlanned", "Sleep"]);

/** Operations that are not emulated, by their names in the SDK. */
const TOOL_NAMES: Record<string, string> = {
  WaitForEvent: "step.waitForEvent",
  WaitForSignal: "step.waitForSignal",
  InvokeFunction: "step.invoke",
  AIGateway: "step.ai.infer",
  Gateway: "step.fetch",
  DeferAdd: "defer",
  DeferAbort: "defer().abort",
};

/** Makes an item's call and handles the answer. Never rejects because of the answer. */
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
      handleAnswer(item, answer);
    }
  }

  function waitForApp(item: WorkItem, reason: string): void {
    const since = item.unreachableSince ?? now();
    if (now() - since > UNREACHABLE_LIMIT_MS) {
      fail(item.run, { name: "AppUnreachable", message: `The app did not answer for 10 minutes: ${reason}` });
      return;
    }
    options.onUnreachable(reason);
    // The timer is not the run's: other runs wait for the app too, even if this one is cancelled.
    after(options, UNREACHABLE_RETRY_MS, () => {
      options.onTryAgain();
      enqueue({ ...item, unreachableSince: since });
    });
  }

  function handleAnswer(item: WorkItem, answer: Answer): void {
    const { run } = item;
    const last = answer.noRetry || item.attempt + 1 >= run.fn.maxAttempts;
    if (answer.status === 200) complete(run, answer.body);
    else if (answer.status === 206) applyAll(item, answer, last);
    else if (last) fail(run, answer.body);
    else retry(item, answer);
  }

  function applyAll(item: WorkItem, answer: Answer, last: boolean): void {
    const asked = operations.safeParse(answer.body);
    const problem = asked.success ? findUnsupported(item.run, asked.data) : firstIssue(asked.error);
    if (!asked.success || problem) {
      fail(item.run, { name: "NotEmulated", message: `The local Inngest engine cannot go on: ${problem}.` });
      return;
    }
    for (const op of asked.data) if (op.op === "StepPlanned" || op.op === "Sleep") item.run.pending.add(op.id);
    for (const op of asked.data) apply(item, op, answer, last);
  }

  function apply(item: WorkItem, op: Operation, answer: Answer, last: boolean): void {
    const { run } = item;
    if (run.status !== "Running") return;
    const attempts = item.attempt + 1;
    if (op.op === "StepPlanned") {
      run.records.record(op, "Running", 0);
      enqueue({ run, stepId: op.id, attempt: 0 });
    } else if (op.op === "Sleep") {
      run.records.record(op, "Waiting", 1);
      sleep(run, op);
    } else if (op.op === "StepRun") {
      run.records.record(op, "Completed", attempts, op.data);
      saveStep(run, op.id, { type: "data", data: op.data ?? null });
    } else if (op.op === "StepError" && !last) {
      run.records.record(op, "Waiting", attempts, op.error);
      retry(item, answer);
    } else {
      run.records.record(op, "Failed", attempts, op.error);
      saveStep(run, op.id, { type: "error", error: op.error });
    }
  }

  function sleep(run: Run, op: Operation): void {
    try {
      after(run, delayUntil(op.name ?? "", now()), () => {
        run.records.endSleep(op.id);
        saveStep(run, op.id, { type: "data", data: null });
      });
    } catch (error) {
      fail(run, errorOf(error));
    }
  }

  function saveStep(run: Run, stepId: string, state: StepState): void {
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
      // fn_id is left out: with it the SDK uses an API that is not emulated.
      run_id: run.id,
      attempt,
      max_attempts: run.fn.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack: run.stack, current: run.stack.length },
    },
  };
}

function findUnsupported(run: Run, asked: Operation[]): string | undefined {
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
