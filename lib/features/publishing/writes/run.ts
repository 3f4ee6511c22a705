import "server-only";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { defaultMessage, detailOf, isAppError } from "@/lib/errors";
import { postsHere, textSizes } from "@/lib/features/content/reads";
import {
  ALL_BATCHES,
  CHUNK_SIZE,
  CONCURRENT_CHUNKS,
  FIRST_BATCH,
  inChunks,
  inParts,
  UNREACHABLE_WAITS,
} from "@/lib/features/publishing/rules";
import { type ItemResult, itemResult, jobInput } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { type Categories, cachedCategories } from "@/lib/features/publishing/writes/category";
import { unpublishPieces } from "@/lib/features/publishing/writes/piece";
import {
  createLimits,
  type Limits,
  type PublishOutcome,
  publishPieces,
} from "@/lib/features/publishing/writes/publish";
import { connectSite, type Site } from "@/lib/features/publishing/writes/site";
import type { ChunkedJob } from "@/lib/features/work/reads";
import type { RunOutcome, RunWait } from "@/lib/features/work/schema";
import { type ChunkKind, type ChunkResult, type Chunks, workOnJob } from "@/lib/features/work/writes/chunks";
import { log } from "@/lib/log";

/**
 * Works on a job's pending pieces until none is left or `hasTime` says no. What a call that died had begun waits again, and the
 * pieces' own rows know what may have reached the site. `site` is connected already.
 */
export function workOnPublishing(jobId: string, hasTime: () => boolean, site?: Site): Promise<RunOutcome> {
  const work: ChunkKind["work"] = (job, chunks) => publishUnderLease(job, chunks, hasTime, site);
  return workOnJob({ type: "publishing", size: CHUNK_SIZE, work }, jobId, { waits: site === undefined });
}

async function publishUnderLease(
  job: ChunkedJob,
  chunks: Chunks,
  hasTime: () => boolean,
  site?: Site,
): Promise<RunWait | undefined> {
  if (job.cancelRequestedAt) return undefined;
  const actor = actorFromQueueRow({ userId: job.userId, id: job.id });
  const reached = site ?? (await reach(actor, job, chunks));
  if (!reached || !("client" in reached)) return reached;
  await chunks.reached();
  const { verb } = jobInput.parse(job.input);
  const categories = cachedCategories(reached, actor);
  const limits = createLimits(ALL_BATCHES);
  const cancelled = new AbortController();
  const ended = await startStaggered(CONCURRENT_CHUNKS, (nth, onRead) =>
    workThrough({
      actor,
      verb,
      chunks,
      site: reached,
      categories,
      hasTime,
      limits,
      cancelled,
      firstBatch: nth === 0 ? FIRST_BATCH : undefined,
      onRead,
    }),
  );
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return undefined;
}

/** The site, or what becomes of a job whose site cannot be reached. */
async function reach(actor: Actor, { tries }: ChunkedJob, chunks: Chunks): Promise<Site | RunWait | undefined> {
  try {
    return await connectSite(actor);
  } catch (error) {
    if (!isAppError(error)) throw error;
    const isPassing = isAppError(error, "CONNECTION_ERROR", "WORDPRESS_REJECTED", "RATE_LIMITED");
    const waitSeconds = isPassing ? UNREACHABLE_WAITS[tries] : undefined;
    const reason = { error: [error.message, detailOf(error)].filter(Boolean).join(" "), errorType: error.type };
    if (waitSeconds !== undefined) return chunks.wait(waitSeconds, reason);
    await chunks.fail(reason);
    return undefined;
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
  verb: BulkVerb;
  chunks: Chunks;
  site: Site;
  categories: Categories;
  hasTime: () => boolean;
  limits: Limits;
  /** All chunks share it: the first that learns of the cancellation stops the others. */
  cancelled: AbortController;
  /** The pieces of its first batch, for the worker before which the site has nothing to write. */
  firstBatch: number | undefined;
  onRead: () => void;
};

async function workThrough(work: Work): Promise<void> {
  const { actor, verb, chunks, site, categories, hasTime, limits, cancelled, onRead } = work;
  let { firstBatch } = work;
  const mayBegin = () => !cancelled.signal.aborted && hasTime();
  // These are of the present chunk: a piece that is asked for again comes in a later one.
  const saved = new Set<string>();
  async function save(outcomes: Map<string, PublishOutcome>): Promise<void> {
    const open = new Map([...outcomes].filter(([id]) => !saved.has(id)));
    if (open.size === 0) return;
    if (await chunks.save(await resultsOf(actor, open))) cancelled.abort();
    for (const id of open.keys()) saved.add(id);
  }
  while (mayBegin()) {
    const items = await chunks.claim();
    if (items.length === 0) return;
    saved.clear();
    const ids = items.map(({ contentId }) => contentId);
    const chosen = new Map(
      items.map(({ contentId, result }) => [contentId, itemResult.parse(result).categoryId ?? null]),
    );
    const isUnpublish = verb === "unpublish_selected";
    // Little is read of pieces that are unpublished.
    if (isUnpublish) onRead();
    const parts = isUnpublish ? inChunks(ids, UNPUBLISH_SIZE) : inParts(ids, await textSizes(actor, ids));
    for (const part of parts) {
      // The others are given back.
      if (!mayBegin()) return;
      const options = { categories, chosen, mayBegin, limits, firstBatch, onRead, onWritten: save };
      firstBatch = undefined;
      const isOpen = (id: string) => !saved.has(id);
      const outcomes = await isolateFaults(part, isOpen, (some) =>
        isUnpublish
          ? unpublishPieces(site, actor, some)
          : publishPieces(site, actor, some, { byTopic: verb === "publish_selected" }, options),
      );
      await save(outcomes);
    }
  }
}

/** One batch holds this many. */
const UNPUBLISH_SIZE = 25;

/** When a fault of ours stops a whole chunk, those of its pieces that are open go one by one, so that it stops only its own. */
async function isolateFaults(
  ids: string[],
  isOpen: (id: string) => boolean,
  publish: (ids: string[]) => Promise<Map<string, PublishOutcome>>,
): Promise<Map<string, PublishOutcome>> {
  try {
    return await publish(ids);
  } catch (error) {
    log.error({ err: error, pieces: ids.length }, "a chunk of pieces could not be published together");
  }
  const outcomes = new Map<string, PublishOutcome>();
  for (const id of ids.filter(isOpen)) {
    const alone = await publish([id]).catch((error: unknown) => new Map([[id, { ok: false as const, error }]]));
    for (const [, outcome] of alone) outcomes.set(id, outcome);
  }
  return outcomes;
}

async function resultsOf(actor: Actor, outcomes: Map<string, PublishOutcome>): Promise<ChunkResult[]> {
  const posts = await postsHere(actor, [...outcomes.keys()]);
  return [...outcomes].map(([contentId, outcome]) => {
    const { error, ...said } = outcome.ok
      ? { error: null, type: null, detail: outcome.note ?? null }
      : failureOf(outcome.error, contentId);
    const here = outcome.ok ? posts.get(contentId) : undefined;
    const post = {
      wpPostId: here?.wpPostId ?? null,
      wpPermalink: here?.wpPermalink ?? null,
      wpPostStatus: here?.wpPostStatus ?? null,
      wpPostDate: here?.wpPostDate?.toISOString() ?? null,
    };
    const written = outcome.ok && !outcome.unchanged ? { isWritten: true } : {};
    return { contentId, isOk: outcome.ok, error, result: { ...said, ...post, ...written } satisfies ItemResult };
  });
}

/** A fault of ours stops one piece, not the others. */
function failureOf(error: unknown, contentId: string): { error: string; type: string; detail: string | null } {
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
