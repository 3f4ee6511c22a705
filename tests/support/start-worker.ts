import path from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** Replaces lib/workers/start-worker.ts: Node 20 cannot load TypeScript, and jest bundles no worker. */
export function startWorker(resourceLimits: ResourceLimits): Worker {
  const file = path.join(process.cwd(), "lib/workers/worker.ts");
  return new Worker(`require("tsx/cjs"); require(${JSON.stringify(file)})`, { eval: true, resourceLimits });
}
