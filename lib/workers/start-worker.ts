import "server-only";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** Starts worker.ts. The URL is literal because the bundler needs it to build and trace the file. */
export function startWorker(resourceLimits: ResourceLimits): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits });
}
