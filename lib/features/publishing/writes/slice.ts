import "server-only";
import { randomUUID } from "node:crypto";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { Prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { defaultMessage, detailOf, isAppError } from "@/lib/errors";
import { postsHere, textSizes } from "@/lib/features/content/reads";
import {
  ALL_GROUPS,
  CONCURRENT_SETS,
  FIRST_GROUP,
  inGroups,
  inParts,
  SET_SIZE,
  UNREACHABLE_WAITS,
} from "@/lib/features/publishing/rules";
import {
  claimItems,
  endJob,
  type ItemResult,
  type JobRow,
  noteReached,
  noteUnreachable,
  requeueItems,
  saveResults,
  selectJob,
} from "@/lib/features/publishing/sql/jobs";
import { type Categories, cachedCategories } from "@/lib/features/publishing/writes/category";
import { unpublishPieces } from "@/lib/features/publishing/writes/piece";
import { createTurns, type PublishOutcome, publishPieces, type Turns } from "@/lib/features/publishing/writes/publish";
import { connectSite, type Site } from "@/lib/features/publishing/writes/site";
import { acquire, release, renew, whileRenewing } from "@/lib/lease/lease";
import { log } from "@/lib/log";

/** What a run does after a slice: end, go on, or look again later. */
export type SliceOutcome = { next: "end" } | { next: "continue" } | { next: "wait"; waitSeconds: number };

/** How long to wait for another run that works on the job. */
const BUSY_SECONDS = 5;

/**
 * Works on a job's waiting pieces until none is left or `hasTime` says no. One slice of a job runs at a time; what a slice that
 * died had begun waits again, and its pieces' own rows know what may have reached the site. `site` is connected already.
 */
export async function runSlice(jobId: string, hasTime: () => boolean, site?: Site): Promise<SliceOutcome> {
  const job = await selectJob(jobId, null);
  if (!job || job.completedAt) return { next: "end" };
  if (job.waitSeconds > 0 && !site && !job.cancelRequestedAt) return { next: "wait", waitSeconds: job.waitSeconds };
  const lease = { kind: "bulk", subject: jobId, token: randomUUID() } as const;
  const owned = Prisma.sql`SELECT ${jobId}, ${job.userId}::uuid, NULL::uuid, NULL::uuid`;
  if (!(await acquire("bulk", owned, lease.token))) return { next: "wait", waitSeconds: BUSY_SECONDS };
  try {
    return await whileRenewing(
      () => renew(lease),
      () => workUnderLease(job, jobId, hasTime, site),
    );
  } finally {
    await release(lease);
  }
}

async function workUnderLease(job: JobRow, jobId: string, hasTime: () => boolean, site?: Site): Promise<SliceOutcome> {
  await requeueItems(jobId);
  if (job.cancelRequestedAt && (await transaction((db) => endJob(db, jobId)))) return { next: "end" };
  const actor = actorFromQueueRow({ userId: job.userId, id: jobId });
  const reached = site ?? (await reach(actor, job));
  if (!("client" in reached)) return reached;
  await noteReached(jobId);
  const categories = cachedCategories(reached, actor);
  const turns = createTurns(ALL_GROUPS);
  const cancelled = new AbortController();
  const ended = await startStaggered(CONCURRENT_SETS, (nth, onRead) =>
    workThrough({
      actor,
      job,
      site: reached,
      categories,
      hasTime,
      turns,
      cancelled,
      firstGroup: nth === 0 ? FIRST_GROUP : undefined,
      onRead,
    }),
  );
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return (await transaction((db) => endJob(db, jobId))) ? { next: "end" } : { next: "continue" };
}

async function reach(actor: Actor, { id, tries }: JobRow): Promise<Site | SliceOutcome> {
  try {
    return await connectSite(actor);
  } catch (error) {
    if (!isAppError(error)) throw error;
    const isPassing = isAppError(error, "CONNECTION_ERROR", "WORDPRESS_REJECTED", "RATE_LIMITED");
    const waitSeconds = (isPassing ? UNREACHABLE_WAITS[tries] : undefined) ?? null;
    const reason = [error.message, detailOf(error)].filter(Boolean).join(" ");
    await noteUnreachable(id, { error: reason, type: error.type, waitSeconds });
    if (waitSeconds !== null) return { next: "wait", waitSeconds };
    await transaction((db) => endJob(db, id));
    return { next: "end" };
  }
}

/**
 * Starts workers, each once the one before it has read its pieces: the first reaches the site sooner if no other reads beside
 * it. All have ended when this returns, so that nothing is under way any more when one has failed.
 */
async function startStaggered(
  count: number,
  start: (nth: number, onRead: () => void) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> {
  const workers: Promise<void>[] = [];
  for (let nth = 0; nth < count; nth++) {
    await new Promise<void>((resolve) => {
      const worker = start(nth, resolve);
      worker.then(resolve, resolve);
      workers.push(worker);
    });
  }
  return Promise.allSettled(workers);
}

type Work = {
  actor: Actor;
  job: JobRow;
  site: Site;
  categories: Categories;
  hasTime: () => boolean;
  turns: Turns;
  /** All sets share it: the first that learns of the cancellation stops the others. */
  cancelled: AbortController;
  /** The pieces of its first group, for the worker before which the site has nothing to write. */
  firstGroup: number | undefined;
  onRead: () => void;
};

async function workThrough(work: Work): Promise<void> {
  const { actor, job, site, categories, hasTime, turns, cancelled, onRead } = work;
  let { firstGroup } = work;
  const mayBegin = () => !cancelled.signal.aborted && hasTime();
  // These are of the present set: a piece that is asked for again comes in a later one.
  const saved = new Set<string>();
  async function save(outcomes: Map<string, PublishOutcome>): Promise<void> {
    const open = new Map([...outcomes].filter(([id]) => !saved.has(id)));
    if (open.size === 0) return;
    if (await saveResults(job.id, await resultsOf(actor, open))) cancelled.abort();
    for (const id of open.keys()) saved.add(id);
  }
  while (mayBegin()) {
    const items = await claimItems(job.id, SET_SIZE);
    if (items.length === 0) return;
    saved.clear();
    const ids = items.map(({ contentId }) => contentId);
    const chosen = new Map(items.map(({ contentId, categoryId }) => [contentId, categoryId]));
    const isUnpublish = job.verb === "unpublish_selected";
    // Little is read of pieces that are unpublished.
    if (isUnpublish) onRead();
    const parts = isUnpublish ? inGroups(ids, UNPUBLISH_SIZE) : inParts(ids, await textSizes(actor, ids));
    for (const part of parts) {
      // The others wait again for the next slice.
      if (!mayBegin()) return;
      const options = { categories, chosen, mayBegin, turns, firstGroup, onRead, onWritten: save };
      firstGroup = undefined;
      const isOpen = (id: string) => !saved.has(id);
      const outcomes = await isolateFaults(part, isOpen, (some) =>
        isUnpublish
          ? unpublishPieces(site, actor, some)
          : publishPieces(site, actor, some, { byTopic: job.verb === "publish_selected" }, options),
      );
      await save(outcomes);
    }
  }
}

/** One batch holds this many. */
const UNPUBLISH_SIZE = 25;

/** When a fault of ours stops a whole set, those of its pieces that are open go one by one, so that it stops only its own. */
async function isolateFaults(
  ids: string[],
  isOpen: (id: string) => boolean,
  publish: (ids: string[]) => Promise<Map<string, PublishOutcome>>,
): Promise<Map<string, PublishOutcome>> {
  try {
    return await publish(ids);
  } catch (error) {
    log.error({ err: error, pieces: ids.length }, "a set of pieces could not be published together");
  }
  const outcomes = new Map<string, PublishOutcome>();
  for (const id of ids.filter(isOpen)) {
    const alone = await publish([id]).catch((error: unknown) => new Map([[id, { ok: false as const, error }]]));
    for (const [, outcome] of alone) outcomes.set(id, outcome);
  }
  return outcomes;
}

async function resultsOf(actor: Actor, outcomes: Map<string, PublishOutcome>): Promise<ItemResult[]> {
  const posts = await postsHere(actor, [...outcomes.keys()]);
  return [...outcomes].map(([contentId, outcome]) => {
    const here = outcome.ok ? posts.get(contentId) : undefined;
    const { wpPostId = null, wpPermalink = null, wpPostStatus = null, wpPostDate = null } = here ?? {};
    const post = { wpPostId, wpPermalink, wpPostStatus, wpPostDate };
    const failure = outcome.ok
      ? { error: null, type: null, detail: outcome.note ?? null }
      : failureOf(outcome.error, contentId);
    return { contentId, ok: outcome.ok, unchanged: outcome.ok && outcome.unchanged, ...failure, ...post };
  });
}

/** A fault of ours stops one piece, not the others. */
function failureOf(error: unknown, contentId: string): Pick<ItemResult, "error" | "type" | "detail"> {
  if (isAppError(error)) {
    const message = error.type === "REMOTE_CHANGED" ? EDITED_THERE : error.message;
    return { error: message, type: error.type, detail: detailOf(error) ?? null };
  }
  log.error({ err: error, contentId }, "a piece could not be published");
  return { error: defaultMessage("INTERNAL"), type: "INTERNAL", detail: null };
}

/** Publishing many again does not overwrite it. */
const EDITED_THERE =
  "The post was edited on your WordPress site since it was last published. Use Update on its row to overwrite it.";
