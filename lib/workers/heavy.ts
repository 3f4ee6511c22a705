import { parentPort } from "node:worker_threads";
import { refusalOf } from "@/lib/markdown/too-complex";
import type { Job, WorkerMessage } from "@/lib/workers/messages";
import { TASKS } from "@/lib/workers/tasks";

/** The worker's entry: one job at a time, each answered with one message; see pool.ts for its limits. */
parentPort?.on("message", ({ task, text }: Job) => tell(answer(task, text)));
tell({ kind: "ready" });

function answer(task: Job["task"], text: string): WorkerMessage {
  try {
    return { kind: "done", text: TASKS[task](text) };
  } catch (error) {
    const message = refusalOf(error);
    if (message) return { kind: "tooComplex", message };
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
