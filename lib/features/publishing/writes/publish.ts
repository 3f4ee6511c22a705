import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { AppError, detailOf, isAppError } from "@/lib/errors";
import { savePublishedRevisions } from "@/lib/features/content/sql/shared";
import type { PieceToPublish, StoredPost } from "@/lib/features/publishing/reads";
import {
  CONCURRENT_BATCHES,
  isPublishable,
  MAX_BATCH_LENGTH,
  MAX_RENDERING,
  markerSlug,
  permalinkSlug,
} from "@/lib/features/publishing/rules";
import type { PublishInput } from "@/lib/features/publishing/schema";
import { AFTER_FAILED_WRITE, type Step } from "@/lib/features/publishing/states";
import {
  type Categories,
  type Category,
  cachedCategories,
  resolveCategory,
} from "@/lib/features/publishing/writes/category";
import {
  hashOf,
  identityOf,
  isOurText,
  remoteHash,
  standingOf,
  visibleHash,
} from "@/lib/features/publishing/writes/identity";
import {
  type Answered,
  forEachPiece,
  type Held,
  type LeasedPiece,
  type Marked,
  markWrites,
  recordPublications,
  sendWrites,
  withPublishingLeases,
} from "@/lib/features/publishing/writes/lease";
import { createDrafts, type Located, locatePosts } from "@/lib/features/publishing/writes/post";
import type { Site } from "@/lib/features/publishing/writes/site";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import { whileAway } from "@/lib/limits/place";
import { encodeTitle } from "@/lib/wordpress/entities";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import type { PostFields } from "@/lib/wordpress/posts";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostInWorker } from "@/lib/workers/post";

/** `unchanged`: the site already had this text. `note`: what a program decided by itself. */
export type PublishOutcome =
  | { ok: true; unchanged: boolean; note?: string | undefined }
  | { ok: false; error: unknown };

type Draft = Located & { content: string; category: Category; categories: number[] | undefined; isDatedNow: boolean };
type Ready = Draft & { sentHash: string };
type Text = Ready & { textHash: string; textVisibleHash: string };
type Target = Text & { id: number; slug: string | undefined };

/** What chunks that are under way together share. */
export type Limits = { batches: LimitFunction; rendering: LimitFunction };

export function createLimits(batches = CONCURRENT_BATCHES): Limits {
  return { batches: pLimit(batches), rendering: pLimit(MAX_RENDERING) };
}

type Publishing = {
  input: PublishInput;
  categories: Categories;
  chosen: ReadonlyMap<string, string | null>;
  unchanged: Set<string>;
  notes: Map<string, string>;
  rendering: LimitFunction;
};

/**
 * Publishes pieces, or updates their posts, and never creates a second one. Each has an outcome of its own: NOT_FOUND,
 * NOT_PUBLISHABLE, TOO_COMPLEX, REMOTE_CHANGED (unless forced), REMOTE_TRASHED, REMOTE_GONE, ALREADY_RUNNING, or what the site
 * said. A refused or unanswered write makes the piece wp_failed, unless it is live. Pieces that `mayBegin` keeps from being
 * written have no outcome. `onRead` is called once the pieces are read, and `onWritten` is given the outcomes of each batch of
 * pieces that was written together.
 */
export async function publishPieces(
  site: Site,
  actor: Actor,
  ids: string[],
  input: PublishInput,
  {
    categories = cachedCategories(site, actor),
    chosen = new Map(),
    mayBegin = () => true,
    limits = createLimits(),
    firstBatch = Number.POSITIVE_INFINITY,
    onRead = () => undefined,
    onWritten = async () => undefined,
  }: {
    categories?: Categories;
    /** By piece: the category that the user has chosen for its topic. */
    chosen?: ReadonlyMap<string, string | null>;
    mayBegin?: () => boolean;
    limits?: Limits;
    /** How many pieces the first batch may hold. */
    firstBatch?: number;
    onRead?: () => void;
    onWritten?: (outcomes: Map<string, PublishOutcome>) => Promise<void>;
  } = {},
): Promise<Map<string, PublishOutcome>> {
  const publishing: Publishing = {
    input,
    categories,
    chosen,
    unchanged: new Set(),
    notes: new Map(),
    rendering: limits.rendering,
  };
  const outcomesOf = (some: string[], failures: ReadonlyMap<string, unknown>) =>
    new Map<string, PublishOutcome>(
      some.map((id) => [
        id,
        failures.has(id)
          ? { ok: false, error: failures.get(id) }
          : { ok: true, unchanged: publishing.unchanged.has(id), note: publishing.notes.get(id) },
      ]),
    );
  let left: Located[] = [];
  let most = firstBatch;
  const failures = await withPublishingLeases(site, actor, ids, async (held, pieces) => {
    onRead();
    const located = await decide(held, pieces, input.force);
    const differing = await withoutUnchanged(held, located, publishing);
    left = [...differing];
    if (left.length > 1) site.client.prepareBatches();
    // Each batch goes on without waiting for the others, so that the site always has something to write.
    const work = async () => {
      while (left.length > 0 && mayBegin()) {
        const batch = nextBatch(held, left, most);
        most = Number.POSITIVE_INFINITY;
        await publishBatch(held, batch, publishing);
        await onWritten(
          outcomesOf(
            batch.map(({ piece }) => piece.id),
            held.failures,
          ),
        );
      }
    };
    // A batch that fails unexpectedly does not end the leases of those that are under way.
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENT_BATCHES }, () => limits.batches(work)));
    await recordFailures(held, pieces);
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  });
  const deferred = new Set(left.map(({ piece }) => piece.id));
  return outcomesOf(
    ids.filter((id) => !deferred.has(id)),
    failures,
  );
}

/** Takes as many as fit one batch, and not more text than is wise to hold several times. */
function nextBatch<Item extends LeasedPiece>({ site }: Held, left: Item[], most: number): Item[] {
  const size = Math.min(site.client.batchSize(), most);
  let [count, length] = [0, 0];
  for (const { piece } of left.slice(0, size)) {
    length += piece.body.length;
    if (count > 0 && length > MAX_BATCH_LENGTH) break;
    count++;
  }
  return left.splice(0, count);
}

async function publishBatch(held: Held, batch: Located[], publishing: Publishing): Promise<void> {
  const drafts = await prepare(held, batch, publishing);
  await write(held, await withoutUnchangedHtml(held, drafts, publishing));
}

/** The pieces' posts, without the pieces that are refused. */
async function decide(held: Held, pieces: LeasedPiece[], force: boolean | undefined): Promise<Located[]> {
  const publishable = await forEachPiece(held, pieces, ({ piece }) => {
    if (!isPublishable(piece)) throw new AppError("NOT_PUBLISHABLE");
  });
  const located = await locatePosts(held, publishable, "publish");
  await recordPublications(
    held,
    located.filter(({ step }) => step.forgets),
    ({ step }) => publicationAfter(step),
  );
  return forEachPiece(held, located, ({ step, here, remote }) => {
    if (step.refuses) throw new AppError(step.refuses);
    if (remote && isEdited(here, remote) && !force) throw new AppError("REMOTE_CHANGED");
  });
}

async function withCategories<Item extends Located>(
  held: Held,
  located: Item[],
  publishing: Publishing,
): Promise<(Item & { category: Category })[]> {
  const drafts: (Item & { category: Category })[] = [];
  await forEachPiece(held, located, async (item) => {
    drafts.push({ ...item, category: await categoryOf(item, publishing) });
  });
  return inOrderOf(located, drafts);
}

function categoryOf(item: LeasedPiece, { input, categories, chosen }: Publishing): Promise<Category> {
  return resolveCategory(categories, item, { ...input, ofTopic: chosen.get(item.piece.id) });
}

/** Records the live posts that have the user's text already, whatever renders it today; returns the others. */
async function withoutUnchanged(held: Held, located: Located[], publishing: Publishing): Promise<Located[]> {
  const sent = await withCategories(held, located.filter(isSourceSent), publishing);
  const same = sent.filter(
    (item) => item.here.categoryId === String(item.category.id) && !isToBeAdded(item, publishing.input),
  );
  const others = await confirm(held, located, same, publishing);
  return others.filter(({ piece }) => !held.failures.has(piece.id));
}

/** Does what `withoutUnchanged` does, for posts whose source was not recorded. */
async function withoutUnchangedHtml(held: Held, drafts: Draft[], publishing: Publishing): Promise<Ready[]> {
  const ready = drafts.map((item) => {
    const { piece, category, content } = item;
    return { ...item, sentHash: hashOf(held.site.apiRoot, piece.title, content, String(category.id)) };
  });
  const same = ready.filter(
    (item) => isAsWritten(item) && item.here.sentHash === item.sentHash && !isToBeAdded(item, publishing.input),
  );
  return confirm(held, ready, same, publishing);
}

async function confirm<Item extends Located>(
  held: Held,
  all: Item[],
  same: (Located & { category: Category })[],
  { unchanged }: Publishing,
): Promise<Item[]> {
  const confirmed = same.flatMap((item) => {
    const { sentHash = null, renderer = null, remoteHash: postHash } = item.here;
    return item.remote ? [{ ...item, post: item.remote, postHash, sent: { sentHash, renderer } }] : [];
  });
  for (const { piece } of await recordPublications(held, confirmed, published, { also: saveRevisions(held) })) {
    unchanged.add(piece.id);
  }
  const isSame = new Set(same.map(({ piece }) => piece.id));
  return all.filter(({ piece }) => !isSame.has(piece.id));
}

/** Renders the pieces, each before anything is written to the site for it, a category too: rendering may fail. */
async function prepare(held: Held, batch: Located[], publishing: Publishing): Promise<Draft[]> {
  const { input, notes, rendering } = publishing;
  const drafts: Draft[] = [];
  await forEachPiece(held, batch, async (item) => {
    const content = await rendering(() => rendered(held.actor.userId, item.piece));
    const category = await categoryOf(item, publishing);
    if (category.isOneOfSeveral) notes.set(item.piece.id, ONE_OF_SEVERAL(category));
    const isDatedNow = input.now === true && item.remote?.status === "future";
    drafts.push({ ...item, content, category, categories: categoriesToSend(item, category, input), isDatedNow });
  });
  return inOrderOf(batch, drafts);
}

/** How long, and how often, to wait for room in the workers' queue, which a user's other jobs may have filled. */
const BUSY_MS = 500;
const BUSY_WAITS = 60;

async function rendered(userId: string, { body, title }: PieceToPublish): Promise<string> {
  for (let waits = 0; ; waits++) {
    try {
      return await renderPostInWorker(userId, body, title);
    } catch (error) {
      if (!isAppError(error, "SERVICE_UNAVAILABLE") || waits === BUSY_WAITS) throw error;
      await whileAway(() => sleep(BUSY_MS));
    }
  }
}

const ONE_OF_SEVERAL = ({ id, name }: Category) =>
  `Your site has several categories named “${name}”. The post is in the one with the ID ${id}.`;

/**
 * The post's categories on the site, with the chosen one in the place of the one that we set last; what others gave it stays.
 * Undefined leaves them as they are: ours was taken off there, and the call names none.
 */
function categoriesToSend({ here, remote }: Located, category: Category, input: PublishInput): number[] | undefined {
  if (!remote?.categories || !here.sentHash) return [category.id];
  const ours = Number(here.categoryId);
  if (ours && !remote.categories.includes(ours) && !namesCategory(input)) return undefined;
  return [...new Set([...remote.categories.filter((id) => id !== ours), category.id])];
}

/** Does the call name a category that the post has not? */
function isToBeAdded({ remote, category }: Located & { category: Category }, input: PublishInput): boolean {
  return namesCategory(input) && remote?.categories?.includes(category.id) === false;
}

function namesCategory({ categoryId, categoryName, byTopic }: PublishInput): boolean {
  return Boolean(categoryId || categoryName || byTopic);
}

async function write(held: Held, batch: Ready[]): Promise<void> {
  const texts = batch.map((item) => ({ ...item, ...hashesOf(item) }));
  const textHashes = ({ textHash, textVisibleHash }: Text) => [textHash, textVisibleHash];
  const created = await createDrafts(
    held,
    texts.filter(({ remote }) => !remote),
    textHashes,
  );
  const known = await markWrites(held, texts.flatMap(knownTarget), textHashes);
  const news = created.map(({ item, answered }) => ({ item: newTarget(item), answered }));
  await writeTexts(held, [...news, ...known]);
}

function newTarget(item: Text): Target {
  // An empty slug lets WordPress make one from the title; the marker never stays.
  return { ...item, id: Number(item.here.postId), slug: permalinkSlug(item.piece.title) };
}

function knownTarget(item: Text): Target[] {
  if (!item.remote) return [];
  // A post that never got past its first phase still carries the marker for a slug.
  const isMarked = item.remote.slug.startsWith(markerSlug(item.piece.id));
  return [{ ...item, id: item.remote.id, slug: isMarked ? permalinkSlug(item.piece.title) : undefined }];
}

async function writeTexts(held: Held, targets: Marked<Target>[]): Promise<void> {
  const sent = await sendWrites(held, targets, (some) =>
    held.site.client.updatePosts(some.map((item) => ({ id: item.id, fields: fieldsOf(item) }))),
  );
  const written = sent.flatMap(({ item, outcome, answered }) => {
    if (!outcome.ok) return [];
    const { post } = outcome;
    const isAsSent = post.title === encodeTitle(item.piece.title) && post.content === item.content;
    const postHash = isAsSent ? item.textHash : remoteHash(post);
    return [{ ...item, post, postHash, answered, sent: { sentHash: item.sentHash, renderer: RENDERER_VERSION } }];
  });
  for (const { item, outcome } of sent) if (!outcome.ok) held.failures.set(item.piece.id, outcome.error);
  await recordPublications(held, written, published, { action: "content.published", also: saveRevisions(held) });
  for (const { piece, post } of written) {
    if (isAppError(held.failures.get(piece.id), "NOT_FOUND")) held.failures.set(piece.id, deletedMeanwhile(post));
  }
}

function fieldsOf({ piece, content, categories, slug, isDatedNow }: Target): PostFields {
  const text = { title: encodeTitle(piece.title), content, status: "publish" as const };
  const date = isDatedNow ? { date_gmt: null } : {};
  return { ...text, ...date, ...(categories && { categories }), ...(slug !== undefined && { slug }) };
}

function hashesOf({ piece, content }: Ready): { textHash: string; textVisibleHash: string } {
  const title = encodeTitle(piece.title);
  return { textHash: remoteHash({ title, content }), textVisibleHash: visibleHash({ title, content }) };
}

function deletedMeanwhile({ link }: WordPressPost): AppError {
  const where = link ? `: ${link}` : "";
  return new AppError("NOT_FOUND", {
    message: `This piece was deleted while it was being published. Its post is on your WordPress site${where}`,
  });
}

/** Was the post edited on the site? Not if we never wrote its text. */
export function isEdited(here: Partial<StoredPost>, remote: WordPressPost): boolean {
  return Boolean(here.remoteHash) && !isOurText(here, remote);
}

/** Is the post live with the user's text as it is now? */
function isSourceSent(item: Located): boolean {
  return isAsWritten(item) && item.here.sentSource === sourceHash(item.here.sentHash ?? null, item.piece);
}

/** Is the post live with the text of our last write? */
function isAsWritten({ here, remote }: Located): boolean {
  return remote?.status === "publish" && remoteHash(remote) === here.remoteHash;
}

/** Binds the source to the sent hash: an older release updates that one only, which makes the source stale. */
function sourceHash(sentHash: string | null, { title, body }: Pick<PieceToPublish, "title" | "body">): string {
  return hashOf(sentHash, title, body);
}

type Written = Located & {
  category: Category;
  post: WordPressPost;
  postHash: string | null | undefined;
  sent: Pick<StoredPost, "sentHash" | "renderer">;
  answered?: Answered;
};

function published({ piece, post, postHash, category, sent, answered }: Written): Partial<KnownPost> {
  return {
    ...sent,
    ...answered,
    ...identityOf(post, postHash ?? undefined),
    sentSource: sourceHash(sent.sentHash, piece),
    status: post.status === "publish" ? "wp_published" : "wp_draft",
    ...standingOf(post),
    categoryId: String(category.id),
    categoryName: category.name,
    ...syncedNow(),
  };
}

function saveRevisions({ actor }: Held) {
  return (db: Db, items: Written[]): Promise<void> =>
    savePublishedRevisions(
      db,
      actor.userId,
      items.map(({ piece }) => piece),
    );
}

async function recordFailures(held: Held, pieces: LeasedPiece[]): Promise<void> {
  const failed = pieces.flatMap((item) => {
    const error = held.failures.get(item.piece.id);
    const isFailed = error instanceof WordPressWriteError && AFTER_FAILED_WRITE[item.piece.status] === "wp_failed";
    return isFailed ? [{ ...item, error }] : [];
  });
  // The first failure is the one to report, even if the lease is lost by now.
  const reasons = new Map(held.failures);
  await recordPublications(held, failed, ({ error }) => ({
    status: "wp_failed",
    publishError: [error.message, detailOf(error)].filter(Boolean).join(" "),
  }));
  for (const [id, error] of reasons) held.failures.set(id, error);
}

export function publicationAfter({ becomes, forgets }: Step): Partial<KnownPost> {
  return { ...(becomes ? { status: becomes } : {}), ...(forgets ? NO_POST : {}) };
}

/** The hashes are reset when the next post is created. */
const NO_POST = { postId: null, ...standingOf(null), categoryId: null, guid: null, dateGmt: null, slug: null };

export function syncedNow() {
  return { publishError: null, lastSyncedAt: new Date() };
}

function inOrderOf<Item extends LeasedPiece>(order: LeasedPiece[], items: Item[]): Item[] {
  const place = new Map(order.map(({ piece }, at) => [piece.id, at]));
  return items.sort((one, other) => (place.get(one.piece.id) ?? 0) - (place.get(other.piece.id) ?? 0));
}
