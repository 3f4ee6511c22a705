import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { announceChange } from "@/lib/db/announce";
import { isUniqueViolation } from "@/lib/db/errors";
import { prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/settings/reads";
import { ownedJob } from "@/lib/features/work/reads";
import { queuedMessage } from "@/lib/features/work/rules";
import type { JobType, Queued } from "@/lib/features/work/schema";
import {
  cancelJob as cancelJobRows,
  deleteJob,
  insertJob,
  retryJob as retryJobRows,
} from "@/lib/features/work/sql/jobs";
import { announceJobs, releaseHeld, resumeAfterOutage } from "@/lib/features/work/writes/sending";
import { consumeLimits } from "@/lib/limits/rate-limits";
import { log } from "@/lib/log";

/**
 * Starts a job over a topic's pieces: rows first, then the event, which the sweep or Resume sends if this fails. Throws
 * NOTHING_TO_DO, ALREADY_RUNNING with the live job's id, or RATE_LIMITED for more items than a user may queue a day.
 */
export async function startJob(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  const job = await retryOnDeadlock(() => insertJob(actor.userId, topicId, jobType)).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, topicId, jobType);
  });
  if (!job) throw new AppError("NOTHING_TO_DO");
  announceChange(actor.userId);
  await consumeLimits({ name: "items", subject: actor.userId, count: job.totalItems }).catch(async (error: unknown) => {
    await deleteJob(job.id);
    announceChange(actor.userId);
    throw error;
  });
  await releaseHeld(actor.userId);
  const sent = await announce(actor.userId, [job.id]);
  return { message: queuedMessage(jobType, job.totalItems, sent), jobId: job.id };
}

/** Did the engine take it? If this ends an outage it also resumes what waited: on Vercel no process does. */
async function announce(userId: string, jobIds: string[]): Promise<boolean> {
  const sent = await announceJobs(userId, jobIds);
  if (sent?.endedAbsence) {
    resumeAfterOutage().catch((error: unknown) => log.warn({ err: error }, "waiting items are left to the sweep"));
  }
  return sent !== undefined;
}

/** The topic's live job is in the way. */
export async function alreadyRunning(actor: Actor, topicId: number, jobType: JobType): Promise<AppError> {
  const live = await prisma.processingJob.findFirst({
    where: { topicId, jobType, userId: actor.userId, completedAt: null },
    select: { id: true },
  });
  return new AppError("ALREADY_RUNNING", {
    message: "This topic is already being worked on. The queue monitor shows how far it is.",
    ...(live ? { details: { jobId: live.id } } : {}),
  });
}

/** Cancels a live job; an ended one stays as it is. Its runs end when they come up. Throws NOT_FOUND. */
export async function cancelJob(actor: Actor, jobId: string) {
  await ownedJob(actor, jobId);
  await cancelOwned(actor, jobId);
  return ownedJob(actor, jobId);
}

/** Retries the failed items of a job. Throws NOTHING_TO_DO, MISSING_API_KEY, or ALREADY_RUNNING. */
export async function retryJob(actor: Actor, jobId: string) {
  const job = await ownedJob(actor, jobId);
  if (job.failedItems > 0) await openaiKeyOf(actor);
  const count = await retryOwned(actor, jobId, () => alreadyRunning(actor, job.topicId, job.jobType));
  if (count === undefined) throw nothingToRetry(job);
  await goOn(actor.userId, [jobId]);
  return ownedJob(actor, jobId);
}

/** Why nothing of a job was requeued. */
export function nothingToRetry({
  failedItems,
  cancelRequestedAt,
  completedAt,
}: Awaited<ReturnType<typeof ownedJob>>): AppError {
  if (failedItems === 0)
    return new AppError("NOTHING_TO_DO", { message: "This job has no failed items to try again." });
  const isBeingCancelled = cancelRequestedAt !== null && completedAt === null;
  const message = isBeingCancelled
    ? "This job is being cancelled. Try its failed items again once it has ended."
    : "The pieces of this job's failed items have been deleted. There is nothing to try again.";
  return new AppError("NOTHING_TO_DO", { message });
}

/** Sends what was requeued in these jobs. */
export async function goOn(userId: string, jobIds: string[]): Promise<void> {
  await releaseHeld(userId);
  await announce(userId, jobIds);
}

/** Cancels the user's job of any type, if it is live. */
export async function cancelOwned({ userId }: Actor, jobId: string): Promise<void> {
  await retryOnDeadlock(() => cancelJobRows(userId, jobId));
  announceChange(userId);
}

/** Requeues the failed items of the user's job of any type, and returns how many; undefined if there are none. See retrying. */
export function retryOwned(
  actor: Actor,
  jobId: string,
  otherIsLive: () => AppError | Promise<AppError>,
): Promise<number | undefined> {
  return retrying(actor, () => retryJobRows(actor.userId, jobId), otherIsLive);
}

/** Requeues items. Throws what `otherIsLive` returns while the subject of their ended job has a live job of that type. */
export async function retrying<T>(
  { userId }: Actor,
  requeue: () => Promise<T>,
  otherIsLive: () => AppError | Promise<AppError>,
): Promise<T> {
  try {
    return await retryOnDeadlock(requeue).finally(() => announceChange(userId));
  } catch (error) {
    throw isUniqueViolation(error) ? await otherIsLive() : error;
  }
}
