import "server-only";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** A new thread for heavy.ts. Written literally, as the bundler needs it to make a chunk of that file and trace it. */
export function startWorker(resourceLimits: ResourceLimits): Worker {
  return new Worker(new URL("./heavy.ts", import.meta.url), { resourceLimits });
}
