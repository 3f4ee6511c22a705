import { AppError, CALL_MESSAGES, defaultMessage, PROVIDER_SAYS } from "@/lib/errors";
import type { JobType, RunEnd, RunWait } from "@/lib/features/work/schema";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";

/** The field of a piece that a job of each type writes. */
export const JOB_FIELDS = { outline_generation: "outline", content_generation: "body" } as const;

/** An item waits this many seconds in all for provider limits; a day, so that a daily limit fails no queue. */
export const MAX_WAIT_SECONDS = 24 * 3600;

/**
 * What a limit means for an item: how long the gate closes, at least and at most, so that it opens when the item's day of
 * waiting ends, and in how many seconds the limit ends, if it is a long one. An item that has waited for its day fails, and those
 * that have not may ask after the longest back-off.
 */
export function gateWait(toldSeconds: number, waitedSeconds: number) {
  const rest = MAX_WAIT_SECONDS - waitedSeconds;
  const limitedFor = toldSeconds > Math.min(rest, GATE_CAP_SECONDS) ? toldSeconds : null;
  return rest > 0
    ? { retryAfter: toldSeconds, atMost: rest, limitedFor }
    : { retryAfter: Math.min(toldSeconds, GATE_CAP_SECONDS), atMost: MAX_WAIT_SECONDS, limitedFor };
}

/** The sentence of an item that waits for a limit; `until` is the end of a long limit. */
export function limitSentence(until: Date | null): string {
  if (!until) return defaultMessage("AI_RATE_LIMITED");
  const when = new Intl.DateTimeFormat("en-GB", { ...LIMIT_END, timeZone: "UTC" }).format(until);
  return `${CALL_MESSAGES.aiLimits.slice(0, -1)} until ${when.replace(" at ", ", ")} UTC.`;
}

const LIMIT_END = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
/** Rows of each kind (live, done, cancelled) in the queue monitor. */
export const MAX_MONITOR_ROWS = 100;

/** Back-off at a provider's gate doubles from one second up to this. */
export const GATE_CAP_SECONDS = 300;
/** After this long under limits the cap is GATE_LATE_CAP_SECONDS. */
export const GATE_LATE_SECONDS = 3600;
export const GATE_LATE_CAP_SECONDS = 1800;
/** After this long without a limit the back-off starts over. */
export const GATE_QUIET_SECONDS = 600;
/** Up to this fraction is added to a wait, so that users' items do not all come back at once. */
export const GATE_JITTER = 0.1;
/** How long other items wait for a probe whose holder no longer says that its call is under way. */
export const PROBE_SECONDS = 90;
/** How much later than the probe the other items come back. */
export const PROBE_GRACE_SECONDS = 5;
/** Seconds between looks at a piece that is being written elsewhere. */
export const POLL_SECONDS = 15;

/** Seconds before the next try: 5, 20, 80 …, at most five minutes. `retry` counts from 1. */
export function retryDelaySeconds(retry: number): number {
  return Math.min(300, 5 * 4 ** (Math.max(1, retry) - 1));
}

/** Progress in percent: (completed + failed) ÷ total, rounded; 0 without items. */
export function progressPercent(job: { completedItems: number; failedItems: number; totalItems: number }): number {
  return job.totalItems === 0 ? 0 : Math.round(((job.completedItems + job.failedItems) / job.totalItems) * 100);
}

export function queuedMessage(type: JobType, items: number, isSent: boolean): string {
  const what = type === "outline_generation" ? "outline" : "post";
  const rest = isSent
    ? "You can keep working while they are written."
    : "The job engine is away; the work begins when it is back.";
  return `${items} ${what}${items === 1 ? "" : "s"} queued. ${rest}`;
}

/** The state of an item that a run could not claim. */
export type ItemSnapshot = {
  status: ProcessingStatus;
  /** It was not dispatched again since. */
  isCurrent: boolean;
  isHeld: boolean;
  isTryOpen: boolean;
  /** Its piece was deleted. */
  isOrphan: boolean;
  cancelRequested: boolean;
  error: string | null;
  waitSeconds: number;
  /** Seconds until the lease on its piece expires, for any holder. */
  leaseSeconds: number;
};

/** The engine never gets the provider's words. */
function ownWords(error: string): string {
  return (error.split(PROVIDER_SAYS)[0] ?? "").trim();
}

/**
 * What a run does when it could not claim its item: end as the item ended (a failed one throws its error), wait, `cancel` the
 * item, or `reclaim` it from a holder that died.
 */
export function nextForUnclaimed(item: ItemSnapshot | undefined): RunWait | RunEnd | "cancel" | "reclaim" {
  if (!item?.isCurrent) return { next: "end", as: "cancelled" };
  if (item.status === "failed") throw new AppError("INTERNAL", { message: ownWords(item.error ?? "") });
  if (isEnded(item.status)) return { next: "end", as: item.status === "completed" ? "completed" : "cancelled" };
  if (item.isOrphan || (item.cancelRequested && !item.isTryOpen)) return "cancel";
  if (item.isHeld) return { next: "end", as: "held" };
  if (item.status === "processing" && item.leaseSeconds === 0) return "reclaim";
  return { next: "wait", waitSeconds: Math.max(1, item.waitSeconds, Math.min(item.leaseSeconds, POLL_SECONDS)) };
}
