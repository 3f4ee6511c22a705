import { typedSlug } from "@/lib/utils/slug";
import { comparisonKey } from "@/lib/utils/text";

/** Publish-all answers after this time, and reports what goes on in the background as TIME_BUDGET. */
export const PUBLISH_ALL_BUDGET_MS = 240_000;
/** A call that works on a job takes about as long. */
export const CALL_MS = 45_000;
/** Pieces of a job that are claimed together, and read together on the site: as many as WordPress lists at once. */
export const CHUNK_SIZE = 100;
/** Texts in memory at once, in bytes: a chunk of longer ones is read in parts. */
export const MAX_CHUNK_BYTES = 2_500_000;
/** Chunks under way at once: one is read while the site writes the others, two of which may end together. */
export const CONCURRENT_CHUNKS = 3;
/** WordPress batches of changes under way at once: the site works on two, and the others are recorded meanwhile. */
export const MAX_BATCHES = 4;
/** Writes of a batch: WordPress' own limit. */
export const MAX_WRITES = 25;
/** Texts of a job, or of another call, that render at once: a user may have sixteen waiting. */
export const MAX_RENDERING = 8;
/** Posts of a project whose renderings are compared in one call, which MAX_CHUNK_BYTES bounds too. */
export const MAX_COMPARED = 200;
/** Pieces that are reviewed in one call: as many as a screen shows without much scrolling. */
export const MAX_REVIEWED = 100;
/** A call that reviews begins no further texts after this, and answers what it has. */
export const REVIEWING_MS = 2_000;
/** Texts whose reviews a process remembers, 1 to 10 KB each. */
export const REVIEWS_REMEMBERED = 2_000;
/** A longer text has a batch of its own. */
export const MAX_BATCH_LENGTH = 500_000;
/** A chunk in its order, in parts of at most so much in all; by default, as much text as is in memory at once. */
export function inParts(ids: string[], sizes: Map<string, number>, most = MAX_CHUNK_BYTES): string[][] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const id of ids) {
    const added = sizes.get(id) ?? 0;
    const last = parts.at(-1);
    if (last && bytes + added <= most) {
      last.push(id);
      bytes += added;
    } else {
      parts.push([id]);
      bytes = added;
    }
  }
  return parts;
}

/** The ids in their order, at most so many in a chunk. */
export function inChunks(ids: string[], most: number): string[][] {
  return inParts(ids, new Map(ids.map((id) => [id, 1])), most);
}

/** How long a job waits for a site that cannot be reached, try by try; then its pieces fail. */
export const UNREACHABLE_WAITS = [5, 15, 60, 300, 600] as const;

/** A piece may be published once it has body text and is more than a title. */
export const PUBLISHABLE = { hasBody: true, isTitleOnly: false } as const;

export function isPublishable(piece: { hasBody: boolean; isTitleOnly: boolean }): boolean {
  return piece.hasBody === PUBLISHABLE.hasBody && piece.isTitleOnly === PUBLISHABLE.isTitleOnly;
}

/** Why a piece that is not publishable has no Publish. */
export const BODY_FIRST = "Write a body first";

/** A write that was not answered is taken to have arrived, or to be lost, after this time; sites get 20 seconds to answer. */
export const SETTLE_SECONDS = 120;

/** How long an answer that is older than the one before counts as a cache's. */
export const MAX_CACHED_MS = 15 * 60_000;

/** A new post's first slug, which finds it again after a lost answer. */
export function markerSlug(contentId: string): string {
  return `${MARKER}${contentId}`;
}

const MARKER = "content-planner-";

/** What WordPress stores when it makes a post, and what tells it from others with the same id. */
export type PostIdentity = {
  guid: string | null;
  dateGmt: string | null;
  slug: string | null;
  /** The hash of title and text. */
  remoteHash: string | null;
  /** The hashes of texts that were sent and not answered: see isOurText. */
  unansweredHashes?: string[];
};
/** `visibleHash` is the hash of what a visitor reads, which is among the unanswered hashes too. */
export type FoundPost = PostIdentity & { visibleHash?: string };

/**
 * Is a post on another address the one that was stored under the same id? A post keeps its guid when its site moves; its date,
 * slug and text can be changed, so one of those has to be the same. Some tools for moving replace the host of the guid, without
 * which it says little more than the id: then it takes two of them, or, while no date is known since no text was ever answered,
 * the text. Without a stored guid it takes the text. The marker of a piece is in no other post.
 */
export function isSamePost(stored: PostIdentity, found: FoundPost): boolean {
  const isSameSlug = stored.slug !== null && stored.slug === found.slug;
  if (isSameSlug && stored.slug?.startsWith(MARKER)) return true;
  const texts = [stored.remoteHash, ...(stored.unansweredHashes ?? [])];
  const isSameText = [found.remoteHash, found.visibleHash].some((hash) => hash && texts.includes(hash));
  if (stored.guid === null) return isSameText;
  if (pathOf(stored.guid) !== pathOf(found.guid)) return false;
  const isSameDate = stored.dateGmt !== null && stored.dateGmt === found.dateGmt;
  const same = [isSameDate, isSameText, isSameSlug].filter(Boolean).length;
  return same >= (stored.guid === found.guid || stored.dateGmt === null ? 1 : 2);
}

function pathOf(guid: string | null): string | null {
  if (guid === null || !URL.canParse(guid)) return guid;
  const { pathname, search } = new URL(guid);
  return pathname.replace(/^.*(?=\/)/, "") + search;
}

/** Do two categories have the same name, as WordPress compares them: in any case and with any spaces? */
export function isSameName(one: string, other: string | undefined): boolean {
  return other !== undefined && comparisonKey(one) === comparisonKey(other);
}

/** The slug that an update gives a live post, if its address has not that one already. `typed`: as the user wrote it. */
export function newSlugOf({ wpPermalink }: { wpPermalink?: string | null }, typed: string): string | undefined {
  const slug = typedSlug(typed);
  const parts = wpPermalink?.toLowerCase().split("/") ?? [];
  return wpPermalink && slug && !parts.includes(encodeURIComponent(slug).toLowerCase()) ? slug : undefined;
}
