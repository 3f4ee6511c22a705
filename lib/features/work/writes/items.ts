import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { announceChange } from "@/lib/db/announce";
import { Prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/settings/reads";
import { ownedItem, ownedJob } from "@/lib/features/work/reads";
import { retriedMessage } from "@/lib/features/work/rules";
import type { JobType, QueueItemOut } from "@/lib/features/work/schema";
import { retryItems } from "@/lib/features/work/sql/jobs";
import { dismissFailures, type Failures, selectRetriable } from "@/lib/features/work/sql/needs";
import { isEnded } from "@/lib/features/work/states";
import { alreadyRunning, goOn, nothingToRetry, retrying } from "@/lib/features/work/writes/jobs";
import { endLiveItem } from "@/lib/features/work/writes/run";
import { sendNext } from "@/lib/features/work/writes/sending";

/** What the user does with single items of the queues, and with those that failed. */

/** Retries a failed item. Throws NOT_FOUND, NOTHING_TO_DO, MISSING_API_KEY, or ALREADY_RUNNING. */
export async function retryItem(actor: Actor, id: string): Promise<QueueItemOut> {
  const { jobId } = await ownedFailure(actor, id);
  await openaiKeyOf(actor);
  const job = await ownedJob(actor, jobId);
  const otherIsLive = () => alreadyRunning(actor, job.topicId, job.jobType);
  const retried = await retrying(actor, () => retryItems(actor.userId, Prisma.sql`q.id = ${id}::uuid`), otherIsLive);
  if (retried.length === 0) {
    await ownedFailure(actor, id);
    throw nothingToRetry(job);
  }
  await goOn(actor.userId, [job.id]);
  return ownedItem(actor, id);
}

async function ownedFailure(actor: Actor, id: string): Promise<QueueItemOut> {
  const item = await ownedItem(actor, id);
  if (item.status !== "failed") throw new AppError("NOTHING_TO_DO", { message: "This item has not failed." });
  return item;
}

/**
 * Retries the user's failures of one type and reason, or all: those that still need it. Throws NOTHING_TO_DO, MISSING_API_KEY, or
 * ALREADY_RUNNING.
 */
export async function retryFailed(
  actor: Actor,
  failures: Failures<JobType>,
): Promise<{ message: string; retried: number }> {
  const { ids, total } = await selectRetriable(actor.userId, failures);
  if (total > 0 && ids.length === 0) throw topicIsBusy();
  if (total > 0) await openaiKeyOf(actor);
  const which = Prisma.sql`q.id = ANY(${ids}::uuid[])`;
  const jobs = await retrying(actor, () => retryItems(actor.userId, which), topicIsBusy);
  if (jobs.length === 0) throw new AppError("NOTHING_TO_DO", { message: "No failed items need another try." });
  await goOn(
    actor.userId,
    jobs.map(({ jobId }) => jobId),
  );
  const retried = jobs.reduce((sum, { count }) => sum + count, 0);
  return { message: retriedMessage(retried, total - ids.length), retried };
}

function topicIsBusy(): AppError {
  return new AppError("ALREADY_RUNNING", {
    message: "A job is still working on this topic. Try its failed items again once that job has ended.",
  });
}

/** Dismisses the user's failures of one type and reason, or all. */
export async function dismissFailed({ userId }: Actor, failures: Failures): Promise<{ dismissed: number }> {
  const dismissed = await dismissFailures(userId, failures);
  announceChange(userId);
  return { dismissed };
}

/** Cancels a live item, even in the middle of a call: its answer is kept as a section or a revision. Throws NOT_FOUND. */
export async function cancelItem(actor: Actor, id: string): Promise<QueueItemOut> {
  const item = await ownedItem(actor, id);
  if (!isEnded(item.status)) {
    const { jobType } = await ownedJob(actor, item.jobId);
    await endLiveItem({ itemId: id, jobType, runId: null }, "cancel", null, { evenAtWork: true });
  }
  return ownedItem(actor, id);
}

/** Starts a waiting item ahead of the others in its queue. Throws NOT_FOUND, NOTHING_TO_DO, or what sending it throws. */
export async function beginNext(actor: Actor, id: string): Promise<QueueItemOut> {
  const { waits } = await ownedItem(actor, id);
  if (waits?.for === "user" || waits?.for === "pause") {
    const message = "Your queue is on hold. Resume processing first, then move this item to the front.";
    throw new AppError("NOTHING_TO_DO", { message });
  }
  if (!(await sendNext(id))) {
    throw new AppError("NOTHING_TO_DO", { message: "This item is no longer waiting." });
  }
  return ownedItem(actor, id);
}
