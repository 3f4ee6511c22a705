import "server-only";
import pLimit from "p-limit";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { selectUnsettled } from "@/lib/features/content/sql/shared";
import { CALL_MS, CHUNK_SIZE, inChunks, markerSlug, SETTLE_SECONDS } from "@/lib/features/publishing/rules";
import { announcePublishing } from "@/lib/features/publishing/writes/job";
import { withPublishingLeases } from "@/lib/features/publishing/writes/lease";
import { openOutbox } from "@/lib/features/publishing/writes/outbox";
import { workOnPublishing } from "@/lib/features/publishing/writes/run";
import { isEmptyDraft, settlePiece } from "@/lib/features/publishing/writes/settle";
import { forgetAbandoned, selectAbandoned } from "@/lib/features/sites/sql/shared";
import { connectSite, type Site } from "@/lib/features/sites/writes/connect";
import type { RunOutcome } from "@/lib/features/work/schema";
import { adoptJobs, selectIdleJobs } from "@/lib/features/work/writes/chunks";
import { SETTLING_AT_ONCE, SETTLING_MS, SETTLING_USER_MS } from "@/lib/limits/bounds";
import { log } from "@/lib/log";
import { createDeadline } from "@/lib/utils/deadline";

/** A look at a publishing job for its run; see workOnPublishing. */
export function publishForRun(jobId: string): Promise<RunOutcome> {
  const until = Date.now() + CALL_MS;
  return workOnPublishing(jobId, () => Date.now() < until);
}

const IDLE_SECONDS = 60;
const MAX_RESUMED = 100;

/** Hands jobs that nobody works on to the engine: their event or their process was lost. Returns how many. */
export async function resumePublishing(): Promise<number> {
  while ((await adoptJobs()) > 0);
  const idle = await selectIdleJobs("publishing", IDLE_SECONDS, MAX_RESUMED);
  for (const { id, userId } of idle) await announcePublishing(userId, id);
  return idle.length;
}

/** Pieces that are looked at in one go, chunk by chunk. */
const MAX_SETTLED = 2_000;

/**
 * Looks at posts whose last write a site did not answer, once such a write can hardly arrive any more: removes empty drafts of
 * ours that no piece needs, also of pieces deleted meanwhile, records what the site has, and withdraws a post that a late write
 * published after it had been unpublished. Returns how many were settled. A site that cannot be asked is asked again next time.
 * It settles several users at once, and each for a while only: a site that hangs does not hold up another user's.
 */
export async function settlePosts({ totalMs = SETTLING_MS, userMs = SETTLING_USER_MS } = {}): Promise<number> {
  const unsettled = await selectUnsettled(SETTLE_SECONDS, MAX_SETTLED);
  const abandoned = await selectAbandoned(SETTLE_SECONDS, MAX_SETTLED);
  const total = createDeadline(totalMs);
  const users = [...new Set([...unsettled, ...abandoned].map(({ userId }) => userId))];
  const limit = pLimit(SETTLING_AT_ONCE);
  const settleFor = async (userId: string) => {
    if (total.signal.aborted) return 0;
    const own = createDeadline(userMs, total.signal);
    return settleUser(userId, { unsettled, abandoned }, own.signal).finally(own.clear);
  };
  const ended = await Promise.allSettled(users.map((userId) => limit(settleFor, userId)));
  total.clear();
  // A fault of ours fails the run, once nothing of it is under way.
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return ended.reduce((sum, each) => sum + (each.status === "fulfilled" ? each.value : 0), 0);
}

type Waiting = { id: string; siteId: string; userId: string };
type Unsettled = { unsettled: Waiting[]; abandoned: Waiting[] };

/** All sites of a user at once: one that hangs does not hold up the others. */
async function settleUser(userId: string, waiting: Unsettled, deadline: AbortSignal): Promise<number> {
  const own = [...waiting.unsettled, ...waiting.abandoned].filter((each) => each.userId === userId);
  const sites = [...new Set(own.map(({ siteId }) => siteId))];
  const settled = await Promise.all(sites.map((siteId) => settleSite(userId, siteId, waiting, deadline)));
  return settled.reduce((sum, each) => sum + each, 0);
}

/** Begins nothing after the deadline, and waits for what it has written. */
async function settleSite(userId: string, siteId: string, waiting: Unsettled, deadline: AbortSignal): Promise<number> {
  const actor = actorFromQueueRow({ userId, id: "settle" });
  const site = await connectSite(actor, { siteId }, undefined, { deadline }).catch(logged);
  if (!site) return 0;
  let settled = 0;
  for (const ids of setsOn(site, waiting.unsettled)) if (!deadline.aborted) settled += await settle(site, actor, ids);
  for (const ids of setsOn(site, waiting.abandoned)) if (!deadline.aborted) settled += await removeAbandoned(site, ids);
  return settled;
}

function setsOn(site: Site, waiting: Waiting[]): string[][] {
  const ids = waiting.filter(({ siteId }) => siteId === site.id).map(({ id }) => id);
  return inChunks(ids, CHUNK_SIZE);
}

function logged(error: unknown): undefined {
  if (!isAppError(error)) throw error;
  log.info({ type: error.type }, "a post could not be settled yet");
}

async function settle(site: Site, actor: Actor, ids: string[]): Promise<number> {
  const outbox = openOutbox(site, actor);
  const outcomes = [...(await withPublishingLeases(outbox, ids, (leased) => settlePiece(outbox, leased))).values()];
  for (const outcome of outcomes) if (!outcome.ok) logged(outcome.error);
  return outcomes.filter(({ ok }) => ok).length;
}

/** Removes the drafts of deleted pieces, unless they have a text by now. One that cannot be removed is tried again. */
async function removeAbandoned({ id: siteId, client }: Site, ids: string[]): Promise<number> {
  const marked = await client.findByMarkers(ids.map(markerSlug)).catch(logged);
  if (!marked) return 0;
  const done: string[] = [];
  for (const id of ids) {
    const drafts = (marked.get(markerSlug(id)) ?? []).filter(isEmptyDraft);
    const isGone = await Promise.all(drafts.map((draft) => client.removePost(draft.id))).then(() => true, logged);
    if (isGone) done.push(id);
  }
  await forgetAbandoned(siteId, done);
  return done.length;
}
