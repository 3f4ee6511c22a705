import "server-only";
import { createHash } from "node:crypto";
import type { AuditAction } from "@/lib/audit/actions";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { isPublishable } from "@/lib/features/content/rules";
import { keepPublished } from "@/lib/features/content/writes";
import { connectSite, type PieceToPublish, pieceToPublish, type Site } from "@/lib/features/publishing/reads";
import { isOnSite, markerSlug, permalinkSlug } from "@/lib/features/publishing/rules";
import type { PublishInput } from "@/lib/features/publishing/schema";
import { recordRemote } from "@/lib/features/publishing/sql";
import {
  AFTER_FAILED_WRITE,
  type PublishingVerb,
  postStateOf,
  type Step,
  stepOf,
} from "@/lib/features/publishing/states";
import { type Held, holding, record } from "@/lib/features/publishing/writes/holding";
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
  return holding(actor, id, async (held) => {
    const { piece, lease } = held;
    if (!isPublishable(piece)) throw new AppError("NOT_PUBLISHABLE");
    // First: a text that cannot be rendered costs the site no request.
    const content = await renderPostAside(actor.userId, piece.body);
    try {
      const category = await resolveCategory(site, piece, input);
      const post = { title: piece.title, content, categories: [category.id], status: "publish" as const };
      const sentHash = hashOf(site.apiRoot, post.title, post.content, String(category.id));
      const draft = { site, held, post, category, sentHash };
      const { remote, step } = await lookAt(site, piece, "publish");
      if (step.refuses) {
        if (step.forgets) await record(held, learntOf(step));
        throw new AppError(step.refuses);
      }
      return await (remote ? updatePost(draft, remote, input.force) : createPost(draft));
    } catch (error) {
      if (error instanceof WordPressWriteError && AFTER_FAILED_WRITE[piece.status] === "wp_failed") {
        const publishError = [error.message, detailOf(error)].filter(Boolean).join(" ");
        await recordRemote(lease, { status: "wp_failed", publishError });
      }
      throw error;
    }
  });
}

type Category = { id: number; name: string };
type Draft = {
  site: Site;
  held: Held;
  post: { title: string; content: string; categories: number[]; status: "publish" };
  category: Category;
  sentHash: string;
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
async function ownCategory({ apiRoot, client }: Site, piece: PieceToPublish) {
  if (!piece.wpCategoryId || !isOnSite(piece, apiRoot)) return null;
  return client.readCategory(Number(piece.wpCategoryId));
}

function isSameName(one: string, other: string): boolean {
  return keywordKey(one) === keywordKey(other);
}

async function createPost({ site, held, post, category, sentHash }: Draft): Promise<Published> {
  const { piece, mayExist } = held;
  const slug = permalinkSlug(piece.title);
  held.mayExist = true;
  const written = await site.client.publishNew({
    marker: markerSlug(piece.id),
    post: { ...post, ...(slug ? { slug } : {}) },
    mayExist,
    // Committed before the post gets its text: from here on every further try updates this one.
    onDraft: async (postId) => {
      await record(held, { ...NOTHING_SENT, wpSite: site.apiRoot, wpPostId: String(postId) });
      held.mayExist = false;
    },
  });
  await recordPublished(held, written, category, { wpSentHash: sentHash, wpRenderer: RENDERER }, "content.published");
  return { unchanged: false };
}

const NOTHING_SENT = {
  wpRemoteHash: null,
  wpUnansweredHash: null,
  wpSentHash: null,
  wpSentSource: null,
  wpRenderer: null,
} as const;

async function updatePost(
  { site, held, post, category, sentHash }: Draft,
  remote: WordPressPost,
  force: boolean | undefined,
): Promise<Published> {
  const { piece } = held;
  if (isEdited(piece, remote) && !force) throw new AppError("REMOTE_CHANGED");
  if (remote.status === "publish" && remoteHash(remote) === piece.wpRemoteHash && isSent(piece, category, sentHash)) {
    const { wpSentHash, wpRenderer } = piece;
    await recordPublished(held, remote, category, { wpSentHash, wpRenderer });
    return { unchanged: true };
  }
  // Committed before it is sent: a post that has this text at the next look is ours, whatever became of the answer.
  await record(held, { wpUnansweredHash: remoteHash(post) });
  // A post that never got past its first phase still carries the marker for a slug.
  const slug = remote.slug.startsWith(markerSlug(piece.id)) ? permalinkSlug(piece.title) : "";
  const written = await site.client.updatePost(remote.id, { ...post, ...(slug ? { slug } : {}) });
  await recordPublished(held, written, category, { wpSentHash: sentHash, wpRenderer: RENDERER }, "content.published");
  return { unchanged: false };
}

/**
 * Was the post edited on the site since we wrote it? One of which nothing was written yet is unfinished, and one with the text
 * of an update that went unanswered is ours.
 */
function isEdited({ wpRemoteHash, wpUnansweredHash }: PieceToPublish, remote: WordPressPost): boolean {
  return wpRemoteHash !== null && ![wpRemoteHash, wpUnansweredHash].includes(remoteHash(remote));
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
  return hashOf(wpSentHash, title, body);
}

async function recordPublished(
  held: Held,
  post: WordPressPost,
  category: Category,
  sent: Pick<PieceToPublish, "wpSentHash" | "wpRenderer">,
  action?: AuditAction,
) {
  const learnt = {
    ...sent,
    wpSentSource: sourceHash({ ...held.piece, ...sent }),
    status: "wp_published" as const,
    wpPermalink: post.link,
    wpCategoryId: String(category.id),
    wpCategoryName: category.name,
    wpRemoteHash: remoteHash(post),
    wpUnansweredHash: null,
    ...nothingWrong(),
  };
  await record(held, learnt, action, (db) => keepPublished(db, held.piece));
}

/** Takes the post back to a draft on the site. Of a trashed or gone post nothing is left to take back. */
export async function unpublishContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor);
  await holding(actor, id, async (held) => {
    const { step } = await lookAt(site, held.piece, "unpublish");
    if (step.refuses) throw new AppError(step.refuses);
    if (step.sends === "draft") await site.client.setStatus(Number(held.piece.wpPostId), "draft");
    await record(held, { ...learntOf(step), wpPermalink: null, ...nothingWrong() }, "content.unpublished");
  });
  return ownedContent(actor, id);
}

/** Reads the post's status and nothing else: text is never copied. A failure to read changes nothing. */
export async function syncContent(actor: Actor, id: string) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor);
  const remoteChanged = await holding(actor, id, async (held) => {
    const { remote, step } = await lookAt(site, held.piece, "sync");
    if (step.refuses) throw new AppError(step.refuses);
    const wpPermalink = step.becomes === "wp_published" && remote ? remote.link : null;
    await record(held, { ...learntOf(step), wpPermalink, ...nothingWrong() });
    return remote !== null && isEdited(held.piece, remote);
  });
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

/** The piece's post as the site has it, null without one there, and what the verb does about it. */
async function lookAt({ apiRoot, client }: Site, piece: PieceToPublish, verb: PublishingVerb) {
  if (!isOnSite(piece, apiRoot)) return { remote: null, step: stepOf(verb, "none") };
  const remote = await client.readPost(Number(piece.wpPostId));
  return { remote: remote.state === "gone" ? null : remote, step: stepOf(verb, postStateOf(remote)) };
}

function learntOf({ becomes, forgets }: Step) {
  return { ...(becomes ? { status: becomes } : {}), ...(forgets ? FORGOTTEN : {}) };
}

/** What was sent there goes with the draft of the next post. */
const FORGOTTEN = { wpPostId: null, wpPermalink: null, wpCategoryId: null, wpSite: null } as const;

function nothingWrong() {
  return { publishError: null, lastSyncedAt: new Date() };
}

function remoteHash(post: Pick<WordPressPost, "title" | "content">): string {
  return hashOf(post.title, post.content);
}

function hashOf(...parts: (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
