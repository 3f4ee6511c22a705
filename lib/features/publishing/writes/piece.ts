import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { isPublishable } from "@/lib/features/content/rules";
import { connectSite, type PieceToPublish, pieceToPublish, type Site } from "@/lib/features/publishing/reads";
import { isOnSite, markerSlug, permalinkSlug, statusAfterSync } from "@/lib/features/publishing/rules";
import type { PublishInput } from "@/lib/features/publishing/schema";
import { holdPublishing, recordRemote, releasePublishing } from "@/lib/features/publishing/sql";
import { isSameSite } from "@/lib/utils/site-address";
import { keywordKey } from "@/lib/utils/text";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { RENDERER } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostAside } from "@/lib/workers/post";

/** What a publish did; `unchanged` when the site has just this text already. */
export type Published = { unchanged: boolean };

/**
 * Publishes a piece, or updates its post: never a second one. Throws MISSING_CREDENTIALS, CONNECTION_ERROR,
 * NOT_PUBLISHABLE and TOO_COMPLEX with the status as it was; REMOTE_CHANGED (unless forced), REMOTE_TRASHED, REMOTE_GONE,
 * ALREADY_RUNNING; a write that was refused or went unanswered makes the piece wp_failed, unless it is live.
 */
export async function publishContent(actor: Actor, id: string, input: PublishInput) {
  await pieceToPublish(actor, id);
  await publishTo(await connectSite(actor), actor, id, input);
  return ownedContent(actor, id);
}

/** One piece onto a site that is connected already. */
export async function publishTo(site: Site, actor: Actor, id: string, input: PublishInput): Promise<Published> {
  return holding(actor, id, async (piece, token, abandoned) => {
    if (!isPublishable(piece)) throw new AppError("NOT_PUBLISHABLE");
    const isUpdate = isOnSite(piece, site.apiRoot);
    // First: a text that cannot be rendered costs the site no request.
    const content = await renderPostAside(actor.userId, piece.body);
    try {
      const category = await resolveCategory(site, piece, input);
      const post = {
        title: piece.title,
        content,
        categories: [category.id],
        status: "publish" as const,
      };
      const sentHash = hashOf(site.apiRoot, post.title, post.content, String(category.id));
      const draft = { site, piece, token, post, category, sentHash, force: input.force ?? false };
      const result = isUpdate
        ? await updatePost(draft)
        : await createPost(draft, abandoned || piece.status === "wp_failed");
      if (!result.unchanged)
        await audit({ userId: actor.userId, origin: actor.origin, action: "content.published", subject: id });
      return result;
    } catch (error) {
      if (error instanceof WordPressWriteError && piece.status !== "wp_published") {
        const publishError = [error.message, detailOf(error)].filter(Boolean).join(" ");
        await recordRemote(id, token, { status: "wp_failed", publishError });
      }
      throw error;
    }
  });
}

type Category = { id: number; name: string };
type Draft = {
  site: Site;
  piece: PieceToPublish;
  token: string;
  post: { title: string; content: string; categories: number[]; status: "publish" };
  category: Category;
  sentHash: string;
  force: boolean;
};

/**
 * The id given, else the name given, else the piece's own category on this site, else its topic's name. An id is used only
 * where the site has it, under the name that came with it: the list it was chosen from may be another site's.
 */
async function resolveCategory(site: Site, piece: PieceToPublish, input: PublishInput): Promise<Category> {
  const { client } = site;
  const { categoryId, categoryName, byTopic } = input;
  if (categoryId) {
    const found = await client.readCategory(Number(categoryId));
    if (found && (!categoryName || isSameName(found.name, categoryName))) return found;
    if (!categoryName) throw new AppError("VALIDATION_ERROR", { message: NO_SUCH, fields: { categoryId: [NO_SUCH] } });
  }
  if (categoryName) return { id: await client.ensureCategory(categoryName), name: categoryName };
  const own = byTopic ? null : await ownCategory(site, piece);
  return own ?? { id: await client.ensureCategory(piece.topic.name), name: piece.topic.name };
}

const NO_SUCH = "This category is not on your WordPress site. Choose another one.";

/** Null also when it was deleted on the site since. */
async function ownCategory({ apiRoot, client }: Site, { wpSite, wpCategoryId }: PieceToPublish) {
  if (!wpCategoryId || !wpSite || !isSameSite(wpSite, apiRoot)) return null;
  return client.readCategory(Number(wpCategoryId));
}

function isSameName(one: string, other: string): boolean {
  return keywordKey(one) === keywordKey(other);
}

async function createPost(
  { site, piece, token, post, category, sentHash }: Draft,
  mayExist: boolean,
): Promise<Published> {
  const slug = permalinkSlug(piece.title);
  const written = await site.client.publishNew({
    marker: markerSlug(piece.id),
    post: { ...post, ...(slug ? { slug } : {}) },
    mayExist,
    // Committed before the post gets its text: from here on every further try updates this one.
    onDraft: async (postId) => {
      const remembered = { ...NOTHING_SENT, wpSite: site.apiRoot, wpPostId: String(postId) };
      if (!(await recordRemote(piece.id, token, remembered))) throw new AppError("ALREADY_RUNNING");
    },
  });
  await recordPublished(piece, token, written, category, { wpSentHash: sentHash, wpRenderer: RENDERER });
  return { unchanged: false };
}

const NOTHING_SENT = { wpRemoteHash: null, wpSentHash: null, wpSentSource: null, wpRenderer: null } as const;

async function updatePost({ site, piece, token, post, category, sentHash, force }: Draft): Promise<Published> {
  const postId = Number(piece.wpPostId);
  const remote = await site.client.readPost(postId);
  if (remote.state === "gone") {
    await recordRemote(piece.id, token, FORGOTTEN);
    throw new AppError("REMOTE_GONE");
  }
  if (remote.status === "trash") throw new AppError("REMOTE_TRASHED");
  const isUnfinished = piece.wpRemoteHash === null;
  const isChanged = !isUnfinished && remoteHash(remote) !== piece.wpRemoteHash;
  if (isChanged && !force) throw new AppError("REMOTE_CHANGED");
  const { wpSentHash, wpRenderer } = piece;
  if (!isChanged && wpSentHash !== null && remote.status === "publish" && isSent(piece, category, sentHash)) {
    await recordPublished(piece, token, remote, category, { wpSentHash, wpRenderer });
    return { unchanged: true };
  }
  // A post that never got past its first phase still carries the marker for a slug.
  const slug = remote.slug.startsWith(markerSlug(piece.id)) ? permalinkSlug(piece.title) : "";
  const written = await site.client.updatePost(postId, { ...post, ...(slug ? { slug } : {}) });
  await recordPublished(piece, token, written, category, { wpSentHash: sentHash, wpRenderer: RENDERER });
  return { unchanged: false };
}

/**
 * Is the live post made of just this text? The source decides: a new renderer alone must not rewrite it. The HTML stands in
 * where the source is not known (posts of earlier releases), and where both are, another source of the same HTML.
 */
function isSent(piece: PieceToPublish, category: Category, sentHash: string): boolean {
  if (sentHash === piece.wpSentHash) return true;
  return piece.wpSentSource === sourceHash(piece) && piece.wpCategoryId === String(category.id);
}

/** Bound to what was sent: an older process that publishes beside this one leaves a source that holds no more. */
function sourceHash({ wpSentHash, title, body }: Pick<PieceToPublish, "wpSentHash" | "title" | "body">): string {
  return hashOf(wpSentHash ?? "", title, body);
}

const FORGOTTEN = {
  status: "unpublished",
  wpPostId: null,
  wpPermalink: null,
  wpCategoryId: null,
  wpSite: null,
  ...NOTHING_SENT,
  wpModifiedGmt: null,
} as const;

async function recordPublished(
  piece: PieceToPublish,
  token: string,
  post: WordPressPost,
  category: Category,
  sent: { wpSentHash: string; wpRenderer: number | null },
) {
  await recordRemote(piece.id, token, {
    ...sent,
    wpSentSource: sourceHash({ ...piece, ...sent }),
    status: "wp_published",
    wpPermalink: post.link,
    wpCategoryId: String(category.id),
    wpCategoryName: category.name,
    wpModifiedGmt: post.modifiedGmt,
    wpRemoteHash: remoteHash(post),
    publishError: null,
    lastSyncedAt: new Date(),
  });
}

/** Takes the post back to a draft on the site. Of a trashed or gone post nothing is left to take back. */
export async function unpublishContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const { apiRoot, client } = await connectSite(actor);
  await holding(actor, id, async (piece, token) => {
    if (!isOnSite(piece, apiRoot)) throw new AppError("NOT_ON_SITE");
    const remote = await client.readPost(Number(piece.wpPostId));
    if (remote.state === "gone")
      return recordRemote(id, token, { ...FORGOTTEN, publishError: null, lastSyncedAt: new Date() });
    const isLive = remote.status !== "trash" && remote.status !== "draft";
    if (isLive) await client.setStatus(Number(piece.wpPostId), "draft");
    const status = remote.status === "trash" ? "unpublished" : "wp_draft";
    return recordRemote(id, token, { status, wpPermalink: null, publishError: null, lastSyncedAt: new Date() });
  });
  await audit({ userId: actor.userId, origin: actor.origin, action: "content.unpublished", subject: id });
  return ownedContent(actor, id);
}

/** Reads the post's status and nothing else: text is never copied. A failure to read changes nothing. */
export async function syncContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const { apiRoot, client } = await connectSite(actor);
  const remoteChanged = await holding(actor, id, async (piece, token) => {
    if (!isOnSite(piece, apiRoot)) throw new AppError("NOT_ON_SITE");
    const remote = await client.readPost(Number(piece.wpPostId));
    if (remote.state === "gone") {
      await recordRemote(id, token, { ...FORGOTTEN, lastSyncedAt: new Date() });
      return false;
    }
    const status = statusAfterSync(remote.status);
    const wpPermalink = status === "wp_published" ? remote.link : null;
    await recordRemote(id, token, { status, wpPermalink, publishError: null, lastSyncedAt: new Date() });
    return piece.wpRemoteHash !== null && remoteHash(remote) !== piece.wpRemoteHash;
  });
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

/** One at a time on a piece; a second caller gets ALREADY_RUNNING. The piece is read after the place is taken. */
async function holding<T>(
  actor: Actor,
  id: string,
  work: (piece: PieceToPublish, token: string, abandoned: boolean) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  const held = await holdPublishing(actor.userId, id, token);
  if (!held) {
    await pieceToPublish(actor, id);
    throw new AppError("ALREADY_RUNNING", {
      message: "This piece is being published already. Wait a moment, then look again.",
    });
  }
  try {
    return await work(await pieceToPublish(actor, id), token, held.abandoned);
  } finally {
    await releasePublishing(id, token);
  }
}

function remoteHash(post: WordPressPost): string {
  return hashOf(post.title, post.content);
}

function hashOf(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
