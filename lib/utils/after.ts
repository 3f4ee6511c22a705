import "server-only";
import { after } from "next/server";
import { log } from "@/lib/log";

/**
 * Does `task` once the answer has gone out, so that neither its time nor its failure shows in it. Next keeps the process
 * alive for it; called outside of a request of Next's (scripts, jobs, handlers called directly) it runs in the background.
 * A failure is logged under `what`.
 */
export function afterAnswer(what: string, task: () => Promise<void>): void {
  const work = () =>
    task().catch((error: unknown) => log.error({ err: error, what }, "work after the answer has failed"));
  try {
    after(work);
  } catch {
    setImmediate(work);
  }
}
