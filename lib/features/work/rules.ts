import { AppError, CALL_MESSAGES, defaultMessage, PROVIDER_SAYS } from "@/lib/errors";
import type { JobOut, JobType, RunEnd, RunWait } from "@/lib/features/work/schema";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";

/** The field of a piece that a job of each type writes. */
export const JOB_FIELDS = { outline_generation: "outline", content_generation: "body" } as const;

/** After so many seconds of limits without a success, what is due fails; a day, so that a daily limit fails no queue. */
export const MAX_LIMITED_SECONDS = 24 * 3600;

/** The sentence of an item that waits for a limit; `until` is the end of a long limit. */
export function limitSentence(until: Date | null): string {
  if (!until) return defaultMessage("AI_RATE_LIMITED");
  const when = new Intl.DateTimeFormat("en-GB", { ...LIMIT_END, timeZone: "UTC" }).format(until);
  return `${CALL_MESSAGES.aiLimits.slice(0, -1)} until ${when.replace(" at ", ", ")} UTC.`;
}

const LIMIT_END = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The sentence of an item whose user has paused the queue. */
export const PAUSED = "Paused by you. It continues when you resume processing.";

/** Ended jobs that stay: of a user, and of each topic or project. Failed ones stay for some days beyond that. */
export const KEPT_JOBS = 100;
export const KEPT_JOBS_OF_SUBJECT = 20;
export const KEPT_FAILED_DAYS = 30;

/** Rows of each kind (live, done, cancelled) in the queue monitor. */
export const MAX_MONITOR_ROWS = 100;

/** The back-off at a provider that limits doubles from one second up to this. */
export const BACKOFF_CAP_SECONDS = 300;
/** After this long under limits the cap is BACKOFF_LATE_CAP_SECONDS. */
export const BACKOFF_LATE_SECONDS = 3600;
export const BACKOFF_LATE_CAP_SECONDS = 1800;
/** After this long without a limit the back-off starts over. */
export const QUIET_SECONDS = 600;
/** How long the others wait for the taker of a turn that no longer says that its call is under way. */
export const TURN_SECONDS = 90;
/** Items that wait for a limit come back within this many seconds for each live one of the user. */
const SPREAD_SECONDS = 0.25;
/** Seconds between looks at a provider whose limit has passed, while the taker's call is under way. */
const TURN_POLL_SECONDS = 2;
/** Seconds between looks at a piece that is being written elsewhere. */
export const POLL_SECONDS = 15;

/** Seconds before the next try: 5, 20, 80 …, at most five minutes. `retry` counts from 1. */
export function retryDelaySeconds(retry: number): number {
  return Math.min(300, 5 * 4 ** (Math.max(1, retry) - 1));
}

type Counters = Pick<JobOut, "totalItems" | "completedItems" | "failedItems" | "cancelledItems">;

/** Progress in percent: (completed + failed) ÷ total, rounded; 0 without items. */
export function progressPercent(job: Omit<Counters, "cancelledItems">): number {
  return job.totalItems === 0 ? 0 : Math.round(((job.completedItems + job.failedItems) / job.totalItems) * 100);
}

/** How many of a job's items have ended, however they did. */
export function endedItems(job: Omit<Counters, "totalItems">): number {
  return job.completedItems + job.failedItems + job.cancelledItems;
}

export function queuedMessage(type: JobType, items: number, isSent: boolean): string {
  const what = type === "outline_generation" ? "outline" : "post";
  const rest = isSent
    ? "You can keep working while they are written."
    : "The job engine is away; the work begins when it is back.";
  return `${items} ${what}${items === 1 ? "" : "s"} queued. ${rest}`;
}

/** What trying failures again did; so many are left to another job of their topic. */
export function retriedMessage(retried: number, left: number): string {
  const rest = left > 0 ? ` ${left} more can be tried again once their topic's current job has ended.` : "";
  return `${retried} item${retried === 1 ? "" : "s"} will be tried again.${rest}`;
}

/** An item as a run found it. */
export type ItemSnapshot = {
  status: ProcessingStatus;
  error: string | null;
  /** This run claimed it last. */
  isOwn: boolean;
  /** A call of it is under way. */
  isAtWork: boolean;
  /** The release before keeps this run's claim on it between two calls. */
  isKept: boolean;
  /** Its last call was lost with its worker, and no try is left. */
  isSpent: boolean;
  /** Its piece was deleted. */
  isOrphan: boolean;
  /** Its job was cancelled. */
  isCancelled: boolean;
  /** The user has to act first. */
  isHeld: boolean;
  /** Seconds until the lease on its piece runs out, no matter who holds it. */
  leaseSeconds: number;
  /** Seconds until its next try. */
  waitSeconds: number;
  /** Seconds until the provider may be asked; null: it does not limit the user. */
  limitSeconds: number | null;
  /** How many items of the user are live, while the provider limits. */
  liveItems: number;
};

/** The engine never gets the provider's words. */
function ownWords(error: string): string {
  return (error.split(PROVIDER_SAYS)[0] ?? "").trim();
}

/**
 * What a run does that could not claim its item: end as the item ended (a failed one throws its error), wait, or first `takeOver`
 * a claim of the release before, `cancel` or `giveUp` an item that cannot go on, or `park` one that is held. `random` is from 0 to
 * 1.
 */
export function nextWithoutClaim(
  item: ItemSnapshot | undefined,
  random: number,
): RunWait | RunEnd | "takeOver" | "cancel" | "giveUp" | "park" {
  if (!item) return { next: "end", as: "cancelled" };
  if (item.status === "failed") throw new AppError("INTERNAL", { message: ownWords(item.error ?? "") });
  if (isEnded(item.status)) return { next: "end", as: item.status === "completed" ? "completed" : "cancelled" };
  if (item.isAtWork && !item.isOwn) return { next: "end", as: "taken" };
  if (item.isKept) return "takeOver";
  const poll = Math.max(1, Math.min(item.leaseSeconds, POLL_SECONDS));
  if (item.isAtWork) return { next: "wait", waitSeconds: poll };
  if (item.isOrphan || item.isCancelled) return "cancel";
  if (item.isSpent) return "giveUp";
  if (item.isHeld) return "park";
  if (item.waitSeconds > 0 || item.limitSeconds === null)
    return { next: "wait", waitSeconds: Math.max(item.waitSeconds, poll) };
  return {
    next: "wait",
    waitSeconds: Math.max(item.limitSeconds, TURN_POLL_SECONDS) + spreadSeconds(item.liveItems, random),
  };
}

/** How much later than the limit's end an item comes back, so that a user's do not come all at once. */
export function spreadSeconds(liveItems: number, random: number): number {
  return random * SPREAD_SECONDS * liveItems;
}
