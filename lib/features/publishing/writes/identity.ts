import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { PieceToPublish, StoredPost } from "@/lib/features/publishing/reads";
import { isSamePost, type PostIdentity } from "@/lib/features/publishing/rules";
import type { Step } from "@/lib/features/publishing/states";
import type { KnownPost, SentFields } from "@/lib/features/sites/sql/shared";
import type { MetaField } from "@/lib/wordpress/meta";
import type { WordPressPost } from "@/lib/wordpress/schema";

/** The hash of a post's title and text as WordPress has them. */
export function remoteHash(post: Pick<WordPressPost, "title" | "content">): string {
  return hashOf(post.title, post.content);
}

/**
 * The hash of what a visitor reads. It is the same before and after WordPress has removed markup that the account may not use,
 * which it does for authors.
 */
export function visibleHash({ title, content }: Pick<WordPressPost, "title" | "content">): string {
  return hashOf(...[title, content].map(visibleText));
}

function visibleText(html: string): string {
  const text = html.replace(/<[^<>]*>/g, "").replace(/&(?:amp|lt|gt|quot|#0?39|#x27|nbsp|#160);/gi, "");
  const units = new Uint16Array(text.length);
  let length = 0;
  // A replacement at each space of a long text takes ten times as long.
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (LEFT_OUT[unit] === 0) units[length++] = unit;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
}

/** Says of each code unit whether it is white space, or a character that WordPress writes in more than one way. */
const LEFT_OUT = Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(/[\s<>&"']/.test(String.fromCharCode(unit))));

/** Is it what we wrote last, or what we sent without an answer, which WordPress may have stripped of markup? */
export function isOurText(
  { remoteHash: known, unansweredHashes = [] }: { remoteHash?: string | null; unansweredHashes?: string[] },
  remote: Pick<WordPressPost, "title" | "content">,
): boolean {
  const hash = remoteHash(remote);
  return hash === known || unansweredHashes.includes(hash) || unansweredHashes.includes(visibleHash(remote));
}

/** What becomes known of a piece when a text that was sent without an answer is found on the site. */
export function arrivedText(here: Partial<StoredPost>, remote: WordPressPost) {
  const hash = remoteHash(remote);
  if (hash === here.remoteHash || !isOurText(here, remote)) return {};
  // What was sent is not known by its source any more, so that the next publish writes it.
  return { remoteHash: hash, sentHash: here.sentHash ? hash : null, sentSource: null, sentVersion: null };
}

export function hashOf(...parts: (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

const sentFields = z
  .object({
    slug: z.string(),
    excerpt: z.string(),
    metaTitle: z.string(),
    metaDescription: z.string(),
    focusKeyword: z.string(),
  })
  .partial();

/** What the post was given beside its title and text. */
export function sentFieldsOf({ sentFields: stored }: Partial<StoredPost>): SentFields {
  return sentFields.catch({}).parse(stored ?? {}) as SentFields;
}

/**
 * Those of the piece's fields that its post was not given yet. An empty one is never sent, nor one for SEO plugins that is not
 * `accepted`.
 */
export function unsentFields(
  here: Partial<StoredPost>,
  piece: Pick<PieceToPublish, keyof SentFields>,
  accepted: readonly MetaField[],
): SentFields {
  const sent = sentFieldsOf(here);
  const taken = ["slug", "excerpt", ...accepted] as const;
  return Object.fromEntries(
    taken.flatMap((field) => (piece[field] && piece[field] !== sent[field] ? [[field, piece[field]]] : [])),
  );
}

/** `hash` is the post's, where it is known. */
export function identityOf(post: WordPressPost, hash: string | null = remoteHash(post)): PostIdentity {
  return { guid: post.guid, dateGmt: post.dateGmt, slug: post.slug, remoteHash: hash };
}

/**
 * Where readers find a live post, or what the site says of one that they do not: it may have scheduled it. And when it was last
 * changed there.
 */
export function standingOf(post: WordPressPost | null) {
  const isLive = post?.status === "publish";
  return {
    permalink: isLive ? post.link : null,
    siteStatus: isLive ? null : (post?.status ?? null),
    siteDate: post?.status === "future" && post.dateGmt ? new Date(`${post.dateGmt}Z`) : null,
    modifiedGmt: post?.modifiedGmt ?? null,
  };
}

/** Is a post on another address the piece's, as it was stored? */
export function isStoredPost(stored: PostIdentity, post: WordPressPost): boolean {
  return isSamePost(stored, { ...identityOf(post), visibleHash: visibleHash(post) });
}

/** Has the post at a remembered id neither the date nor the slug nor a text of the piece's post? */
export function isUnlike(here: Partial<StoredPost>, post: WordPressPost): boolean {
  const { guid = null } = here;
  return !isStoredPost({ dateGmt: null, slug: null, remoteHash: null, ...here, guid }, { ...post, guid });
}

/** Was the post edited on the site? Not if we never wrote its text. */
export function isEdited(here: Partial<StoredPost>, remote: WordPressPost): boolean {
  return Boolean(here.remoteHash) && !isOurText(here, remote);
}

/** What is known of a post after a step: its piece's status, or that it is no more. */
export function knownAfter({ becomes, forgets }: Step): Partial<KnownPost> {
  return { ...(becomes ? { status: becomes } : {}), ...(forgets ? NO_POST : {}) };
}

/** The hashes are reset when the next post is created. */
const NO_POST = { postId: null, ...standingOf(null), categoryId: null, guid: null, dateGmt: null, slug: null };

export function syncedNow() {
  return { publishError: null, lastSyncedAt: new Date() };
}
