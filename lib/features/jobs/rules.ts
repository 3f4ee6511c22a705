import type { JobType } from "@/lib/features/jobs/schema";

/** A worker that has not been heard of for this long is taken for dead; renewed at each step. */
export const LEASE = "5 minutes";
/** Seconds an item may wait for a provider's 429 in all before it fails. */
export const MAX_WAIT_SECONDS = 3600;
/** Rows of each kind (live, done, cancelled) that the monitor gets. */
export const MONITOR_ROWS = 100;

/** Seconds before the next try: 5, 20, 80 …, at most five minutes. `retry` counts from 1. */
export function retryDelaySeconds(retry: number): number {
  return Math.min(300, 5 * 4 ** (Math.max(1, retry) - 1));
}

/** Progress in percent: (completed + failed) ÷ total, rounded; 0 without items. */
export function progressPercent(job: { completedItems: number; failedItems: number; totalItems: number }): number {
  return job.totalItems === 0 ? 0 : Math.round(((job.completedItems + job.failedItems) / job.totalItems) * 100);
}

/** What a queue is asked to do, as the answer of its trigger says it. */
export function queuedMessage(type: JobType, items: number): string {
  const what = type === "outline_generation" ? "outline" : "post";
  return `${items} ${what}${items === 1 ? "" : "s"} queued. You can go on working while they are written.`;
}
