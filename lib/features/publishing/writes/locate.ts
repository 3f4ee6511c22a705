import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredPost } from "@/lib/features/publishing/reads";
import { isSamePost, MAX_CACHED_MS, markerSlug } from "@/lib/features/publishing/rules";
import { knownStateOf, postStateOf, type Step, stepOf, type Verb } from "@/lib/features/publishing/states";
import { identityOf, isStoredPost, isUnlike, sentFieldsOf } from "@/lib/features/publishing/writes/identity";
import type { LeasedPiece } from "@/lib/features/publishing/writes/lease";
import type { Outbox } from "@/lib/features/publishing/writes/outbox";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import type { Site } from "@/lib/features/sites/writes/connect";
import { whileAway } from "@/lib/limits/place";
import { connectionError, hasCode } from "@/lib/wordpress/failures";
import type { ReadPost } from "@/lib/wordpress/posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

/** A piece, its post on the site or null, and what the verb does about it. */
export type Located = LeasedPiece & { remote: WordPressPost | null; step: Step };

/**
 * Finds the piece's post on this site: the one we know, else one whose creation went unanswered, else, on a copy of a site, the copy
 * of the piece's post there. What is found that way is recorded as the piece's.
 */
export async function locate(outbox: Outbox, leased: LeasedPiece, verb: Verb): Promise<Located> {
  const { postId = null, unansweredSince = null } = leased.here;
  const state = knownStateOf({ postId, unansweredSince }, leased.elsewhere.length > 0);
  if (!state) return atSite(leased, await readKnown(outbox, leased), verb);
  const step = stepOf(verb, state);
  if (!step.looksFor) return { ...leased, remote: null, step };
  const adopted =
    (step.looksFor === "marker" && (await findMarked(outbox, leased))) || (await findCopy(outbox, leased));
  if (!adopted) return { ...leased, remote: null, step: stepOf(verb, "none") };
  return atSite(await outbox.record(leased, adopted.as), adopted.found, verb);
}

function atSite(leased: LeasedPiece, found: ReadPost, verb: Verb): Located {
  return { ...leased, remote: found.state === "gone" ? null : found, step: stepOf(verb, postStateOf(found)) };
}

/** Reads the post, and once more if a cache answered. Throws CONNECTION_ERROR if it still does. */
async function readKnown(outbox: Outbox, leased: LeasedPiece): Promise<ReadPost> {
  const id = Number(leased.here.postId);
  let found = await outbox.readPost(id);
  if (isStale(leased, found)) {
    await whileAway(() => sleep(STALE_MS));
    found = await outbox.readPost(id);
  }
  if (isStale(leased, found)) throw connectionError(FROM_A_CACHE);
  return isOfAnotherSite(leased, found) ? { state: "gone" } : found;
}

/** How long to wait before a stale answer is asked for again. */
const STALE_MS = 2_000;

const FROM_A_CACHE =
  "Your site answers from a cache, with an older version of the post than it has. Exclude /wp-json/ from the cache or purge it, then try again.";

/**
 * Is the answer older than what the site said of the post minutes ago? Later it is taken as it is: the site may have been
 * restored from a backup.
 */
function isStale({ here: { modifiedGmt, lastSyncedAt } }: LeasedPiece, found: ReadPost): boolean {
  if (found.state !== "found" || !found.modifiedGmt || !modifiedGmt || !lastSyncedAt) return false;
  return found.modifiedGmt < modifiedGmt && Date.now() - lastSyncedAt.getTime() < MAX_CACHED_MS;
}

/** Does a post of another site have the id, as when the user mixed up two sites? A post that a move gave a new guid is like itself. */
function isOfAnotherSite({ here }: LeasedPiece, found: ReadPost): boolean {
  return Boolean(found.state === "found" && here.guid && here.guid !== found.guid && isUnlike(here, found));
}

/** A post that was found, and what makes it the piece's. */
type Adopted = { found: ReadPost; as: Partial<KnownPost> };

/** Finds the post whose creation went unanswered. It is older than its strays, if a creation arrived more than once. */
async function findMarked(outbox: Outbox, { piece }: LeasedPiece): Promise<Adopted | undefined> {
  const marker = markerSlug(piece.id);
  const [oldest] = await outbox.findByMarker(marker);
  if (!oldest) return undefined;
  const found = await outbox.readPost(oldest.id);
  const guid = found.state === "found" ? found.guid : null;
  return { found, as: { ...NEVER_SENT, guid, slug: marker, postId: String(oldest.id) } };
}

/** Looks for the id of the piece's post on another site, else for its slug, which it keeps when a site is imported. */
async function findCopy({ site }: Outbox, { elsewhere }: LeasedPiece): Promise<Adopted | undefined> {
  for (const stored of elsewhere) {
    const sameId = await site.client.readPost(Number(stored.postId)).catch(goneUnlessOurs(site, stored));
    const post = sameId.state === "found" && isStoredPost(stored, sameId) ? sameId : await bySlug(stored.slug);
    if (!post || !isStoredPost(stored, post)) continue;
    const { remoteHash, sentHash, sentSource, sentVersion, renderer, unansweredHashes } = stored;
    const sentFields = sentFieldsOf(stored);
    const sent = { sentHash, sentSource, sentVersion, sentFields, renderer, unansweredHashes };
    return {
      found: { state: "found", ...post },
      as: { ...identityOf(post, remoteHash), postId: String(post.id), ...sent },
    };
  }
  return undefined;

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

/** What is known of a post that has none of our text yet. */
export const NEVER_SENT = {
  slug: null,
  remoteHash: null,
  sentHash: null,
  sentSource: null,
  sentVersion: null,
  sentFields: null,
  renderer: null,
  guid: null,
  dateGmt: null,
  modifiedGmt: null,
} as const;
