import "server-only";
import type { Worker } from "node:worker_threads";
import { createLine } from "@/lib/workers/line";
import { type TaskName, type WorkerMessage, workerMessage } from "@/lib/workers/messages";

/** Times in milliseconds. */
export type PoolLimits = {
  /** Threads at once. */
  threads: number;
  /** Threads at once that work for one person. */
  threadsEach: number;
  /** Jobs that may wait, in all and of one person. */
  waiting: number;
  waitingEach: number;
  waitMs: number;
  /** For the work itself: neither waiting nor a thread's start counts. */
  workMs: number;
  startMs: number;
  /** An idle thread ends after this time. */
  idleMs: number;
};

/** Why a job was not done. `tooComplex` and `failed` say more in `message`. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
  constructor(
    readonly reason: "busy" | "tooSlow" | "tooMuchMemory" | "tooComplex" | "failed",
    message: string = reason,
  ) {
    super(message);
  }
}

type Waiting = {
  owner: string;
  task: TaskName;
  text: string;
  resolve: (text: string) => void;
  reject: (error: JobRefused) => void;
  timer?: NodeJS.Timeout;
};
type Thread = { worker: Worker; ready: boolean; job: Waiting | undefined; timer: NodeJS.Timeout | undefined };

/**
 * A pool of threads for pure work on a text. Threads are started when needed and keep no process alive. A job past its
 * time or memory takes its thread with it; the next one gets a new thread.
 */
export function createPool(startWorker: () => Worker, limits: PoolLimits) {
  const line = createLine<Waiting>({ most: limits.waiting, mostEach: limits.waitingEach });
  const threads = new Set<Thread>();

  /** Rejects with JobRefused. */
  function run(owner: string, task: TaskName, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const job: Waiting = { owner, task, text, resolve, reject };
      if (!line.add(job)) return reject(new JobRefused("busy"));
      job.timer = timer(limits.waitMs, () => {
        line.remove(job);
        reject(new JobRefused("busy"));
      });
      serve();
    });
  }

  /** Gives waiting jobs to threads for as long as there are both. */
  function serve(): void {
    for (;;) {
      const idle = [...threads].find(({ job }) => !job);
      if (!idle && threads.size >= limits.threads) return;
      const job = line.take(mayWork);
      if (!job) return;
      clearTimeout(job.timer);
      begin(idle ?? startThread(), job);
    }
  }

  function mayWork(owner: string): boolean {
    return [...threads].filter(({ job }) => job?.owner === owner).length < limits.threadsEach;
  }

  function begin(thread: Thread, job: Waiting): void {
    thread.job = job;
    clearTimeout(thread.timer);
    if (!thread.ready) return;
    thread.timer = timer(limits.workMs, () => end(thread, new JobRefused("tooSlow")));
    thread.worker.postMessage({ task: job.task, text: job.text });
  }

  function startThread(): Thread {
    const worker = startWorker();
    const thread: Thread = { worker, ready: false, job: undefined, timer: undefined };
    threads.add(thread);
    const late = timer(limits.startMs, () =>
      end(thread, new JobRefused("failed", "The thread did not start in time.")),
    );
    worker.on("message", (message: unknown) => {
      clearTimeout(late);
      const read = workerMessage.safeParse(message);
      if (read.success) take(thread, read.data);
      else end(thread, new JobRefused("failed", "The thread sent what is no answer."));
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      end(thread, isMemory ? new JobRefused("tooMuchMemory") : new JobRefused("failed", error.stack));
    });
    worker.on("exit", (code) => {
      clearTimeout(late);
      end(thread, new JobRefused("failed", `The thread ended with ${code}.`));
    });
    // Last: listening to its messages takes it back.
    worker.unref();
    return thread;
  }

  function take(thread: Thread, message: WorkerMessage): void {
    const { job } = thread;
    if (message.kind === "ready") {
      thread.ready = true;
      if (job) begin(thread, job);
      return;
    }
    if (!job) return;
    thread.job = undefined;
    clearTimeout(thread.timer);
    thread.timer = timer(limits.idleMs, () => end(thread));
    if (message.kind === "done") job.resolve(message.text);
    else job.reject(new JobRefused(message.kind, message.message));
    serve();
  }

  function end(thread: Thread, why?: JobRefused): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    if (why) thread.job?.reject(why);
    serve();
  }

  return { run };
}

function timer(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(then, ms).unref();
}
