import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isUniqueViolation } from "@/lib/db/errors";
import { prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/settings/reads";
import { ownedJob } from "@/lib/features/jobs/reads";
import { queuedMessage } from "@/lib/features/jobs/rules";
import type { JobType, Queued } from "@/lib/features/jobs/schema";
import { cancelJob as cancelJobRows, insertJob, retryJob as retryJobRows } from "@/lib/features/jobs/sql/jobs";
import { announceJob, cancelRuns } from "@/lib/features/jobs/writes/dispatch";
import { releaseHeldItems } from "@/lib/features/jobs/writes/gate";
import { resumeAfterOutage } from "@/lib/features/jobs/writes/recover";
import { log } from "@/lib/log";

/**
 * Starts a job over a topic's pieces: rows first, then the event, which the sweep or Resume sends if this fails. Throws
 * NOTHING_TO_DO, or ALREADY_RUNNING with the live job's id.
 */
export async function startJob(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  const job = await retryOnDeadlock(() => insertJob(actor.userId, topicId, jobType)).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, topicId, jobType);
  });
  if (!job) throw new AppError("NOTHING_TO_DO");
  await releaseHeldItems(actor.userId);
  const sent = await announceInTime(actor.userId, job.id);
  return { message: queuedMessage(jobType, job.totalItems, sent), jobId: job.id };
}

/** How long a user waits for the engine; announcing goes on in the background. */
const ANNOUNCE_TIMEOUT_MS = 2_000;

/** Did the engine take it in time? If this ends an outage it also resumes what waited: on Vercel no process does. */
async function announceInTime(userId: string, jobId: string): Promise<boolean> {
  const announcing = announceJob(userId, jobId);
  announcing
    .then((sent) => (sent?.endedAbsence ? resumeAfterOutage() : undefined))
    .catch((error: unknown) => log.warn({ err: error }, "waiting items are left to the sweep"));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANNOUNCE_TIMEOUT_MS);
  });
  const isSent = announcing.then((sent) => sent !== undefined);
  return Promise.race([isSent, timeout]).finally(() => clearTimeout(timer));
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

/** Cancels a live job; an ended one stays as it is. Throws NOT_FOUND. */
export async function cancelJob(actor: Actor, jobId: string) {
  const runIds = await retryOnDeadlock(() => cancelJobRows(actor.userId, jobId));
  const job = await ownedJob(actor, jobId);
  cancelRuns(runIds);
  return job;
}

/** Retries the failed items of an ended job. Throws NOTHING_TO_DO, MISSING_API_KEY, or ALREADY_RUNNING. */
export async function retryJob(actor: Actor, jobId: string) {
  const job = await ownedJob(actor, jobId);
  if (job.completedAt !== null && job.failedItems > 0) await openaiKeyOf(actor);
  const count = await retryOnDeadlock(() => retryJobRows(actor.userId, jobId)).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, job.topicId, job.jobType);
  });
  if (count === undefined) {
    const left = "The pieces of this job's failed items have been deleted. There is nothing to try again.";
    const none = "This job has no failed items to try again.";
    throw new AppError("NOTHING_TO_DO", { message: job.completedAt !== null && job.failedItems > 0 ? left : none });
  }
  await releaseHeldItems(actor.userId);
  await announceInTime(actor.userId, jobId);
  return ownedJob(actor, jobId);
}
