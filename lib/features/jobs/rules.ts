import { AppError } from "@/lib/errors";
import type { JobType } from "@/lib/features/jobs/schema";
import { isEnded, type ProcessingStatus } from "@/lib/features/jobs/states";

/** Seconds an item may wait for a provider's limits in all before it fails: a daily limit does not fail a night's queue. */
export const MAX_WAIT_SECONDS = 24 * 3600;
/** Rows of each kind (live, done, cancelled) that the monitor gets. */
export const MONITOR_ROWS = 100;

/** Waits before a provider's gate double from one second up to this many; */
export const GATE_CAP_SECONDS = 300;
/** where it has been limiting for this long already, up to this many. */
export const GATE_LATE_SECONDS = 3600;
export const GATE_LATE_CAP_SECONDS = 1800;
/** After this long without a limit the next one is a first one. */
export const GATE_QUIET_SECONDS = 600;
/** The part of a wait that chance adds at most, so that people's items do not all come back at once. */
export const GATE_JITTER = 0.1;
/** How long the others wait at most for the item that tries: longer than the provider's time-out. */
export const PROBE_SECONDS = 90;
/** Seconds that those who do not try come later than the one who does. */
export const AFTER_PROBE_SECONDS = 5;
/** Seconds between looks at a piece that somebody else is working on. */
export const LOOK_AGAIN_SECONDS = 15;

/** Seconds before the next try: 5, 20, 80 …, at most five minutes. `retry` counts from 1. */
export function retryDelaySeconds(retry: number): number {
  return Math.min(300, 5 * 4 ** (Math.max(1, retry) - 1));
}

/** Progress in percent: (completed + failed) ÷ total, rounded; 0 without items. */
export function progressPercent(job: { completedItems: number; failedItems: number; totalItems: number }): number {
  return job.totalItems === 0 ? 0 : Math.round(((job.completedItems + job.failedItems) / job.totalItems) * 100);
}

/** What a queue is asked to do, as the answer of its trigger says it. */
export function queuedMessage(type: JobType, items: number, isSent: boolean): string {
  const what = type === "outline_generation" ? "outline" : "post";
  const rest = isSent
    ? "You can go on working while they are written."
    : "The job engine is away; the work begins when it is back.";
  return `${items} ${what}${items === 1 ? "" : "s"} queued. ${rest}`;
}

/** An item that a run could not claim, as it is: see readItem in sql/items.ts. */
export type ItemNow = {
  status: ProcessingStatus;
  /** It was not handed over again under another name. */
  isCurrent: boolean;
  isHeld: boolean;
  isTryOpen: boolean;
  /** Its piece is gone. */
  isOrphan: boolean;
  cancelRequested: boolean;
  error: string | null;
  /** Seconds until it may begin. */
  waitSeconds: number;
  /** Seconds until the lease on its piece runs out, no matter who holds it. */
  leaseSeconds: number;
};

type Wait = { next: "wait"; waitSeconds: number };
type End = { next: "end"; as: "completed" | "cancelled" | "held" };

/** What a run of the engine does after a step: go on, come back, or end as its item did. */
export type Outcome = { next: "section"; index: number; count: number } | { next: "finish" } | Wait | End;

/**
 * What a run does that could not claim its item: end as the item did (a failed one throws its sentence), wait, or settle it
 * first: `cancel` ends it as cancelled, `lost` frees it from a holder who has died.
 */
export function whatNow(item: ItemNow | undefined): Wait | End | "cancel" | "lost" {
  if (!item?.isCurrent) return { next: "end", as: "cancelled" };
  if (item.status === "failed") throw new AppError("INTERNAL", { message: item.error ?? "" });
  if (isEnded(item.status)) return { next: "end", as: item.status === "completed" ? "completed" : "cancelled" };
  if (item.isOrphan || (item.cancelRequested && !item.isTryOpen)) return "cancel";
  if (item.isHeld) return { next: "end", as: "held" };
  if (item.status === "processing" && item.leaseSeconds === 0) return "lost";
  return { next: "wait", waitSeconds: Math.max(1, item.waitSeconds, Math.min(item.leaseSeconds, LOOK_AGAIN_SECONDS)) };
}
