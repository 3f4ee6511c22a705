import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "@/lib/errors";
import type { StoredPost } from "@/lib/features/publishing/reads";
import { isSamePost, MAX_CACHED_MS, markerSlug } from "@/lib/features/publishing/rules";
import { knownStateOf, type PublishingVerb, postStateOf, type Step, stepOf } from "@/lib/features/publishing/states";
import { identityOf, isStoredPost, isUnlike } from "@/lib/features/publishing/writes/identity";
import {
  forAllPieces,
  forEachPiece,
  type Held,
  isUnanswered,
  type LeasedPiece,
  type Marked,
  markWrites,
  pendingWrite,
  recordPublications,
  sendWrites,
} from "@/lib/features/publishing/writes/lease";
import type { Site } from "@/lib/features/publishing/writes/site";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import { whileAway } from "@/lib/limits/place";
import { encodeTitle } from "@/lib/wordpress/entities";
import { connectionError, hasCode } from "@/lib/wordpress/failures";
import type { MarkedPost } from "@/lib/wordpress/many-posts";
import type { ReadPost } from "@/lib/wordpress/posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

/** The piece's post on the site, or null, and what the verb does about it. */
export type Located = LeasedPiece & { remote: WordPressPost | null; step: Step };

type Looking = Located & { found?: ReadPost; as?: Partial<KnownPost> };

/**
 * Finds the pieces' posts on this site: those we know, else those whose creation went unanswered, else, on a copy of a site,
 * the copies of the pieces' posts there. What is found that way is recorded as the piece's.
 */
export async function locatePosts(held: Held, pieces: LeasedPiece[], verb: PublishingVerb): Promise<Located[]> {
  const all: Looking[] = pieces.map((leased) => ({ ...leased, remote: null, step: firstStep(leased, verb) }));
  const looking = await findMarked(
    held,
    all.filter(({ step }) => step.looksFor),
  );
  await forEachPiece(
    held,
    looking.filter(({ found }) => !found),
    (item) => findCopy(held, item),
  );
  const adopted = looking.filter(({ as }) => as);
  await recordPublications(held, adopted, ({ as = {} }) => as);
  const known = all.filter(({ here, found }) => here.postId && !found);
  await readKnown(held, known);
  for (const item of all) {
    if (item.found) Object.assign(item, atSite(item.found, verb));
    else if (item.step.looksFor) item.step = stepOf(verb, "none");
  }
  return all.filter(({ piece }) => !held.failures.has(piece.id));
}

function firstStep({ here, elsewhere }: LeasedPiece, verb: PublishingVerb): Step {
  const { postId = null, unansweredSince = null } = here;
  const state = knownStateOf({ postId, unansweredSince }, elsewhere.length > 0);
  return state ? stepOf(verb, state) : {};
}

function atSite(remote: ReadPost, verb: PublishingVerb): Pick<Located, "remote" | "step"> {
  return { remote: remote.state === "gone" ? null : remote, step: stepOf(verb, postStateOf(remote)) };
}

/** Reads the posts, and once more those that a cache answered for. If it still does, their pieces fail. */
async function readKnown(held: Held, items: Looking[]): Promise<void> {
  await readOnce(held, items);
  const stale = items.filter(isStale);
  if (stale.length === 0) return;
  await whileAway(() => sleep(STALE_MS));
  await readOnce(held, stale);
  for (const { piece } of stale.filter(isStale)) held.failures.set(piece.id, connectionError(FROM_A_CACHE));
}

/** How long to wait before a stale answer is asked for again. */
const STALE_MS = 2_000;

const FROM_A_CACHE =
  "Your site answers from a cache, with an older version of the post than it has. Exclude /wp-json/ from the cache or purge it, then try again.";

/**
 * Is the answer older than what the site said of the post minutes ago? Later it is taken as it is: the site may have been
 * restored from a backup.
 */
function isStale({ here: { modifiedGmt, lastSyncedAt }, found }: Looking): boolean {
  if (found?.state !== "found" || !found.modifiedGmt || !modifiedGmt || !lastSyncedAt) return false;
  return found.modifiedGmt < modifiedGmt && Date.now() - lastSyncedAt.getTime() < MAX_CACHED_MS;
}

/** Makes one request for each hundred; what a list leaves out, such as the trash, is asked for by itself. */
async function readOnce(held: Held, items: Looking[]): Promise<void> {
  const { client } = held.site;
  const ids = items.map(({ here }) => Number(here.postId));
  let listed = new Map<number, WordPressPost>();
  const readable =
    ids.length > 1
      ? await forAllPieces(held, items, async () => {
          listed = await client.readPosts(ids);
        })
      : items;
  await forEachPiece(held, readable, async (item) => {
    const id = Number(item.here.postId);
    const post = listed.get(id);
    const found: ReadPost = post ? { state: "found", ...post } : await client.readPost(id);
    item.found = isOfAnotherSite(item, found) ? { state: "gone" } : found;
  });
}

/** Has another site's post the id, as when the user mixed up two sites? A post that a move gave a new guid is like itself. */
function isOfAnotherSite({ here }: LeasedPiece, found: ReadPost): boolean {
  return Boolean(found.state === "found" && here.guid && here.guid !== found.guid && isUnlike(here, found));
}

/** Finds the posts whose creation went unanswered. Returns all items that have not failed. */
async function findMarked(held: Held, items: Looking[]): Promise<Looking[]> {
  const unanswered = items.filter(({ step }) => step.looksFor === "marker");
  let marked = new Map<string, MarkedPost[]>();
  const looked = await forAllPieces(held, unanswered, async () => {
    marked = await held.site.client.findByMarkers(unanswered.map(({ piece }) => markerSlug(piece.id)));
  });
  await forEachPiece(held, looked, async (item) => {
    // The post is older than its strays, if a creation arrived more than once.
    const [oldest] = marked.get(markerSlug(item.piece.id)) ?? [];
    if (!oldest) return;
    item.found = await held.site.client.readPost(oldest.id);
    const guid = item.found.state === "found" ? item.found.guid : null;
    item.as = { ...NEVER_SENT, guid, slug: markerSlug(item.piece.id), postId: String(oldest.id) };
  });
  return items.filter(({ piece }) => !held.failures.has(piece.id));
}

/** Looks for the id of the piece's post on another site, else for its slug, which it keeps when a site is imported. */
async function findCopy({ site }: Held, item: Looking): Promise<void> {
  for (const stored of item.elsewhere) {
    const sameId = await site.client.readPost(Number(stored.postId)).catch(goneUnlessOurs(site, stored));
    const post = sameId.state === "found" && isStoredPost(stored, sameId) ? sameId : await bySlug(stored.slug);
    if (!post || !isStoredPost(stored, post)) continue;
    const { remoteHash, sentHash, sentSource, renderer, unansweredHashes } = stored;
    const identity = identityOf(post, remoteHash);
    item.as = { ...identity, postId: String(post.id), sentHash, sentSource, renderer, unansweredHashes };
    item.found = { state: "found", ...post };
    return;
  }

  function bySlug(slug: string | null) {
    return slug ? site.client.findBySlug(slug) : null;
  }
}

/** Another author's post under the same id is no copy of ours, unless visitors can see that it is. */
function goneUnlessOurs({ client }: Site, stored: StoredPost): (error: unknown) => Promise<ReadPost> {
  return async (error) => {
    if (!hasCode(error, "rest_forbidden_context")) throw error;
    const post = await client.readPublicPost(Number(stored.postId));
    if (post && isSamePost(stored, { ...post, slug: post.slug ?? null, remoteHash: null })) throw error;
    return { state: "gone" };
  };
}

/** A post that has none of our text yet. */
const NEVER_SENT = {
  slug: null,
  remoteHash: null,
  sentHash: null,
  sentSource: null,
  renderer: null,
  guid: null,
  dateGmt: null,
  modifiedGmt: null,
} as const;

/**
 * Creates posts as invisible drafts under their markers, and records their ids before they get their texts, which are recorded
 * as on their way to them in the same transaction. A draft whose creation went unanswered is looked for and adopted. At worst
 * empty drafts are left over, which settlePosts removes.
 */
export async function createDrafts<Item extends LeasedPiece>(
  held: Held,
  items: Item[],
  hashesOf: (item: Item) => string[],
): Promise<Marked<Item>[]> {
  const { client } = held.site;
  const marked = await markWrites(held, items, () => []);
  const sent = await sendWrites(held, marked, (some) =>
    client.createDrafts(some.map(({ piece }) => ({ marker: markerSlug(piece.id), title: encodeTitle(piece.title) }))),
  );
  const created = sent.flatMap(({ item, outcome }) =>
    outcome.ok ? [{ ...item, item, draftId: outcome.post.id, draft: outcome.post }] : [],
  );
  const failed = sent.flatMap(({ item, outcome }) => (outcome.ok ? [] : [{ ...item, item, error: outcome.error }]));
  const saved = await recordPublications(held, created, ({ item, draftId, draft: { guid, slug } }) => ({
    ...NEVER_SENT,
    ...pendingWrite(item, hashesOf(item)),
    guid,
    slug,
    postId: String(draftId),
  }));
  // What would find a draft again is gone with its piece.
  const orphans = created.filter(({ piece }) => isAppError(held.failures.get(piece.id), "NOT_FOUND"));
  for (const { draftId } of orphans) await client.removePost(draftId).catch(() => undefined);

  const lost = failed.filter(({ error }) => isUnanswered(error));
  const found = await client
    .findByMarkers(lost.map(({ piece }) => markerSlug(piece.id)))
    // The failure of the write says more.
    .catch(() => new Map<string, MarkedPost[]>());
  const adopted = failed.flatMap((one) => {
    const [oldest] = isUnanswered(one.error) ? (found.get(markerSlug(one.piece.id)) ?? []) : [];
    if (!oldest) held.failures.set(one.piece.id, one.error);
    return oldest ? [{ ...one, draftId: oldest.id }] : [];
  });
  const kept = await recordPublications(held, adopted, ({ item, draftId, piece }) => ({
    ...NEVER_SENT,
    ...pendingWrite(item, hashesOf(item)),
    slug: markerSlug(piece.id),
    postId: String(draftId),
  }));
  // They stay open although they were answered: a network may have delivered the creation twice, and settlePosts looks.
  return [...saved, ...kept].map(({ item }) => ({ item, answered: {} }));
}
