import "server-only";
import type { Worker } from "node:worker_threads";
import { boundedSet } from "@/lib/utils/bounded";
import { createFairQueue } from "@/lib/workers/fair-queue";
import { type TaskName, type WorkerMessage, workerMessage } from "@/lib/workers/messages";

/** Times are in milliseconds. */
export type PoolLimits = {
  threads: number;
  threadsPerOwner: number;
  waiting: number;
  waitingPerOwner: number;
  waitMs: number;
  /** The time of the work alone, without waiting or starting a thread. */
  workMs: number;
  startMs: number;
  idleMs: number;
  /** The idle time of a thread that has had a text of more than so many characters: it keeps the memory that it took. */
  idleAfterLong: { length: number; ms: number };
};

/** `tooComplex` and `failed` say more in `message`. */
export class WorkerTaskError extends Error {
  override readonly name = "WorkerTaskError";
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
  title: string | undefined;
  resolve: (text: string) => void;
  reject: (error: WorkerTaskError) => void;
  timer?: NodeJS.Timeout;
};
type Thread = {
  worker: Worker;
  ready: boolean;
  job: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
  hadLong: boolean;
};

/**
 * A thread pool for pure work on a text. Threads start on demand and never keep the process alive. A job over its time
 * or memory limit takes its thread down; the next one gets a new thread.
 */
export function createPool(startWorker: () => Worker, limits: PoolLimits) {
  const queue = createFairQueue<Waiting>({ max: limits.waiting, maxPerOwner: limits.waitingPerOwner });
  const threads = boundedSet<Thread>("threads", limits.threads, "`serve` starts no more.");

  /** Rejects with WorkerTaskError. */
  function run(owner: string, task: TaskName, text: string, title?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const job: Waiting = { owner, task, text, title, resolve, reject };
      if (!queue.add(job)) return reject(new WorkerTaskError("busy"));
      job.timer = timer(limits.waitMs, () => {
        queue.remove(job);
        reject(new WorkerTaskError("busy"));
      });
      serve();
    });
  }

  /** Assigns waiting jobs to threads. */
  function serve(): void {
    for (;;) {
      const idle = [...threads].find(({ job }) => !job);
      if (!idle && threads.size >= limits.threads) return;
      const job = queue.take(mayRun);
      if (!job) return;
      clearTimeout(job.timer);
      begin(idle ?? startThread(), job);
    }
  }

  function mayRun({ owner }: Waiting): boolean {
    return [...threads].filter(({ job }) => job?.owner === owner).length < limits.threadsPerOwner;
  }

  function begin(thread: Thread, job: Waiting): void {
    thread.job = job;
    thread.hadLong ||= job.text.length > limits.idleAfterLong.length;
    clearTimeout(thread.timer);
    if (!thread.ready) return;
    thread.timer = timer(limits.workMs, () => end(thread, new WorkerTaskError("tooSlow")));
    thread.worker.postMessage({ task: job.task, text: job.text, title: job.title });
  }

  function startThread(): Thread {
    const worker = startWorker();
    const thread: Thread = { worker, ready: false, job: undefined, timer: undefined, hadLong: false };
    threads.add(thread);
    const late = timer(limits.startMs, () =>
      end(thread, new WorkerTaskError("failed", "The thread did not start in time.")),
    );
    worker.on("message", (message: unknown) => {
      clearTimeout(late);
      const read = workerMessage.safeParse(message);
      if (read.success) take(thread, read.data);
      else end(thread, new WorkerTaskError("failed", "The thread sent an invalid message."));
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      end(thread, isMemory ? new WorkerTaskError("tooMuchMemory") : new WorkerTaskError("failed", error.stack));
    });
    worker.on("exit", (code) => {
      clearTimeout(late);
      end(thread, new WorkerTaskError("failed", `The thread ended with ${code}.`));
    });
    // This comes last, because listening to messages undoes it.
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
    thread.timer = timer(thread.hadLong ? limits.idleAfterLong.ms : limits.idleMs, () => end(thread));
    if (message.kind === "done") job.resolve(message.text);
    else job.reject(new WorkerTaskError(message.kind, message.message));
    serve();
  }

  function end(thread: Thread, why?: WorkerTaskError): void {
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
