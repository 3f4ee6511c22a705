import "server-only";
import { createHash } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { type Db, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { contentItemQueued, jobQueued, outlineItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { ownedJob } from "@/lib/features/jobs/reads";
import { queuedMessage } from "@/lib/features/jobs/rules";
import type { JobType, Queued } from "@/lib/features/jobs/schema";
import {
  type ClaimedItem,
  cancelItemsOfPieceStatement,
  cancelJob as cancelJobRows,
  claimItem as claimItemRow,
  completeItem,
  freeLostItems,
  type ItemRef,
  insertJob,
  lockItem,
  markDispatched,
  readWaiting,
  retryJob as retryJobRows,
  type Setback,
  saveProgress,
  selectStranded,
  selectUndispatched,
  setItemBack,
  type WaitingItem,
} from "@/lib/features/jobs/sql";
import { log } from "@/lib/log";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export type { ClaimedItem, ItemRef } from "@/lib/features/jobs/sql";
export { countTodo } from "@/lib/features/jobs/sql";

/** Events sent in one request. */
const BATCH = 500;
/** Seconds before the sweep takes a waiting item for stranded; a person who presses Resume need not wait as long. */
const SWEEP_GRACE = 60;
const RESUME_GRACE = 5;
/** Items one sweep hands out again. */
const SWEEP_ROWS = 5_000;

/**
 * Starts a job over a topic's pieces: rows first, then the event. If sending fails the rows stay, and the sweep or Resume
 * sends them. Throws NOTHING_TO_DO, or ALREADY_RUNNING with the live job's id.
 */
export async function startJob(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  const job = await insertJob(actor.userId, topicId, jobType).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, topicId, jobType);
  });
  if (!job) throw new AppError("NOTHING_TO_DO");
  await announce(actor.userId, job.id);
  return { message: queuedMessage(jobType, job.totalItems), jobId: job.id };
}

async function alreadyRunning(actor: Actor, topicId: number, jobType: JobType): Promise<AppError> {
  const live = await prisma.processingJob.findFirst({
    where: { topicId, jobType, userId: actor.userId, completedAt: null },
    select: { id: true },
  });
  return new AppError("ALREADY_RUNNING", {
    message: "This topic is already being worked on. The queue monitor shows how far it is.",
    ...(live ? { details: { jobId: live.id } } : {}),
  });
}

async function announce(userId: string, jobId: string): Promise<void> {
  try {
    await inngest.send(jobQueued.create({ jobId, userId }));
  } catch (error) {
    log.warn({ err: error, jobId }, "job not announced; the sweep will send its items");
  }
}

/** Hands a job's waiting items to the engine, oldest first. May run twice: the engine drops an event id it has seen. */
export async function dispatchJob(jobId: string): Promise<number> {
  let sent = 0;
  for (;;) {
    const items = await selectUndispatched(jobId, BATCH);
    await sendItems(items);
    sent += items.length;
    if (items.length < BATCH) return sent;
  }
}

async function sendItems(items: WaitingItem[]): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    await inngest.send(batch.map(itemEvent));
    await markDispatched(batch.map(({ itemId, jobType, dispatchSeq }) => ({ itemId, jobType, dispatchSeq })));
  }
}

function itemEvent({ itemId, jobType, jobId, userId, dispatchSeq, notBefore }: WaitingItem) {
  const type = jobType === "outline_generation" ? outlineItemQueued : contentItemQueued;
  const event = { ...type.create({ itemId, jobId, userId }), id: `item-${itemId}-${dispatchSeq}` };
  return notBefore === null ? event : { ...event, ts: notBefore };
}

/** What a run finds when it comes for an item. */
export type Claim = { item: ClaimedItem; token: string } | { waitSeconds: number } | undefined;

/**
 * Claims an item for this run. The token follows from the run's id, so that a repeated step finds its own claim again.
 * Undefined: the item has ended, is another run's, or is gone. A cancelled job's waiting items end here.
 */
export async function claimItem(ref: ItemRef, runId: string): Promise<Claim> {
  const token = tokenOf(runId);
  const item = await claimItemRow(ref, token);
  if (item) return { item, token };
  const waiting = await readWaiting(ref);
  if (waiting?.status !== "pending") return undefined;
  if (waiting.cancelRequested) {
    await cancelJobRows(waiting.userId, waiting.jobId);
    return undefined;
  }
  return waiting.waitSeconds > 0 ? { waitSeconds: waiting.waitSeconds } : undefined;
}

/** A UUID made of a run's id (RFC 9562, version 8). */
function tokenOf(runId: string): string {
  const hex = createHash("sha256").update(runId).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Keeps what is finished and renews the lease; false when another run holds the item now. */
export function keepProgress(ref: ItemRef, token: string, sections: unknown): Promise<boolean> {
  return saveProgress(ref, token, sections);
}

/**
 * Ends an item in one transaction with what `write` does, fenced by the token. `write` answers a note for the person, or
 * null. False: another run holds the item, nothing was written.
 */
export async function finishItem(
  ref: ItemRef,
  token: string,
  usage: { tokensIn: number; tokensOut: number },
  write: (db: Db) => Promise<string | null>,
): Promise<boolean> {
  return againAfterDeadlock(() =>
    prisma.$transaction(
      async (db) => {
        if (!(await lockItem(db, ref, token))) return false;
        const note = await write(db as unknown as Db);
        return completeItem(db, ref, token, { note, ...usage });
      },
      { maxWait: 10_000, timeout: 15_000 },
    ),
  );
}

/** A try failed: the row says whether there is another; then its event is sent for when it may begin. */
export async function putItemBack(ref: ItemRef, token: string, setback: Setback): Promise<void> {
  const row = await setItemBack(ref, token, setback);
  if (row?.status !== "pending") return;
  const notBefore = Date.now() + setback.delaySeconds * 1000;
  await inngest.send(
    itemEvent({ ...ref, jobId: row.jobId, userId: row.userId, dispatchSeq: row.dispatchSeq, notBefore }),
  );
  await markDispatched([{ itemId: ref.itemId, jobType: ref.jobType, dispatchSeq: row.dispatchSeq }]);
}

/**
 * Sends again what nobody will come for: items whose lease ran out (an attempt) and items that were never dispatched.
 * Runs every five minutes; see also sweepAtStart, and Resume for the caller's own.
 */
export async function sweep(): Promise<number> {
  return resend(null, SWEEP_GRACE);
}

/** Takes back the items whose lease ran out, each with an attempt; the next sweep sends them. */
export function freeLost(): Promise<number> {
  return freeLostItems(null);
}

/** At start nobody is on the way to anything: what waits is sent again at once, and does nothing if it was sent before. */
export async function sweepAtStart(): Promise<number> {
  return resend(null, null);
}

export async function resumeProcessing(actor: Actor): Promise<{ message: string; resumed: number }> {
  const resumed = await resend(actor.userId, RESUME_GRACE);
  const message = resumed === 0 ? "Nothing was waiting." : `${resumed} item${resumed === 1 ? "" : "s"} sent again.`;
  return { message, resumed };
}

async function resend(userId: string | null, graceSeconds: number | null): Promise<number> {
  const freed = await freeLostItems(userId);
  // What was freed just now carries this moment as its last change; it is not to wait for another round.
  const stranded = await selectStranded(userId, freed > 0 && graceSeconds !== null ? 0 : graceSeconds, SWEEP_ROWS);
  await sendItems(stranded);
  return stranded.length;
}

/** The person ends a live job. Throws NOT_FOUND for another's; an ended one stays as it is. */
export async function cancelJob(actor: Actor, jobId: string) {
  await cancelJobRows(actor.userId, jobId);
  return ownedJob(actor, jobId);
}

/** The failed items of an ended job are tried again. Throws NOTHING_TO_DO, or ALREADY_RUNNING when another job is live. */
export async function retryJob(actor: Actor, jobId: string) {
  const job = await ownedJob(actor, jobId);
  const count = await retryJobRows(actor.userId, jobId).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, job.topicId, job.jobType);
  });
  if (count === undefined) {
    throw new AppError("NOTHING_TO_DO", { message: "This job has no failed items to try again." });
  }
  await announce(actor.userId, jobId);
  return ownedJob(actor, jobId);
}

/** First statement of the transaction that deletes a piece: its live items end as cancelled. */
export function cancelItemsOfPiece(userId: string, contentId: string) {
  return prisma.$queryRaw<{ count: number }[]>(cancelItemsOfPieceStatement(userId, contentId));
}
