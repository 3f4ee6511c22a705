import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { announceChange } from "@/lib/db/announce";
import { Prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { publishingQueued } from "@/lib/events/catalogue";
import { sendEvents } from "@/lib/events/send";
import { isLiveSql, isPublishedSinceSql } from "@/lib/features/content/sql/shared";
import { ownedProject } from "@/lib/features/projects/reads";
import {
  ownedPublishingJob,
  type PublishingJob,
  piecesForJob,
  recentPublishingJobs,
} from "@/lib/features/publishing/reads";
import { jobInput, type StartPublishingInput } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { connectProject } from "@/lib/features/publishing/writes/site";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import { connectSite } from "@/lib/features/sites/writes/connect";
import { removeSite } from "@/lib/features/sites/writes/manage";
import { addItems, adoptJobs, isBusyBefore, type NewItem, openChunkedJob } from "@/lib/features/work/writes/chunks";
import { cancelOwned, retryOwned } from "@/lib/features/work/writes/jobs";
import { consumeLimits, refundLimits } from "@/lib/limits/rate-limits";
import { log } from "@/lib/log";

export type StartedJob = { jobId: string; joined: boolean; count: number };

/**
 * Starts a publishing job in the background, or adds the pieces to the one that runs, which does those again that have changed.
 * The site is reached first: a job waits only for a site that goes away while it runs. Throws NOT_FOUND, what connectSite throws,
 * NOTHING_TO_DO, and ALREADY_RUNNING with `jobId` while a job with another verb runs or one is being cancelled.
 */
export async function startPublishing(actor: Actor, projectId: number, input: StartPublishingInput) {
  const { verb, categories, site } = input;
  const contentIds = "contentIds" in input ? input.contentIds : [];
  const except = "contentIds" in input ? [] : input.except;
  await ownedProject(actor, projectId);
  const { id: siteId } = await connectProject(actor, { projectId }, site);
  const { jobId, joined, count } = await openJob(
    actor,
    { projectId, siteId },
    { verb, contentIds, except, categories },
  );
  await announcePublishing(actor.userId, jobId);
  const pieces = `${count} piece${count === 1 ? "" : "s"}`;
  return { jobId, joined, message: `${verb === "unpublish_selected" ? "Unpublishing" : "Publishing"} ${pieces}.` };
}

/** The project's pieces without `except`, or those that were chosen. */
type JobPieces = { verb: BulkVerb; contentIds: string[]; except?: string[] | undefined };

/** The job with its pieces, not announced yet. */
export async function openJob(
  actor: Actor,
  { projectId, siteId }: { projectId: number; siteId: string },
  { verb, contentIds, except = [], categories = [] }: JobPieces & Pick<StartPublishingInput, "categories">,
): Promise<StartedJob> {
  const left = new Set(except);
  const found = (await piecesForJob(actor, projectId, { verb, contentIds })).filter(({ id }) => !left.has(id));
  if (found.length === 0) throw new AppError("NOTHING_TO_DO", { message: NOTHING[verb] });
  const chosen = new Map(categories.map(({ topicId, categoryId }) => [topicId, categoryId]));
  const items = found.map(({ id, title, topicId }) => ({
    contentId: id,
    input: { title, ...(chosen.has(topicId) ? { categoryId: chosen.get(topicId) } : {}) },
  }));
  const counted = { name: "items", subject: actor.userId, count: items.length } as const;
  await consumeLimits(counted);
  return openOrJoin(actor, { projectId, siteId, verb }, items).catch(async (error: unknown) => {
    await refundLimits(counted);
    throw error;
  });
}

async function openOrJoin(
  actor: Actor,
  project: { projectId: number; siteId: string; verb: BulkVerb },
  items: NewItem[],
): Promise<StartedJob> {
  // Both would be at the same pieces, and one would find them taken.
  await adoptJobs();
  if (await isBusyBefore(project.projectId)) throw new AppError("ALREADY_RUNNING", { message: OTHER_VERB });
  const open = () => retryOnDeadlock(() => openOnce(actor, project, items));
  // A job that was live for the insertion may end before it is locked, and only then.
  const opened = (await open()) ?? (await open());
  if (!opened) throw new AppError("ALREADY_RUNNING", { message: JUST_ENDED });
  announceChange(actor.userId);
  return opened;
}

/** Returns undefined if the project's live job ended meanwhile; nothing was begun then. */
function openOnce(
  { userId }: Actor,
  { projectId, siteId, verb }: { projectId: number; siteId: string; verb: BulkVerb },
  items: NewItem[],
): Promise<StartedJob | undefined> {
  return transaction(async (db) => {
    const job = await openChunkedJob(db, "publishing", { userId, projectId, input: { verb, siteId } });
    if (!job) return undefined;
    const live = jobInput.parse(job.input);
    const isElsewhere = live.siteId !== undefined && live.siteId !== siteId;
    if (job.isCancelled || live.verb !== verb || isElsewhere) {
      const message = job.isCancelled ? BEING_CANCELLED : isElsewhere ? OTHER_SITE : OTHER_VERB;
      throw new AppError("ALREADY_RUNNING", { message, details: { jobId: job.id } });
    }
    await addItems(db, job.id, { type: "publishing", items, isDone: IS_DONE[verb] });
    return { jobId: job.id, joined: !job.isNew, count: items.length };
  });
}

const PIECE = Prisma.sql`q.content_piece_id`;
const IS_PUBLISHED = isPublishedSinceSql(PIECE, Prisma.sql`j.created_at`);

/** SQL conditions: what the job did to the piece of item `q` still stands. */
const IS_DONE: Record<BulkVerb, Prisma.Sql> = {
  publish_all: IS_PUBLISHED,
  publish_selected: IS_PUBLISHED,
  update_all: IS_PUBLISHED,
  unpublish_selected: Prisma.sql`NOT ${isLiveSql(PIECE)}`,
};

const OTHER_VERB =
  "This project is being published or unpublished already. Wait until it ends, or cancel it, then try again.";

const OTHER_SITE =
  "This project has moved, and its pieces are still being published to the site it was on. Wait until that ends, or cancel it.";

const JUST_ENDED = "Other calls publish this project and end just now. Wait a moment, then try again.";

const BEING_CANCELLED = "Publishing this project is being cancelled. Wait a moment, then try again.";

const NOTHING_TO_PUBLISH =
  "No publishable content found in this project. Create content with body text to publish it to WordPress.";

const NOTHING: Record<BulkVerb, string> = {
  publish_all: NOTHING_TO_PUBLISH,
  publish_selected: "None of the selected pieces is there any more. Select others.",
  update_all: "No text of this project is newer here than on your WordPress site.",
  unpublish_selected: "None of the selected pieces is there any more. Select others.",
};

/** Hands a job to the engine; if the event is lost, the schedule finds the job. */
export async function announcePublishing(userId: string, jobId: string): Promise<void> {
  await sendEvents(publishingQueued.create({ jobId, userId })).catch((error: unknown) => {
    log.warn({ err: error, jobId }, "publishing job not announced; the schedule will find it");
  });
}

/** Cancels a job: what waits ends, what is under way finishes. Cancelling again, or after the end, changes nothing. */
export async function cancelPublishing(actor: Actor, id: string): Promise<PublishingJob> {
  await ownedPublishingJob(actor, id);
  await cancelOwned(actor, id);
  return ownedPublishingJob(actor, id);
}

/**
 * Publishes what failed again; `site` answers a job that failed with SITE_UNCERTAIN. Throws what connectSite throws,
 * NOTHING_TO_DO, and ALREADY_RUNNING while a job of the project runs.
 */
export async function retryPublishing(
  actor: Actor,
  id: string,
  { site }: { site?: SiteAnswer } = {},
): Promise<PublishingJob> {
  const before = await ownedPublishingJob(actor, id);
  await connectSite(actor, { siteId: before.siteId, projectId: before.projectId }, site);
  const otherIsLive = () => new AppError("ALREADY_RUNNING", { message: OTHER_VERB });
  if (!(await retryOwned(actor, id, otherIsLive))) {
    if (before.failedItems > 0 && !before.completedAt) throw otherIsLive();
    throw new AppError("NOTHING_TO_DO", {
      message: before.failedItems > 0 ? ALL_DELETED : "Nothing of this job has failed.",
    });
  }
  await announcePublishing(actor.userId, id);
  return ownedPublishingJob(actor, id);
}

const ALL_DELETED = "The pieces that failed have been deleted. There is nothing to try again.";

/** Removes a site that no live job publishes to. Throws VALIDATION_ERROR, and what removeSite throws. */
export async function removeSiteOfNoJob(actor: Actor, siteId: string): Promise<void> {
  const jobs = (await recentPublishingJobs(actor)).filter((job) => job.siteId === siteId && !job.completedAt);
  if (jobs.length > 0) throw new AppError("VALIDATION_ERROR", { message: BUSY_SITE });
  await removeSite(actor, siteId);
}

const BUSY_SITE = "Pieces are being published to this site. Wait until that ends, or cancel it, then remove the site.";
