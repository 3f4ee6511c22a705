import { endedItems } from "@/lib/features/work/rules";
import type { JobOut, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";

const RANK: Record<ProcessingStatus, number> = { processing: 0, completed: 1, pending: 2, failed: 2, cancelled: 3 };
/** The specification counts cancelled rows as active; more than these are collapsed, so as not to bury the others. */
export const MAX_OPEN_CANCELLED = 5;

/** Groups jobs into active ones and done ones (completed or failed), sorted by status, then newest first. */
export function groupJobs(jobs: JobOut[], total: QueueStatus["total"]["jobs"]): JobGroups {
  const sorted = [...jobs].sort((a, b) => RANK[a.status] - RANK[b.status] || b.createdAt.localeCompare(a.createdAt));
  const isDone = ({ status }: JobOut) => status === "completed" || status === "failed";
  const active = sorted.filter((job) => !isDone(job));
  const live = active.filter(({ status }) => status !== "cancelled").length;
  const open = live + MAX_OPEN_CANCELLED;
  return {
    active: { rows: active, total: total.live + total.cancelled },
    shown: active.slice(0, open),
    folded: { rows: active.slice(open), total: Math.max(0, total.cancelled - MAX_OPEN_CANCELLED) },
    done: { rows: sorted.filter(isDone), total: total.finished },
  };
}

/** The loaded jobs, and how many there are in all. */
type Listed = { rows: JobOut[]; total: number };
/** `shown` and `folded` are the two parts of `active`. */
type JobGroups = { active: Listed; shown: JobOut[]; folded: Listed; done: Listed };

/** The note beside the count of a group of ended rows. */
export function failureNote(failed: number, what: "failed" | "with failures"): string | undefined {
  return failed > 0 ? `${failed.toLocaleString("en-US")} of them ${what}` : undefined;
}

export function topicNameOf({ topicName, topicId }: Pick<JobOut, "topicName" | "topicId">): string {
  return topicName || `Topic ${topicId}`;
}

/** Ids are shown as their first eight characters. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/**
 * The rows of one state, those that live in the order of their work and the ended ones latest first: `first` is as new as the
 * status, `further` pages may be older. What of these stands before the end of `first` and is not in it has moved on since.
 */
export function withFurther(first: QueueItemOut[], further: QueueItemOut[]): QueueItemOut[] {
  const last = first.at(-1);
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...further.filter((item) => !known.has(item.id) && (!last || isAfter(item, last)))];
}

function isAfter(item: QueueItemOut, other: QueueItemOut): boolean {
  const [one, two] = [placeOf(item), placeOf(other)];
  return isEnded(other.status) ? one < two : one > two;
}

function placeOf({ status, completedAt, createdAt, id }: QueueItemOut): string {
  return `${isEnded(status) ? completedAt : createdAt} ${id}`;
}

/** A time left in words: exact to the minute, then to the hour. */
export function timeInWords(seconds: number): string {
  if (seconds < 45) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${count(minutes, "minute")}`;
  return `about ${count(Math.round(minutes / 60), "hour")}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** The word beside the badge of an item that is not at work. */
export const WAITING_WORD: Record<NonNullable<QueueItemOut["waits"]>["for"], string> = {
  user: "held",
  pause: "paused",
  provider: "waiting",
  retry: "waiting",
};

/**
 * What a live item is doing, or what it waits for, and until when; null if the word beside its badge says it. `ahead`: the items
 * before it; `pace`: how many seconds each takes, null if that is not known.
 */
export function doingOf(
  { status, waits, section }: Pick<QueueItemOut, "status" | "waits" | "section">,
  { ahead, pace }: { ahead: number; pace: number | null },
): { words: string; until: string | null } | null {
  switch (waits?.for) {
    case "user":
    case "pause":
      return null;
    case "provider":
      return { words: waits.until ? "for the provider until" : "for the provider", until: waits.until };
    case "retry":
      return { words: "tries again at", until: waits.until };
  }
  if (status === "processing") {
    return { words: section ? `section ${section.number} of ${section.of}` : "is being written", until: null };
  }
  return { words: pace === null ? "queued" : `queued, ${timeInWords(pace * (ahead + 1))}`, until: null };
}

/** The items of a live job that the status has. */
export function liveItemsOf(job: JobOut, { outlineQueue, contentQueue }: QueueStatus): QueueItemOut[] {
  const queue = job.jobType === "outline_generation" ? outlineQueue : contentQueue;
  return queue.filter(({ jobId, status }) => jobId === job.id && !isEnded(status));
}

/** Do items of a live job wait, and none is at work? */
export function isWaiting(job: JobOut, status: QueueStatus): boolean {
  const items = liveItemsOf(job, status);
  return items.some(({ waits }) => waits) && !items.some(({ status, waits }) => status === "processing" && !waits);
}

/** How many seconds a live job still takes; null if something of it waits, or if that is not known. */
export function secondsLeft(job: JobOut, status: QueueStatus): number | null {
  const each = status.pace[job.jobType === "outline_generation" ? "outlineQueue" : "contentQueue"];
  if (isEnded(job.status) || each === null || liveItemsOf(job, status).some(({ waits }) => waits)) return null;
  return (job.totalItems - endedItems(job)) * each;
}
