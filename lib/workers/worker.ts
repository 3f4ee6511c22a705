import { parentPort } from "node:worker_threads";
import { tooComplexMessage } from "@/lib/markdown/too-complex";
import type { Job, WorkerMessage } from "@/lib/workers/messages";
import { TASKS } from "@/lib/workers/tasks";

/** The worker's entry point: one message in reply to each job; pool.ts enforces the limits. */
parentPort?.on("message", (job: Job) => send(answer(job)));
send({ kind: "ready" });

function answer({ task, text, title }: Job): WorkerMessage {
  try {
    return { kind: "done", text: TASKS[task](text, title) };
  } catch (error) {
    const message = tooComplexMessage(error);
    if (message) return { kind: "tooComplex", message };
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
