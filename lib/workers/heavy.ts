import { parentPort } from "node:worker_threads";
import { isAppError } from "@/lib/errors";
import type { Job, WorkerMessage } from "@/lib/workers/messages";
import { TASKS } from "@/lib/workers/tasks";

/** The worker's entry: one job at a time, each answered with one message; see pool.ts for its limits. */
parentPort?.on("message", ({ task, text }: Job) => tell(answer(task, text)));
tell({ kind: "ready" });

function answer(task: Job["task"], text: string): WorkerMessage {
  try {
    return { kind: "done", text: TASKS[task](text) };
  } catch (error) {
    if (isAppError(error, "TOO_COMPLEX")) return { kind: "tooComplex", message: error.message };
    // Recursion over a tree ends here ("Maximum call stack size exceeded").
    if (error instanceof RangeError) return { kind: "tooComplex", message: TOO_DEEP };
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const TOO_DEEP =
  "This text has formatting nested too deeply (emphasis, links or images inside each other thousands of times). Remove the nested marks, then try again.";

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
