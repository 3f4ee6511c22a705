import "server-only";
import { availableParallelism } from "node:os";
import type { ResourceLimits } from "node:worker_threads";
import { AppError } from "@/lib/errors";
import { TOO_MUCH_MEMORY, tooSlow } from "@/lib/markdown/too-complex";
import type { TaskName } from "@/lib/workers/messages";
import { createPool, type PoolLimits, WorkerTaskError } from "@/lib/workers/pool";
import { startWorker } from "@/lib/workers/start-worker";

/**
 * Runs a pure task on a text in a worker thread. Throws TOO_COMPLEX (past 3 s, past 256 MB, or as the task says) and
 * SERVICE_UNAVAILABLE when too many texts wait. One user gets at most one thread fewer than there are.
 */
export async function runInWorker(userId: string, task: TaskName, text: string, title?: string): Promise<string> {
  try {
    return await pool().run(userId, task, text, title);
  } catch (error) {
    throw error instanceof WorkerTaskError ? refusal(error) : error;
  }
}

const MAX_THREADS = 4;
/** 256 MB in all. A single larger allocation ends the whole process, so texts are checked before they come here. */
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 224, maxYoungGenerationSizeMb: 32 };
const RETRY_AFTER_SECONDS = 10;
const WORK_SECONDS = 3;

// The pool is on globalThis: the bundler may give each route a copy of this module.
const kept = globalThis as { workerPool?: ReturnType<typeof createPool> };

function pool() {
  kept.workerPool ??= createPool(() => startWorker(MEMORY), limitsFor(availableParallelism()));
  return kept.workerPool;
}

function limitsFor(cores: number): PoolLimits {
  const threads = Math.min(cores, MAX_THREADS);
  return {
    threads,
    threadsPerOwner: Math.max(1, threads - 1),
    waiting: 64,
    waitingPerOwner: 16,
    waitMs: 20_000,
    workMs: WORK_SECONDS * 1000,
    startMs: 10_000,
    // A thread that starts takes a quarter of a second, and renders slowly at first.
    idleMs: 60_000,
    idleAfterLong: { length: 50_000, ms: 5_000 },
  };
}

function refusal({ reason, message, stack }: WorkerTaskError): AppError {
  switch (reason) {
    case "busy":
      return new AppError("SERVICE_UNAVAILABLE", { message: BUSY, retryAfter: RETRY_AFTER_SECONDS });
    case "tooSlow":
      return new AppError("TOO_COMPLEX", { message: tooSlow(WORK_SECONDS) });
    case "tooMuchMemory":
      return new AppError("TOO_COMPLEX", { message: TOO_MUCH_MEMORY });
    case "tooComplex":
      return new AppError("TOO_COMPLEX", { message });
    default:
      return new AppError("INTERNAL", { cause: new Error(message, { cause: stack }) });
  }
}

const BUSY = "Too many texts are being rendered right now. Your text is unchanged; please try again in a moment.";
