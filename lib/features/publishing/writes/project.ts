import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/auth/actor";
import { ownedProject } from "@/lib/features/projects/reads";
import { type JobItem, publishingItems } from "@/lib/features/publishing/reads";
import { PUBLISH_ALL_BUDGET_MS } from "@/lib/features/publishing/rules";
import type { PublishAllOut, PublishResult } from "@/lib/features/publishing/schema";
import { announcePublishing, openJob } from "@/lib/features/publishing/writes/job";
import { workOnPublishing } from "@/lib/features/publishing/writes/run";
import { connectProject } from "@/lib/features/publishing/writes/site";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import { whileAway } from "@/lib/limits/place";

/** How often the call looks at a job that another run works on. */
const LOOK_MS = 1_000;

/**
 * Publishes every publishable piece of a project and reports piece by piece; unchanged pieces are not written again. It is a
 * job: pieces left when the time is up, or the caller is gone, are reported as TIME_BUDGET and go on in the background under
 * the `jobId` in the answer, and a call while that job runs joins it.
 */
export async function publishAll(
  actor: Actor,
  projectId: number,
  { site: answer }: { site?: SiteAnswer } = {},
  { now = Date.now, signal }: { now?: () => number; signal?: AbortSignal } = {},
): Promise<PublishAllOut> {
  await ownedProject(actor, projectId);
  const site = await connectProject(actor, { projectId }, answer);
  const { jobId } = await openJob(actor, { projectId, siteId: site.id }, { verb: "publish_all", contentIds: [] });
  const deadline = now() + PUBLISH_ALL_BUDGET_MS;
  const hasTime = () => now() < deadline && !signal?.aborted;
  let isEnded = false;
  while (!isEnded && hasTime()) {
    const { next } = await workOnPublishing(jobId, hasTime, site);
    isEnded = next === "end";
    if (next === "wait") await whileAway(() => sleep(LOOK_MS));
  }
  if (!isEnded) await announcePublishing(actor.userId, jobId);
  const results = (await publishingItems(jobId, { limit: MAX_ITEMS })).map(resultOf);
  const totalProcessed = results.filter(({ type }) => type !== "TIME_BUDGET").length;
  return { results, totalProcessed, ...(isEnded ? {} : { jobId }) };
}

/** This is more than a project has pieces. */
const MAX_ITEMS = 100_000;

function resultOf({
  contentId,
  title,
  status,
  unchanged,
  error,
  type,
  detail,
  wpPostId,
  wpPermalink,
  wpPostStatus,
  wpPostDate,
}: JobItem): PublishResult {
  if (status === "completed") {
    const said = { ...(unchanged ? { unchanged } : {}), ...(detail ? { detail } : {}) };
    const standing = wpPostStatus ? { wpPostStatus, wpPostDate: wpPostDate?.toISOString() ?? null } : {};
    return { contentId, title, success: true, ...said, ...standing, wpPostId, wpPermalink };
  }
  if (status === "failed") {
    // A piece whose last attempt died has none.
    const typed = type ? { type: type as NonNullable<PublishResult["type"]> } : {};
    return { contentId, title, success: false, error: error ?? "", ...typed, ...(detail ? { detail } : {}) };
  }
  if (status === "cancelled") return { contentId, title, success: false, error: CANCELLED };
  return { contentId, title, success: false, error: IN_BACKGROUND, type: "TIME_BUDGET" };
}

const CANCELLED = "Publishing was cancelled before it came to this piece.";

const IN_BACKGROUND = "There was no time left for this piece. It is published in the background.";
