import "server-only";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { defaultMessage, detailOf, isAppError } from "@/lib/errors";
import { postsHere, textSizes } from "@/lib/features/content/reads";
import { CHUNK_SIZE, CONCURRENT_CHUNKS, inParts, UNREACHABLE_WAITS } from "@/lib/features/publishing/rules";
import { type ItemResult, itemResult, type JobInput, jobInput } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { type Categories, cachedCategories } from "@/lib/features/publishing/writes/category";
import { type LeasedPiece, type Outcome, withPublishingLeases } from "@/lib/features/publishing/writes/lease";
import { NotBegun, type Outbox, openOutbox } from "@/lib/features/publishing/writes/outbox";
import { type Published, publishPiece } from "@/lib/features/publishing/writes/publish";
import { unpublishPiece } from "@/lib/features/publishing/writes/unpublish";
import { connectSite, type Site } from "@/lib/features/sites/writes/connect";
import type { ChunkedJob } from "@/lib/features/work/reads";
import type { RunOutcome, RunWait } from "@/lib/features/work/schema";
import { type ChunkKind, type ChunkResult, type Chunks, workOnJob } from "@/lib/features/work/writes/chunks";
import { log } from "@/lib/log";
import { gathered } from "@/lib/utils/gathered";

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
  const reached = site ?? (await reach(actor, { ...job, ...jobInput.parse(job.input) }, chunks));
  if (!reached || !("client" in reached)) return reached;
  await chunks.reached();
  reached.client.prepareBatches();
  const isCancelled = atMostEvery(LOOK_MS, chunks.isCancelled);
  const outbox = openOutbox(reached, actor, { mayBegin: async () => hasTime() && !(await isCancelled()) });
  const save = gathered(async (ended: readonly Ended[]) => {
    await chunks.save(await resultsOf(actor, ended));
    return ended.map(() => true);
  }, CHUNK_SIZE);
  const { verb } = jobInput.parse(job.input);
  const work = { verb, chunks, outbox, categories: cachedCategories(reached, actor), save };
  // One is read while the site writes the others.
  const workers = await Promise.allSettled(Array.from({ length: CONCURRENT_CHUNKS }, () => workThrough(work)));
  for (const each of workers) if (each.status === "rejected") throw each.reason;
  return undefined;
}

/** How often a job looks whether it was cancelled, so that little more is begun. */
const LOOK_MS = 250;

/** Asks again once so many milliseconds have passed; until then, the last answer holds. */
function atMostEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!asked || Date.now() - asked.at >= ms) asked = { at: Date.now(), answer: ask() };
    return asked.answer;
  };
}

/** The site, or what becomes of a job whose site cannot be reached. */
async function reach(
  actor: Actor,
  { tries, projectId, siteId }: ChunkedJob & JobInput,
  chunks: Chunks,
): Promise<Site | RunWait | undefined> {
  try {
    return await connectSite(actor, { siteId, projectId });
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

type Work = {
  verb: BulkVerb;
  chunks: Chunks;
  outbox: Outbox;
  categories: Categories;
  save: (ended: Ended) => Promise<boolean>;
};

/** A piece that was worked on. */
type Ended = { id: string; outcome: Outcome<Published> };

/** Claims pieces and works on them until none is left, and saves what becomes of each as soon as it is known. */
async function workThrough({ verb, chunks, outbox, categories, save }: Work): Promise<void> {
  while (await outbox.mayBegin()) {
    const items = await chunks.claim();
    if (items.length === 0) return;
    const ids = items.map(({ contentId }) => contentId);
    const chosen = new Map(items.map(({ contentId, result }) => [contentId, itemResult.parse(result).categoryId]));
    const wishesFor = (id: string) => ({ byTopic: verb === "publish_selected", categories, ofTopic: chosen.get(id) });
    const workOn = (leased: LeasedPiece) =>
      verb === "unpublish_selected"
        ? unpublishPiece(outbox, leased)
        : publishPiece(outbox, leased, wishesFor(leased.piece.id));
    for (const part of inParts(ids, await textSizes(outbox.actor, ids))) {
      // The others are given back, as are those that are not begun.
      if (!(await outbox.mayBegin())) return;
      await withPublishingLeases(outbox, part, workOn, async (id, outcome) => {
        if (outcome.ok || !(outcome.error instanceof NotBegun)) await save({ id, outcome });
      });
    }
  }
}

async function resultsOf(actor: Actor, ended: readonly Ended[]): Promise<ChunkResult[]> {
  const posts = await postsHere(
    actor,
    ended.map(({ id }) => id),
  );
  return ended.map(({ id, outcome }) => {
    const { error, ...said } = outcome.ok
      ? { error: null, type: null, detail: outcome.done.note ?? null }
      : failureOf(outcome.error, id);
    const here = outcome.ok ? posts.get(id) : undefined;
    const post = {
      wpPostId: here?.wpPostId ?? null,
      wpPermalink: here?.wpPermalink ?? null,
      wpPostStatus: here?.wpPostStatus ?? null,
      wpPostDate: here?.wpPostDate?.toISOString() ?? null,
    };
    const written = outcome.ok && !outcome.done.unchanged ? { isWritten: true } : {};
    return { contentId: id, isOk: outcome.ok, error, result: { ...said, ...post, ...written } satisfies ItemResult };
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
