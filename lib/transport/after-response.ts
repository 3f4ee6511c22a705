import "server-only";
import { after } from "next/server";
import { log } from "@/lib/log";

/**
 * Runs `task` after the response, which neither its time nor its failure affects. Next keeps the process alive for it;
 * outside a Next request (scripts, jobs, direct calls) it runs in the background. Failures are logged under `what`.
 */
export function afterResponse(what: string, task: () => Promise<void>): void {
  const work = () =>
    task().catch((error: unknown) => log.error({ err: error, what }, "work after the response failed"));
  try {
    after(work);
  } catch {
    setImmediate(work);
  }
}
