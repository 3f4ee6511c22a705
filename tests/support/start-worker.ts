import path from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** In place of lib/workers/start-worker.ts: Node 20 loads no TypeScript, and jest bundles no worker. */
export function startWorker(resourceLimits: ResourceLimits): Worker {
  const file = path.join(process.cwd(), "lib/workers/heavy.ts");
  return new Worker(`require("tsx/cjs"); require(${JSON.stringify(file)})`, { eval: true, resourceLimits });
}
