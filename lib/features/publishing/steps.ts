import "server-only";
import pLimit from "p-limit";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { selectUnsettled } from "@/lib/features/content/sql/shared";
import { CALL_MS, CHUNK_SIZE, inChunks, markerSlug, SETTLE_SECONDS } from "@/lib/features/publishing/rules";
import { type Step, stepOf } from "@/lib/features/publishing/states";
import { arrivedText, identityOf, isOurText, remoteHash, standingOf } from "@/lib/features/publishing/writes/identity";
import { announcePublishing } from "@/lib/features/publishing/writes/job";
import {
  forAllPieces,
  forEachPiece,
  type Held,
  type LeasedPiece,
  recordPublications,
  withPublishingLeases,
} from "@/lib/features/publishing/writes/lease";
import { type Located, locatePosts } from "@/lib/features/publishing/writes/post";
import { workOnPublishing } from "@/lib/features/publishing/writes/run";
import { connectSite, type Site } from "@/lib/features/publishing/writes/site";
import { forgetAbandoned, type KnownPost, selectAbandoned } from "@/lib/features/sites/sql/shared";
import { POST_STATUSES } from "@/lib/features/sites/states";
import type { RunOutcome } from "@/lib/features/work/schema";
import { adoptJobs, selectIdleJobs } from "@/lib/features/work/writes/chunks";
import { SETTLING_AT_ONCE, SETTLING_MS, SETTLING_USER_MS } from "@/lib/limits/bounds";
import { log } from "@/lib/log";
import { createDeadline } from "@/lib/utils/deadline";
import type { MarkedPost } from "@/lib/wordpress/many-posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

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

/** Begins nothing after the deadline, and waits for what it has written. */
async function settleUser(
  userId: string,
  waiting: { unsettled: Waiting[]; abandoned: Waiting[] },
  deadline: AbortSignal,
): Promise<number> {
  const actor = actorFromQueueRow({ userId, id: "settle" });
  const site = await connectSite(actor, undefined, { deadline }).catch(logged);
  if (!site) return 0;
  let settled = 0;
  for (const ids of setsOn(site, waiting.unsettled)) if (!deadline.aborted) settled += await settle(site, actor, ids);
  for (const ids of setsOn(site, waiting.abandoned)) if (!deadline.aborted) settled += await removeAbandoned(site, ids);
  return settled;
}

function setsOn(site: Site, waiting: { id: string; siteId: string }[]): string[][] {
  const ids = waiting.filter(({ siteId }) => siteId === site.id).map(({ id }) => id);
  return inChunks(ids, CHUNK_SIZE);
}

function logged(error: unknown): undefined {
  if (!isAppError(error)) throw error;
  log.info({ type: error.type }, "a post could not be settled yet");
}

async function settle(site: Site, actor: Actor, ids: string[]): Promise<number> {
  const failures = await withPublishingLeases(site, actor, ids, async (held, pieces) => {
    const unmarked = await removeStrays(held, pieces);
    const there = await locatePosts(
      held,
      unmarked.filter(({ here }) => here.postId),
      "sync",
    );
    const late = new Set(there.filter(({ here, remote }) => isWithdrawn(here, remote)));
    await withdraw(held, [...late]);
    const settled = new Map(
      there.map((item) => [item.piece.id, changeOf(item, late.has(item) ? stepOf("sync", "draft") : item.step)]),
    );
    const left = unmarked.filter(({ piece }) => !held.failures.has(piece.id));
    await recordPublications(held, left, ({ piece }) => ({ ...settled.get(piece.id), ...SETTLED }));
  });
  for (const error of failures.values()) logged(error);
  return ids.length - failures.size;
}

const SETTLED = { unansweredSince: null, unansweredHashes: [] };

/** Removes drafts that a lost or repeated creation left; one that has got a text becomes the post of a piece without one. */
async function removeStrays(held: Held, pieces: LeasedPiece[]): Promise<LeasedPiece[]> {
  const { client } = held.site;
  let marked = new Map<string, MarkedPost[]>();
  const looked = await forAllPieces(held, pieces, async () => {
    marked = await client.findByMarkers(pieces.map(({ piece }) => markerSlug(piece.id)));
  });
  return forEachPiece(held, looked, async (item) => {
    for (const found of marked.get(markerSlug(item.piece.id)) ?? []) {
      if (String(found.id) === item.here.postId) continue;
      if (isEmptyDraft(found)) await client.removePost(found.id);
      else if (!item.here.postId) await recordPublications(held, [item], () => ({ postId: String(found.id) }));
    }
  });
}

function isEmptyDraft({ isEmpty, status }: MarkedPost): boolean {
  return isEmpty && status === "draft";
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

/**
 * Did our own write make the post live again after the user had unpublished it? It has brought another text then; with the text
 * of that time somebody has published the post by hand.
 */
function isWithdrawn(here: LeasedPiece["here"], remote: WordPressPost | null): boolean {
  if (here.status !== "wp_draft" || remote?.status !== "publish") return false;
  return isOurText(here, remote) && remoteHash(remote) !== here.remoteHash;
}

/** Withdraws the posts; a piece whose post stays live stays open. */
async function withdraw({ site, failures }: Held, items: Located[]): Promise<void> {
  const live = items.flatMap(({ piece, remote }) => (remote ? [{ piece, post: remote.id }] : []));
  const outcomes = await site.client.updatePosts(live.map(({ post }) => ({ id: post, fields: { status: "draft" } })));
  for (const [at, { piece }] of live.entries()) {
    const outcome = outcomes[at];
    if (outcome && !outcome.ok) failures.set(piece.id, outcome.error);
  }
}

function changeOf({ piece, here, remote }: Located, { becomes, forgets }: Step): Partial<KnownPost> {
  const isLive = becomes === "wp_published";
  // A status that the user has set meanwhile stays, unless the post is live.
  const isOpen = isLive || POST_STATUSES.some((status) => status === piece.status);
  return {
    ...(becomes && isOpen ? { status: becomes } : {}),
    ...(becomes ? standingOf(isLive || becomes === "wp_draft" ? remote : null) : {}),
    ...(isLive ? { publishError: null } : {}),
    ...(remote && isOurText(here, remote) ? { ...identityOf(remote), ...arrivedText(here, remote) } : {}),
    ...(forgets ? { postId: null } : {}),
  };
}
