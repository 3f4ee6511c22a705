import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/reads";
import { ownedJob } from "@/lib/features/jobs/reads";
import { queuedMessage } from "@/lib/features/jobs/rules";
import type { JobType, Queued } from "@/lib/features/jobs/schema";
import { cancelJob as cancelJobRows, insertJob, retryJob as retryJobRows } from "@/lib/features/jobs/sql/jobs";
import { announce, cancelRuns } from "@/lib/features/jobs/writes/dispatch";
import { askAgain } from "@/lib/features/jobs/writes/gate";
import { engineBack } from "@/lib/features/jobs/writes/recover";
import { log } from "@/lib/log";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export { cancelItemsOfPiece, countTodo, noLiveItem } from "@/lib/features/jobs/sql/jobs";

/**
 * Starts a job over a topic's pieces: rows first, then the event. If sending fails the rows stay, and the sweep or Resume
 * sends them. Throws NOTHING_TO_DO, or ALREADY_RUNNING with the live job's id.
 */
export async function startJob(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  const job = await againAfterDeadlock(() => insertJob(actor.userId, topicId, jobType)).catch(
    async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw await alreadyRunning(actor, topicId, jobType);
    },
  );
  if (!job) throw new AppError("NOTHING_TO_DO");
  await askAgain(actor.userId);
  const sent = await announced(actor.userId, job.id);
  return { message: queuedMessage(jobType, job.totalItems, sent), jobId: job.id };
}

/** How long a person waits for the engine to take what they queued, in milliseconds; it is tried for longer than that. */
const PATIENCE_MS = 2_000;

/** Was it taken? Where it was this that found the engine back, what waited for it goes out too: on Vercel no process would. */
async function announced(userId: string, jobId: string): Promise<boolean> {
  const announcing = announce(userId, jobId);
  announcing
    .then((sent) => (sent?.endedAbsence ? engineBack() : undefined))
    .catch((error: unknown) => log.warn({ err: error }, "what waited for the engine is left to the sweep"));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const isSent = announcing.then((sent) => sent !== undefined);
  return Promise.race([isSent, patience]).finally(() => clearTimeout(timer));
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

/** The person ends a live job. Throws NOT_FOUND for another's; an ended one stays as it is. */
export async function cancelJob(actor: Actor, jobId: string) {
  const first = await againAfterDeadlock(() => cancelJobRows(actor.userId, jobId));
  const second = first && (await againAfterDeadlock(() => cancelJobRows(actor.userId, jobId)));
  const job = await ownedJob(actor, jobId);
  await cancelRuns([...(first?.dispatches ?? []), ...(second?.dispatches ?? [])]);
  return job;
}

/**
 * The failed items of an ended job are tried again. Throws NOTHING_TO_DO, MISSING_API_KEY, or ALREADY_RUNNING when another
 * job is live.
 */
export async function retryJob(actor: Actor, jobId: string) {
  const job = await ownedJob(actor, jobId);
  if (job.completedAt !== null && job.failedItems > 0) await openaiKeyOf(actor);
  const count = await againAfterDeadlock(() => retryJobRows(actor.userId, jobId)).catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyRunning(actor, job.topicId, job.jobType);
  });
  if (count === undefined) {
    const left = "The pieces of this job's failed items have been deleted. There is nothing to try again.";
    const none = "This job has no failed items to try again.";
    throw new AppError("NOTHING_TO_DO", { message: job.completedAt !== null && job.failedItems > 0 ? left : none });
  }
  await askAgain(actor.userId);
  await announced(actor.userId, jobId);
  return ownedJob(actor, jobId);
}
