import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { publishingQueued } from "@/lib/events/catalogue";
import { sendEvents } from "@/lib/events/send";
import { siteCredentialsOf } from "@/lib/features/account/settings/reads";
import { ownedProject } from "@/lib/features/projects/reads";
import { ownedPublishingJob, piecesForJob } from "@/lib/features/publishing/reads";
import type { SiteAnswer, StartPublishingInput } from "@/lib/features/publishing/schema";
import {
  endJob,
  insertItems,
  insertJob,
  type JobRow,
  lockLiveJob,
  type NewItem,
  type NewJob,
  pruneJobs,
  queuePiecesAgain,
  requestCancel,
  retryItems,
} from "@/lib/features/publishing/sql/jobs";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { connectSite } from "@/lib/features/publishing/writes/site";
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
  await ownedProject(actor, projectId);
  await connectSite(actor, site);
  const { jobId, joined, count } = await openJob(actor, projectId, { verb, contentIds, categories });
  await announcePublishing(actor.userId, jobId);
  const pieces = `${count} piece${count === 1 ? "" : "s"}`;
  return { jobId, joined, message: `${verb === "unpublish_selected" ? "Unpublishing" : "Publishing"} ${pieces}.` };
}

/** The job with its pieces, not announced yet. */
export async function openJob(
  actor: Actor,
  projectId: number,
  { verb, contentIds, categories = [] }: Pick<StartPublishingInput, "verb" | "categories"> & { contentIds: string[] },
): Promise<StartedJob> {
  await siteCredentialsOf(actor);
  const found = await piecesForJob(actor, projectId, { verb, contentIds });
  if (found.length === 0) throw new AppError("NOTHING_TO_DO", { message: NOTHING[verb] });
  const chosen = new Map(categories.map(({ topicId, categoryId }) => [topicId, categoryId]));
  const pieces = found.map(({ topicId, ...piece }) => ({ ...piece, categoryId: chosen.get(topicId) }));
  const open = () => openOnce(actor, { projectId, verb }, pieces);
  // A job that was live for the insertion may end before it is locked, and only then.
  const opened = (await open()) ?? (await open());
  if (!opened) throw new AppError("ALREADY_RUNNING", { message: JUST_ENDED });
  return opened;
}

/** Returns undefined if the project's live job ended meanwhile; nothing was begun then. */
function openOnce(actor: Actor, job: NewJob, pieces: NewItem[]): Promise<StartedJob | undefined> {
  const { projectId, verb } = job;
  return transaction(async (db) => {
    const isNew = await insertJob(db, actor.userId, job);
    const live = await lockLiveJob(db, actor.userId, projectId);
    if (!live) return undefined;
    if (live.isCancelled || live.verb !== verb) {
      const message = live.isCancelled ? BEING_CANCELLED : OTHER_VERB;
      throw new AppError("ALREADY_RUNNING", { message, details: { jobId: live.id } });
    }
    if (!isNew) await queuePiecesAgain(db, live, pieces);
    await insertItems(db, live.id, pieces);
    await pruneJobs(db, projectId);
    return { jobId: live.id, joined: !isNew, count: pieces.length };
  });
}

const OTHER_VERB =
  "This project is being published or unpublished already. Wait until it ends, or cancel it, then try again.";

const JUST_ENDED = "Other calls publish this project and end just now. Wait a moment, then try again.";

const BEING_CANCELLED = "Publishing this project is being cancelled. Wait a moment, then try again.";

const NOTHING_TO_PUBLISH =
  "No publishable content found in this project. Create content with body text to publish it to WordPress.";

const NOTHING: Record<BulkVerb, string> = {
  publish_all: NOTHING_TO_PUBLISH,
  publish_selected: "None of the selected pieces is there any more. Select others.",
  update_all: "Nothing of this project is on your WordPress site. Publish it first.",
  unpublish_selected: "None of the selected pieces is there any more. Select others.",
};

/** Hands a job to the engine; if the event is lost, the schedule finds the job. */
export async function announcePublishing(userId: string, jobId: string): Promise<void> {
  await sendEvents(publishingQueued.create({ jobId, userId })).catch((error: unknown) => {
    log.warn({ err: error, jobId }, "publishing job not announced; the schedule will find it");
  });
}

/** Cancels a job: what waits ends, what is under way finishes. Cancelling again, or after the end, changes nothing. */
export async function cancelPublishing(actor: Actor, id: string): Promise<JobRow> {
  await ownedPublishingJob(actor, id);
  await transaction(async (db) => {
    await requestCancel(db, actor.userId, id);
    await endJob(db, id);
  });
  return ownedPublishingJob(actor, id);
}

/**
 * Publishes what failed again; `site` answers a job that failed with SITE_UNCERTAIN. Throws what connectSite throws,
 * NOTHING_TO_DO, and ALREADY_RUNNING while a job of the project runs.
 */
export async function retryPublishing(actor: Actor, id: string, { site }: { site?: SiteAnswer } = {}): Promise<JobRow> {
  const before = await ownedPublishingJob(actor, id);
  await connectSite(actor, site);
  const retried = await transaction((db) => retryItems(db, actor.userId, id));
  if (retried === 0) {
    if (before.failedItems === 0) throw new AppError("NOTHING_TO_DO", { message: "Nothing of this job has failed." });
    throw new AppError("ALREADY_RUNNING", { message: OTHER_VERB });
  }
  await announcePublishing(actor.userId, id);
  return ownedPublishingJob(actor, id);
}
