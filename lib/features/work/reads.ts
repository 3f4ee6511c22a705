import "server-only";
import type { z } from "zod";
import type { Actor } from "@/lib/auth/actor";
import { type Listener, listen } from "@/lib/db/listen";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { engineAwaySince as awaySince } from "@/lib/events/presence";
import { limitSentence, MAX_MONITOR_ROWS, PAUSED } from "@/lib/features/work/rules";
import {
  type Need,
  type QueueChanges,
  type QueueItemOut,
  type QueueStatus,
  queueChangesOut,
  type queueItemsQuery,
} from "@/lib/features/work/schema";
import {
  type ItemRow,
  type QueueTotals,
  selectItem,
  selectItemPage,
  selectQueueDepth,
  selectQueueStatus,
  selectQueueVersion,
  type Wait,
} from "@/lib/features/work/sql/status";
import { isEnded } from "@/lib/features/work/states";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { type CursorPage, cursorPage, decodeCursor, newestCursor } from "@/lib/utils/cursor-page";
import { uuid } from "@/lib/utils/zod";

export {
  type ChunkedJob,
  type ChunkItem,
  selectChunkedJob,
  selectChunkedJobs,
  selectChunkItems,
} from "@/lib/features/work/sql/chunks";
export { selectWatchedItems, type WatchedItem, watchJob } from "@/lib/features/work/sql/watching";

/** What a job is about, and how far it got. */
export const JOB_FACTS = {
  id: true,
  topicId: true,
  jobType: true,
  status: true,
  totalItems: true,
  completedItems: true,
  failedItems: true,
  cancelledItems: true,
  startedAt: true,
  completedAt: true,
  createdAt: true,
} as const;

const JOB = {
  ...JOB_FACTS,
  userId: true,
  projectId: true,
  cancelRequestedAt: true,
  updatedAt: true,
  topic: { select: { name: true } },
} as const;

/** Tells monitors how many items of all users' queues wait or are in progress, and how long the oldest has waited. */
export async function queueDepth(): Promise<{ waiting: number; processing: number; oldestWaitSeconds: number }> {
  return selectQueueDepth();
}

/** The ETag of the queue's status, weak because `now` moves on without it. */
export async function queueVersion({ userId }: Actor): Promise<string> {
  return `W/"${await selectQueueVersion(userId)}"`;
}

/** The user's jobs and queues: live ones, the newest ended ones, what needs the user, and the totals. */
export async function queueStatus(actor: Actor) {
  return (await readStatus(actor)).status;
}

/** `since`: of the rows those alone that have changed after it. */
async function readStatus(actor: Actor, since?: Date) {
  const [{ totals, wait, needs, outlineQueue, contentQueue, ...rows }, engineAwaySince] = await Promise.all([
    selectQueueStatus(actor.userId, MAX_MONITOR_ROWS, since),
    awaySince(),
  ]);
  const queues = { outlineQueue: withWaits(outlineQueue, wait), contentQueue: withWaits(contentQueue, wait) };
  const runAddress = env.INNGEST_DASHBOARD_URL ?? null;
  const status = { ...rows, ...queues, ...summary(totals), ...needsOf(wait, needs), engineAwaySince, runAddress };
  const { live, finished, cancelled } = status.total.jobs;
  return { status, mark: { now: status.now, wait: waitKey(wait), jobs: live + finished + cancelled } };
}

/** Up to where a reader knows the status: what all items wait for changes their `waits`, and jobs that are gone have no row. */
type Mark = { now: string; wait: string; jobs: number };

function waitKey(wait: Wait | null): string {
  return JSON.stringify({ ...wait, items: 0 });
}

/** A transaction may be committed so long after its time. */
const LATE_MS = 10_000;
/** A reader who was away for longer gets the whole status. */
const AWAY_MS = 300_000;

/** What a reader knows who has read the status at this time; of waits nothing, so that any makes the next status whole. */
function markOf(since: string | undefined): Mark | undefined {
  if (!since || Date.parse(since) < Date.now() - AWAY_MS) return undefined;
  return { now: since, wait: waitKey(null), jobs: 0 };
}

/** What has changed of the queues since a time, or the whole status. */
export async function queueChanges(actor: Actor, since: string | undefined) {
  return (await changesAfter(actor, markOf(since))).changes;
}

/** The changes of the user's queues since a time, for a stream: each read goes on where the last one ended. */
export function followQueue(actor: Actor, since: string | undefined) {
  let known = markOf(since);
  return {
    listen: (listener: Listener) => listen(actor.userId, listener),
    read: async (): Promise<QueueChanges> => {
      const { changes, mark } = await changesAfter(actor, known);
      known = mark;
      return queueChangesOut.parse(changes);
    },
  };
}

async function changesAfter(actor: Actor, known: Mark | undefined) {
  const { status, mark } = await readStatus(actor, known && new Date(Date.parse(known.now) - LATE_MS));
  if (!known) return { changes: { ...status, whole: true }, mark };
  if (known.wait === mark.wait && known.jobs <= mark.jobs && !isFull(status))
    return { changes: { ...status, whole: false }, mark };
  const all = await readStatus(actor);
  return { changes: { ...all.status, whole: true }, mark: all.mark };
}

/** May there be more changes than are read? */
function isFull({ jobs, outlineQueue, contentQueue }: Record<"jobs" | "outlineQueue" | "contentQueue", unknown[]>) {
  return [jobs, outlineQueue, contentQueue].some(({ length }) => length >= MAX_MONITOR_ROWS);
}

const PAGE_ROWS = 200;

/** The items of a queue, page by page; see queueItemsQuery. */
export async function listQueueItems(
  { userId }: Actor,
  { limit = PAGE_ROWS, cursor, ...of }: z.output<typeof queueItemsQuery>,
): Promise<CursorPage<QueueItemOut>> {
  const after = decodeCursor(cursor, (id) => uuid.safeParse(id).data);
  const { rows, wait } = await selectItemPage(userId, { ...of, after }, limit + 1);
  const cursorOf = ({ id, completedAt, createdAt }: QueueItemOut) =>
    newestCursor({ id, createdAt: new Date(completedAt ?? createdAt) });
  return cursorPage(withWaits(rows, wait), { limit, maxBytes: MAX_LIST_BYTES, cursorOf });
}

/** Throws NOT_FOUND. */
export async function ownedItem({ userId }: Actor, id: string): Promise<QueueItemOut> {
  const { rows, wait } = await selectItem(userId, id);
  const [item] = withWaits(rows, wait);
  if (!item) throw new AppError("NOT_FOUND", { message: "This item was not found. Its topic may have been deleted." });
  return item;
}

const TRIED = "Pending until another item has found out whether the AI provider answers.";

/** What keeps all of the user's items that are not at work waiting, and in which words. */
function reasonOf(wait: Wait | null): Pick<QueueItemOut, "waits" | "error"> | null {
  if (!wait) return null;
  const { heldReason, pausedAt, notBefore, isTried, limitedUntil } = wait;
  if (heldReason) return { waits: { for: "user", until: null }, error: heldReason };
  if (pausedAt) return { waits: { for: "pause", until: null }, error: PAUSED };
  if (isTried) return { waits: { for: "provider", until: null }, error: TRIED };
  if (!notBefore) return null;
  const until = limitedUntil ?? notBefore;
  return {
    waits: { for: "provider", until },
    error: limitSentence(limitedUntil === null ? null : new Date(limitedUntil)),
  };
}

/** What waits says what for. */
function withWaits(items: ItemRow[], wait: Wait | null): QueueItemOut[] {
  const reason = reasonOf(wait);
  return items.map(({ notBefore, isAtWork, ...item }) => {
    if (isEnded(item.status) || isAtWork) return { ...item, waits: null };
    if (reason) return { ...item, ...reason, error: item.status === "pending" ? reason.error : item.error };
    const isForLater = notBefore !== null && Date.parse(notBefore) > Date.now();
    return { ...item, waits: isForLater ? { for: item.error ? "retry" : "provider", until: notBefore } : null };
  });
}

function needsOf(wait: Wait | null, failures: Need[]): Pick<QueueStatus, "needs" | "pausedAt"> {
  const none = { jobType: null, project: null };
  const needs = [...failures];
  if (wait?.heldReason && wait.items > 0)
    needs.unshift({ ...none, kind: "held", items: wait.items, reason: wait.heldReason });
  if (wait?.pausedAt) needs.unshift({ ...none, kind: "paused", items: wait.items, reason: null });
  return { needs, pausedAt: wait?.pausedAt ?? null };
}

function summary(totals: QueueTotals[]): Pick<QueueStatus, "total" | "counts" | "pace"> {
  const nothing = { live: 0, finished: 0, cancelled: 0 };
  const none = { jobs: nothing, items: nothing, processing: 0, completed: 0, medianSeconds: null };
  const outline = totals.find((row) => row.jobType === "outline_generation") ?? none;
  const content = totals.find((row) => row.jobType === "content_generation") ?? none;
  return {
    total: {
      jobs: {
        live: outline.jobs.live + content.jobs.live,
        finished: outline.jobs.finished + content.jobs.finished,
        cancelled: outline.jobs.cancelled + content.jobs.cancelled,
      },
      outlineQueue: outline.items,
      contentQueue: content.items,
    },
    counts: {
      outlinePending: outline.items.live - outline.processing,
      outlineCompleted: outline.completed,
      contentPending: content.items.live - content.processing,
      contentCompleted: content.completed,
    },
    pace: { outlineQueue: paceOf(outline), contentQueue: paceOf(content) },
  };
}

/** So many items of a user run at once. */
function paceOf({ medianSeconds }: { medianSeconds: number | null }): number | null {
  return medianSeconds === null ? null : medianSeconds / env.AI_MAX_CONCURRENCY_PER_USER;
}

/** Throws NOT_FOUND. */
export async function ownedJob(actor: Actor, id: string) {
  const job = await prisma.processingJob.findFirst({ where: { id, userId: actor.userId, topic: LIVE }, select: JOB });
  if (!job?.topic || job.topicId === null || job.jobType === "publishing") {
    throw new AppError("NOT_FOUND", { message: "This job was not found. Its topic may have been deleted." });
  }
  const { topic, ...rest } = job;
  return { ...rest, topicId: job.topicId, jobType: job.jobType, topicName: topic.name };
}

/** The id of the job that has this piece in its queue, waiting or in progress. */
export async function liveJobOfPiece(actor: Actor, contentPieceId: string): Promise<string | undefined> {
  const item = await prisma.queueItem.findFirst({
    where: { contentPieceId, userId: actor.userId, completedAt: null, jobType: { not: "publishing" } },
    select: { jobId: true },
  });
  return item?.jobId;
}
