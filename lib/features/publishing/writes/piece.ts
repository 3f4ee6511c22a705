import "server-only";
import type { AuditAction } from "@/lib/audit/actions";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf, isAppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { savePublishedRevision } from "@/lib/features/content/sql/shared";
import { type PieceToPublish, pieceToPublish, type StoredPost } from "@/lib/features/publishing/reads";
import { isPublishable, markerSlug, permalinkSlug } from "@/lib/features/publishing/rules";
import type { PublishInput, SiteAnswer } from "@/lib/features/publishing/schema";
import { saveUnderLease } from "@/lib/features/publishing/sql";
import { AFTER_FAILED_WRITE, type Step } from "@/lib/features/publishing/states";
import { hashOf, isOurText, remoteHash, visibleHash } from "@/lib/features/publishing/writes/identity";
import {
  type Answered,
  type LeasedPiece,
  recordPublication,
  sendWrite,
  withPublishingLease,
} from "@/lib/features/publishing/writes/lease";
import { createDraft, locatePost } from "@/lib/features/publishing/writes/post";
import { connectSite, type Site } from "@/lib/features/publishing/writes/site";
import { comparisonKey } from "@/lib/utils/text";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostInWorker } from "@/lib/workers/post";

/** `unchanged`: the site already had this text. */
export type Published = { unchanged: boolean };

/**
 * Publishes a piece or updates its post; never creates a second one. Throws MISSING_CREDENTIALS, CONNECTION_ERROR,
 * SITE_UNCERTAIN (unless answered), NOT_PUBLISHABLE, TOO_COMPLEX, REMOTE_CHANGED (unless forced), REMOTE_TRASHED, REMOTE_GONE
 * and ALREADY_RUNNING. A refused or unanswered write makes the piece wp_failed, unless it is live.
 */
export async function publishContent(actor: Actor, id: string, input: PublishInput) {
  await pieceToPublish(actor, id);
  await publishTo(await connectSite(actor, input.site), actor, id, input);
  return ownedContent(actor, id);
}

/** Publishes to a site that is connected already. */
export async function publishTo(site: Site, actor: Actor, id: string, input: PublishInput): Promise<Published> {
  return withPublishingLease(site, actor, id, async (leased) => {
    const { piece, lease } = leased;
    if (!isPublishable(piece)) throw new AppError("NOT_PUBLISHABLE");
    // Before any request to the site: rendering may fail.
    const content = await renderPostInWorker(actor.userId, piece.body);
    try {
      const { remote, step } = await locatePost(leased, "publish");
      if (step.refuses) {
        if (step.forgets) await recordPublication(leased, changesOf(step));
        throw new AppError(step.refuses);
      }
      const category = await resolveCategory(leased, input);
      const post = { title: piece.title, content, categories: [category.id], status: "publish" as const };
      const sentHash = hashOf(site.apiRoot, post.title, post.content, String(category.id));
      const draft = { leased, post, category, sentHash };
      return await (remote ? updatePost(draft, remote, input.force) : createPost(draft));
    } catch (error) {
      if (error instanceof WordPressWriteError && AFTER_FAILED_WRITE[piece.status] === "wp_failed") {
        const publishError = [error.message, detailOf(error)].filter(Boolean).join(" ");
        await saveUnderLease(lease, site.id, { status: "wp_failed", publishError });
      }
      throw error;
    }
  });
}

type Category = { id: number; name: string };
type Draft = {
  leased: LeasedPiece;
  post: { title: string; content: string; categories: number[]; status: "publish" };
  category: Category;
  sentHash: string;
};

/**
 * The given id, else the given name, else the piece's category on this site, else its topic's name. An id counts only if the
 * site has it under the name sent with it: it may have been chosen from another site's list.
 */
async function resolveCategory({ site, piece, here }: LeasedPiece, input: PublishInput): Promise<Category> {
  const { client } = site;
  const { categoryId, categoryName, byTopic } = input;
  if (categoryId) {
    const found = await client.readCategory(Number(categoryId));
    if (found && (!categoryName || isSameName(found.name, categoryName))) return found;
    if (!categoryName)
      throw new AppError("VALIDATION_ERROR", { message: NO_SUCH_CATEGORY, fields: { categoryId: [NO_SUCH_CATEGORY] } });
  }
  if (categoryName) return { id: await client.ensureCategory(categoryName), name: categoryName };
  // Null also when it was deleted on the site.
  const own = !byTopic && here.postId && here.categoryId ? await client.readCategory(Number(here.categoryId)) : null;
  return own ?? { id: await client.ensureCategory(piece.topic.name), name: piece.topic.name };
}

const NO_SUCH_CATEGORY = "This category is not on your WordPress site. Choose another one.";

function isSameName(one: string, other: string): boolean {
  return comparisonKey(one) === comparisonKey(other);
}

async function createPost(draft: Draft): Promise<Published> {
  const { piece } = draft.leased;
  const id = await createDraft(draft.leased);
  // An empty slug lets WordPress make one from the title; the marker never stays.
  return writePost(draft, id, permalinkSlug(piece.title));
}

async function updatePost(draft: Draft, remote: WordPressPost, force: boolean | undefined): Promise<Published> {
  const { leased, category, sentHash } = draft;
  const { here, piece } = leased;
  if (isEdited(here, remote) && !force) throw new AppError("REMOTE_CHANGED");
  if (remote.status === "publish" && remoteHash(remote) === here.remoteHash && isSent(leased, category, sentHash)) {
    const { sentHash = null, renderer = null } = here;
    await recordPublished(leased, remote, category, { sentHash, renderer });
    return { unchanged: true };
  }
  // A post that never got past its first phase still carries the marker for a slug.
  const slug = remote.slug.startsWith(markerSlug(piece.id)) ? permalinkSlug(piece.title) : undefined;
  return writePost(draft, remote.id, slug);
}

async function writePost(draft: Draft, id: number, slug: string | undefined): Promise<Published> {
  const { leased, post, category, sentHash } = draft;
  const { client } = leased.site;
  const fields = { ...post, ...(slug === undefined ? {} : { slug }) };
  const hashes = [remoteHash(post), visibleHash(post)];
  const { result, answered } = await sendWrite(leased, hashes, () => client.updatePost(id, fields));
  const sent = { sentHash, renderer: RENDERER_VERSION };
  await recordPublished(leased, result, category, sent, { action: "content.published", answered }).catch((error) => {
    throw isAppError(error, "NOT_FOUND") ? deletedMeanwhile(result) : error;
  });
  return { unchanged: false };
}

function deletedMeanwhile({ link }: WordPressPost): AppError {
  const where = link ? `: ${link}` : "";
  return new AppError("NOT_FOUND", {
    message: `This piece was deleted while it was being published. Its post is on your WordPress site${where}`,
  });
}

/** Was the post edited on the site? Not if we never wrote its text. */
function isEdited(here: Partial<StoredPost>, remote: WordPressPost): boolean {
  return Boolean(here.remoteHash) && !isOurText(here, remote);
}

/** Does the live post have this text? Compares source too, so that a new renderer alone rewrites no post. */
function isSent({ here, piece }: LeasedPiece, category: Category, sentHash: string): boolean {
  if (sentHash === here.sentHash) return true;
  return here.sentSource === sourceHash(here.sentHash ?? null, piece) && here.categoryId === String(category.id);
}

/** Bound to the sent hash: an older release updates that one only, which makes the source stale. */
function sourceHash(sentHash: string | null, { title, body }: Pick<PieceToPublish, "title" | "body">): string {
  return hashOf(sentHash, title, body);
}

async function recordPublished(
  leased: LeasedPiece,
  post: WordPressPost,
  category: Category,
  sent: Pick<StoredPost, "sentHash" | "renderer">,
  { action, answered }: { action?: AuditAction; answered?: Answered } = {},
) {
  const publication = {
    ...sent,
    ...answered,
    sentSource: sourceHash(sent.sentHash, leased.piece),
    status: "wp_published" as const,
    permalink: post.link,
    slug: post.slug,
    guid: post.guid,
    dateGmt: post.dateGmt,
    categoryId: String(category.id),
    categoryName: category.name,
    remoteHash: remoteHash(post),
    ...syncedNow(),
  };
  await recordPublication(leased, publication, action, (db) => savePublishedRevision(db, leased.piece));
}

/** Turns the post into a draft on the site; a trashed or deleted one only updates the piece. */
export async function unpublishContent(actor: Actor, id: string, input: { site?: SiteAnswer }) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor, input.site);
  await withPublishingLease(site, actor, id, async (leased) => {
    const { remote, step } = await locatePost(leased, "unpublish");
    if (step.refuses) throw new AppError(step.refuses);
    const { answered } =
      remote && step.sends === "draft"
        ? await sendWrite(leased, [], () => site.client.setStatus(remote.id, "draft"))
        : { answered: {} };
    const change = { ...changesOf(step), ...answered, permalink: null, ...syncedNow() };
    await recordPublication(leased, change, "content.unpublished");
  });
  return ownedContent(actor, id);
}

/** Reads the post's status; its text is never copied. A failure changes nothing. */
export async function syncContent(actor: Actor, id: string, input: { site?: SiteAnswer }) {
  await pieceToPublish(actor, id);
  const site = await connectSite(actor, input.site);
  const remoteChanged = await withPublishingLease(site, actor, id, async (leased) => {
    const { remote, step } = await locatePost(leased, "sync");
    if (step.refuses) throw new AppError(step.refuses);
    const permalink = step.becomes === "wp_published" && remote ? remote.link : null;
    await recordPublication(leased, { ...changesOf(step), permalink, ...syncedNow() });
    return remote !== null && isEdited(leased.here, remote);
  });
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

function changesOf({ becomes, forgets }: Step) {
  return { ...(becomes ? { status: becomes } : {}), ...(forgets ? NO_POST : {}) };
}

/** The hashes are reset when the next post is created. */
const NO_POST = { postId: null, permalink: null, categoryId: null, guid: null, dateGmt: null, slug: null } as const;

function syncedNow() {
  return { publishError: null, lastSyncedAt: new Date() };
}
