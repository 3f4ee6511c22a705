import "server-only";
import { createHash } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { savePublishedRevision } from "@/lib/features/content/sql/shared";
import { connectSite, type PieceToPublish, pieceToPublish, type Site } from "@/lib/features/publishing/reads";
import { isOnSite, isPublishable, markerSlug, permalinkSlug } from "@/lib/features/publishing/rules";
import type { PublishInput } from "@/lib/features/publishing/schema";
import { saveUnderLease } from "@/lib/features/publishing/sql";
import {
  AFTER_FAILED_WRITE,
  type PublishingVerb,
  postStateOf,
  type Step,
  stepOf,
} from "@/lib/features/publishing/states";
import { type LeasedPiece, recordPublication, withPublishingLease } from "@/lib/features/publishing/writes/lease";
import { comparisonKey } from "@/lib/utils/text";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostInWorker } from "@/lib/workers/post";

/** `unchanged`: the site already had this text. */
export type Published = { unchanged: boolean };

/**
 * Publishes a piece or updates its post; never creates a second one. Throws MISSING_CREDENTIALS, CONNECTION_ERROR,
 * NOT_PUBLISHABLE, TOO_COMPLEX, REMOTE_CHANGED (unless forced), REMOTE_TRASHED, REMOTE_GONE and ALREADY_RUNNING. A refused or
 * unanswered write makes the piece wp_failed, unless it is live.
 */
export async function publishContent(actor: Actor, id: string, input: PublishInput) {
  await pieceToPublish(actor, id);
  await publishTo(await connectSite(actor), actor, id, input);
  return ownedContent(actor, id);
}

/** Publishes to a site that is connected already. */
export async function publishTo(site: Site, actor: Actor, id: string, input: PublishInput): Promise<Published> {
  return withPublishingLease(actor, id, async (leased) => {
    const { piece, lease } = leased;
    if (!isPublishable(piece)) throw new AppError("NOT_PUBLISHABLE");
    // Before any request to the site: rendering may fail.
    const content = await renderPostInWorker(actor.userId, piece.body);
    try {
      const category = await resolveCategory(site, piece, input);
      const post = { title: piece.title, content, categories: [category.id], status: "publish" as const };
      const sentHash = hashOf(site.apiRoot, post.title, post.content, String(category.id));
      const draft = { site, leased, post, category, sentHash };
      const { remote, step } = await readRemote(site, piece, "publish");
      if (step.refuses) {
        if (step.forgets) await recordPublication(leased, changesOf(step));
        throw new AppError(step.refuses);
      }
      return await (remote ? updatePost(draft, remote, input.force) : createPost(draft));
    } catch (error) {
      if (error instanceof WordPressWriteError && AFTER_FAILED_WRITE[piece.status] === "wp_failed") {
        const publishError = [error.message, detailOf(error)].filter(Boolean).join(" ");
        await saveUnderLease(lease, { status: "wp_failed", publishError });
      }
      throw error;
    }
  });
}

type Category = { id: number; name: string };
type Draft = {
  site: Site;
  leased: LeasedPiece;
  post: { title: string; content: string; categories: number[]; status: "publish" };
  category: Category;
  sentHash: string;
};

/**
 * The given id, else the given name, else the piece's category on this site, else its topic's name. An id counts only if the
 * site has it under the name sent with it: it may have been chosen from another site's list.
 */
async function resolveCategory(site: Site, piece: PieceToPublish, input: PublishInput): Promise<Category> {
  const { client } = site;
  const { categoryId, categoryName, byTopic } = input;
  if (categoryId) {
    const found = await client.readCategory(Number(categoryId));
    if (found && (!categoryName || isSameName(found.name, categoryName))) return found;
    if (!categoryName)
      throw new AppError("VALIDATION_ERROR", { message: NO_SUCH_CATEGORY, fields: { categoryId: [NO_SUCH_CATEGORY] } });
  }
  if (categoryName) return { id: await client.ensureCategory(categoryName), name: categoryName };
  const own = byTopic ? null : await ownCategory(site, piece);
  return own ?? { id: await client.ensureCategory(piece.topic.name), name: piece.topic.name };
}

const NO_SUCH_CATEGORY = "This category is not on your WordPress site. Choose another one.";

/** Null also when it was deleted on the site. */
async function ownCategory({ apiRoot, client }: Site, piece: PieceToPublish) {
  if (!piece.wpCategoryId || !isOnSite(piece, apiRoot)) return null;
  return client.readCategory(Number(piece.wpCategoryId));
}

function isSameName(one: string, other: string): boolean {
  return comparisonKey(one) === comparisonKey(other);
}

async function createPost({ site, leased, post, category, sentHash }: Draft): Promise<Published> {
  const { piece, mayExist } = leased;
  const slug = permalinkSlug(piece.title);
  leased.mayExist = true;
  const written = await site.client.publishNew({
    marker: markerSlug(piece.id),
    post: { ...post, ...(slug ? { slug } : {}) },
    mayExist,
    // Committed before the post gets its text, so that every later attempt updates this post.
    onDraft: async (postId) => {
      await recordPublication(leased, { ...NEVER_SENT, wpSite: site.apiRoot, wpPostId: String(postId) });
      leased.mayExist = false;
    },
  });
  return recordSent(leased, written, category, sentHash);
}

const NEVER_SENT = {
  wpRemoteHash: null,
  wpUnansweredHash: null,
  wpSentHash: null,
  wpSentSource: null,
  wpRenderer: null,
} as const;

async function updatePost(
  { site, leased, post, category, sentHash }: Draft,
  remote: WordPressPost,
  force: boolean | undefined,
): Promise<Published> {
  const { piece } = leased;
  if (isEdited(piece, remote) && !force) throw new AppError("REMOTE_CHANGED");
  if (remote.status === "publish" && remoteHash(remote) === piece.wpRemoteHash && isSent(piece, category, sentHash)) {
    const { wpSentHash, wpRenderer } = piece;
    await recordPublished(leased, remote, category, { wpSentHash, wpRenderer });
    return { unchanged: true };
  }
  // Committed before it is sent: if the answer is lost, a post with this text is still known to be ours.
  await recordPublication(leased, { wpUnansweredHash: remoteHash(post) });
  // A post that never got past its first phase still carries the marker for a slug.
  const slug = remote.slug.startsWith(markerSlug(piece.id)) ? permalinkSlug(piece.title) : "";
  const written = await site.client.updatePost(remote.id, { ...post, ...(slug ? { slug } : {}) });
  return recordSent(leased, written, category, sentHash);
}

/** Was the post edited on the site? Not if we never wrote its text, or if it has the text of an unanswered update. */
function isEdited({ wpRemoteHash, wpUnansweredHash }: PieceToPublish, remote: WordPressPost): boolean {
  return wpRemoteHash !== null && ![wpRemoteHash, wpUnansweredHash].includes(remoteHash(remote));
}

/** Does the live post have this text? Compares source too, so that a new renderer alone rewrites no post. */
function isSent(piece: PieceToPublish, category: Category, sentHash: string): boolean {
  if (sentHash === piece.wpSentHash) return true;
  return piece.wpSentSource === sourceHash(piece) && piece.wpCategoryId === String(category.id);
}

/** Bound to the sent hash: an older release updates that one only, which makes the source stale. */
function sourceHash({ wpSentHash, title, body }: Pick<PieceToPublish, "wpSentHash" | "title" | "body">): string {
  return hashOf(wpSentHash, title, body);
}

async function recordSent(
  leased: LeasedPiece,
  post: WordPressPost,
  category: Category,
  wpSentHash: string,
): Promise<Published> {
  await recordPublished(leased, post, category, { wpSentHash, wpRenderer: RENDERER_VERSION }, "content.published");
  return { unchanged: false };
}

async function recordPublished(
  leased: LeasedPiece,
  post: WordPressPost,
  category: Category,
  sent: Pick<PieceToPublish, "wpSentHash" | "wpRenderer">,
  action?: AuditAction,
) {
  const publication = {
    ...sent,
    wpSentSource: sourceHash({ ...leased.piece, ...sent }),
    status: "wp_published" as const,
    wpPermalink: post.link,
    wpCategoryId: String(category.id),
    wpCategoryName: category.name,
    wpRemoteHash: remoteHash(post),
    wpUnansweredHash: null,
    ...syncedNow(),
  };
  await recordPublication(leased, publication, action, (db) => savePublishedRevision(db, leased.piece));
}

/** Turns the post into a draft on the site; a trashed or deleted one only updates the piece. */
export async function unpublishContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor);
  await withPublishingLease(actor, id, async (leased) => {
    const { step } = await readRemote(site, leased.piece, "unpublish");
    if (step.refuses) throw new AppError(step.refuses);
    if (step.sends === "draft") await site.client.setStatus(Number(leased.piece.wpPostId), "draft");
    await recordPublication(leased, { ...changesOf(step), wpPermalink: null, ...syncedNow() }, "content.unpublished");
  });
  return ownedContent(actor, id);
}

/** Reads the post's status; its text is never copied. A failure changes nothing. */
export async function syncContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor);
  const remoteChanged = await withPublishingLease(actor, id, async (leased) => {
    const { remote, step } = await readRemote(site, leased.piece, "sync");
    if (step.refuses) throw new AppError(step.refuses);
    const wpPermalink = step.becomes === "wp_published" && remote ? remote.link : null;
    await recordPublication(leased, { ...changesOf(step), wpPermalink, ...syncedNow() });
    return remote !== null && isEdited(leased.piece, remote);
  });
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

/** The piece's post on this site, or null, and what the verb does about it. */
async function readRemote({ apiRoot, client }: Site, piece: PieceToPublish, verb: PublishingVerb) {
  if (!isOnSite(piece, apiRoot)) return { remote: null, step: stepOf(verb, "none") };
  const remote = await client.readPost(Number(piece.wpPostId));
  return { remote: remote.state === "gone" ? null : remote, step: stepOf(verb, postStateOf(remote)) };
}

function changesOf({ becomes, forgets }: Step) {
  return { ...(becomes ? { status: becomes } : {}), ...(forgets ? NO_POST : {}) };
}

/** The hashes are reset when the next post is created (NEVER_SENT). */
const NO_POST = { wpPostId: null, wpPermalink: null, wpCategoryId: null, wpSite: null } as const;

function syncedNow() {
  return { publishError: null, lastSyncedAt: new Date() };
}

function remoteHash(post: Pick<WordPressPost, "title" | "content">): string {
  return hashOf(post.title, post.content);
}

function hashOf(...parts: (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
