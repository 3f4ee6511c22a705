import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf, isAppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { type PieceToPublish, projectOfPiece, type StoredPost } from "@/lib/features/publishing/reads";
import { isPublishable, markerSlug } from "@/lib/features/publishing/rules";
import type { PublishInput } from "@/lib/features/publishing/schema";
import { AFTER_FAILED_WRITE } from "@/lib/features/publishing/states";
import {
  type Categories,
  type Category,
  cachedCategories,
  resolveCategory,
} from "@/lib/features/publishing/writes/category";
import {
  hashOf,
  identityOf,
  isEdited,
  knownAfter,
  remoteHash,
  sentFieldsOf,
  standingOf,
  syncedNow,
  unsentFields,
  visibleHash,
} from "@/lib/features/publishing/writes/identity";
import { type LeasedPiece, underLease } from "@/lib/features/publishing/writes/lease";
import { type Located, locate, NEVER_SENT } from "@/lib/features/publishing/writes/locate";
import {
  isUnanswered,
  NotBegun,
  type Outbox,
  openOutbox,
  pendingWrite,
  type Sent,
} from "@/lib/features/publishing/writes/outbox";
import { fieldsTakenBy, giveSeoPress } from "@/lib/features/publishing/writes/seopress";
import { connectProject } from "@/lib/features/publishing/writes/site";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import type { Ends } from "@/lib/features/sites/writes/connect";
import { whileAway } from "@/lib/limits/place";
import { decodeEntities } from "@/lib/utils/plain-text";
import { permalinkSlug } from "@/lib/utils/slug";
import { encodeTitle } from "@/lib/wordpress/entities";
import { hasCode, WordPressWriteError } from "@/lib/wordpress/failures";
import { acceptedFields, type MetaField, metaOf, type PostMeta, valuesOf } from "@/lib/wordpress/meta";
import type { PostFields } from "@/lib/wordpress/posts";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostInWorker } from "@/lib/workers/post";

/** `ofTopic`: the category that the user has chosen for the piece's topic. */
export type Wishes = PublishInput & { categories: Categories; ofTopic?: string | null | undefined };

/** `unchanged`: the site already had this text. `note`: what a program decided by itself. */
export type Published = { unchanged: boolean; note?: string | undefined };

/** As publishPiece, for one of the actor's. Throws MISSING_CREDENTIALS, CONNECTION_ERROR and SITE_UNCERTAIN (unless answered) too. */
export async function publishContent(actor: Actor, id: string, input: PublishInput, ends: Ends = {}) {
  const site = await connectProject(actor, await projectOfPiece(actor, id), input.site, ends);
  const outbox = openOutbox(site, actor);
  const wishes = { ...input, categories: cachedCategories(site, actor) };
  await underLease(outbox, id, (leased) => publishPiece(outbox, leased, wishes));
  return ownedContent(actor, id);
}

/**
 * Publishes a piece, or updates its post, and never creates a second one. Throws NOT_PUBLISHABLE, TOO_COMPLEX, REMOTE_CHANGED (unless
 * forced), REMOTE_TRASHED, REMOTE_GONE, NotBegun, or what the site said. A refused or unanswered write makes the piece wp_failed,
 * unless it is live.
 */
export async function publishPiece(outbox: Outbox, leased: LeasedPiece, wishes: Wishes): Promise<Published> {
  try {
    return await publish(outbox, leased, wishes);
  } catch (error) {
    await recordFailure(outbox, leased, error);
    throw error;
  }
}

async function publish(outbox: Outbox, leased: LeasedPiece, wishes: Wishes): Promise<Published> {
  if (!isPublishable(leased.piece)) throw new AppError("NOT_PUBLISHABLE");
  const located = await decided(outbox, await locate(outbox, leased, "publish"), wishes);
  const shown = located.remote?.meta ?? {};
  const taken = fieldsTakenBy(outbox.site, shown);
  if (isSourceSent(located) && areFieldsSent(located, taken)) {
    const category = await categoryOf(located, wishes);
    const isThere = located.here.categoryId === String(category.id) && !isToBeAdded(located, category, wishes);
    if (isThere) return confirm(outbox, located, category, taken);
  }
  if (!(await outbox.mayBegin())) throw new NotBegun();
  // A text is rendered before anything is written for it, a category too: rendering may fail.
  const content = await outbox.rendering(() => rendered(outbox.actor.userId, located.piece));
  const category = await categoryOf(located, wishes);
  const sentHash = hashOf(outbox.site.apiRoot, located.piece.title, content, String(category.id));
  // What SEOPress alone is to be given needs no write of the text.
  const areKeysSent = areFieldsSent(located, acceptedFields(shown));
  const isSent = isAsWritten(located) && areKeysSent && located.here.sentHash === sentHash;
  if (isSent && !isToBeAdded(located, category, wishes)) return confirm(outbox, located, category, taken);
  const fields = fieldsOf(located, content, category, wishes);
  const note = await write(outbox, located, { content, category, sentHash, fields });
  const notes = [category.isOneOfSeveral && ONE_OF_SEVERAL(category), note].filter(Boolean);
  return { unchanged: false, note: notes.join(" ") || undefined };
}

type Draft = { content: string; category: Category; sentHash: string; fields: Partial<PostFields> };

/** Throws what keeps the piece from being published. */
async function decided(outbox: Outbox, located: Located, { force }: Wishes): Promise<Located> {
  const { step, here, remote } = located;
  if (step.forgets) await outbox.record(located, knownAfter(step));
  if (step.refuses) throw new AppError(step.refuses);
  if (remote && (isEdited(here, remote) || isFieldEdited(located, remote)) && !force)
    throw new AppError("REMOTE_CHANGED");
  return located;
}

/** Would a write replace a field that was written on the site? A slug is never taken for written there. */
function isFieldEdited({ here, piece }: Located, { excerpt, meta }: WordPressPost): boolean {
  const { slug: _, ...unsent } = unsentFields(here, piece, acceptedFields(meta));
  const sent = sentFieldsOf(here);
  return (Object.keys(unsent) as (keyof typeof unsent)[]).some((field) => {
    const ours = [sent[field], piece[field]].map((text) => onOneLine(text ?? ""));
    const there = field === "excerpt" ? [excerpt ?? ""] : valuesOf(meta, field);
    // WordPress may write an ampersand as an entity, and may have ours from a write that was not answered.
    return there.some((text) => text !== "" && !ours.includes(onOneLine(decodeEntities(text))));
  });
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function categoryOf(leased: LeasedPiece, { categories, ...wishes }: Wishes): Promise<Category> {
  return resolveCategory(categories, leased, wishes);
}

/** Records that the live post has the user's text already, whatever renders it today. */
async function confirm(
  outbox: Outbox,
  located: Located,
  category: Category,
  taken: readonly MetaField[],
): Promise<Published> {
  const { remote, here } = located;
  const { sentHash = null, renderer = null, remoteHash: postHash } = here;
  if (!remote) return { unchanged: true };
  const unchanged = areFieldsSent(located, taken);
  const result = { post: remote, postHash, category, sentHash, renderer, shown: remote.meta };
  const note = await recordPublished(outbox, located, result, unchanged ? undefined : "content.published");
  return { unchanged, note };
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

function fieldsOf(located: Located, content: string, category: Category, wishes: Wishes): Partial<PostFields> {
  const { piece, remote, here } = located;
  const categories = categoriesToSend(located, category, wishes);
  const isDatedNow = wishes.now === true && remote?.status === "future";
  // An empty slug lets WordPress make one from the title. A post that never got past its creation still has the marker.
  const isMarked = !remote || remote.slug.startsWith(markerSlug(piece.id));
  const { slug = isMarked ? permalinkSlug(piece.title) : undefined, excerpt } = unsentFields(here, piece, []);
  return {
    title: encodeTitle(piece.title),
    content,
    status: "publish",
    ...(isDatedNow ? { date_gmt: null } : {}),
    ...(categories && { categories }),
    ...(slug === undefined ? {} : { slug }),
    ...(excerpt === undefined ? {} : { excerpt: encodeTitle(excerpt) }),
  };
}

/**
 * The post's categories on the site, with the chosen one in the place of the one that we set last; what others gave it stays.
 * Undefined leaves them as they are: ours was taken off there, and the call names none.
 */
function categoriesToSend({ here, remote }: Located, category: Category, wishes: Wishes): number[] | undefined {
  if (!remote?.categories || !here.sentHash) return [category.id];
  const ours = Number(here.categoryId);
  if (ours && !remote.categories.includes(ours) && !namesCategory(wishes)) return undefined;
  return [...new Set([...remote.categories.filter((id) => id !== ours), category.id])];
}

/** Does the call name a category that the post has not? */
function isToBeAdded({ remote }: Located, category: Category, wishes: Wishes): boolean {
  return namesCategory(wishes) && remote?.categories?.includes(category.id) === false;
}

function namesCategory({ categoryId, categoryName, byTopic }: PublishInput): boolean {
  return Boolean(categoryId || categoryName || byTopic);
}

/** Sends the text to the piece's post, which is created first if there is none. Returns a note for the user. */
async function write(outbox: Outbox, located: Located, draft: Draft): Promise<string | undefined> {
  const text = { title: encodeTitle(located.piece.title), content: draft.content };
  const textHash = remoteHash(text);
  const hashes = [textHash, visibleHash(text)];
  const { remote } = located;
  const { leased, post, answered, shown } = remote
    ? await sendUpdate(outbox, located, remote, draft.fields, hashes)
    : await sendAsNew(outbox, located, draft.fields, hashes);
  const isAsSent = post.title === text.title && post.content === text.content;
  const postHash = isAsSent ? textHash : remoteHash(post);
  const { category, sentHash } = draft;
  return recordPublished(
    outbox,
    leased,
    { post, postHash, category, sentHash, renderer: RENDERER_VERSION, answered, shown },
    "content.published",
  ).catch((error: unknown) => {
    throw isAppError(error, "NOT_FOUND") ? deletedMeanwhile(post) : error;
  });
}

/** `shown`: the keys for SEO plugins that the site had shown before. */
type SentText = Sent & { shown: PostMeta };

/**
 * Sends the fields, and with them those for SEO plugins that are not there yet. A plugin may show keys that the account may not
 * write: then the post goes without them, and they are not sent again until they change.
 */
async function sendUpdate(
  outbox: Outbox,
  leased: LeasedPiece,
  { id, meta: shown }: Pick<WordPressPost, "id" | "meta">,
  fields: Partial<PostFields>,
  hashes?: string[],
): Promise<SentText> {
  const meta = metaOf(unsentFields(leased.here, leased.piece, acceptedFields(shown)), shown);
  const send = async (all: Partial<PostFields>) => ({
    ...(await outbox.send(leased, { update: { id, fields: all } }, hashes)),
    shown,
  });
  if (Object.keys(meta).length === 0) return send(fields);
  try {
    return await send({ ...fields, meta });
  } catch (error) {
    if (!hasCode(error, "rest_cannot_update")) throw error;
    return send(fields);
  }
}

/**
 * Creates the post as an invisible draft under its marker, and records its id before it gets its text, which is recorded as on its
 * way in the same transaction. A draft whose creation went unanswered is looked for and adopted. At worst an empty draft is left
 * over, which settlePosts removes.
 */
async function sendAsNew(
  outbox: Outbox,
  located: Located,
  fields: Partial<PostFields>,
  hashes: string[],
): Promise<SentText> {
  const { client } = outbox.site;
  const { id, guid, slug, meta } = await createDraft(outbox, located);
  const known = { ...NEVER_SENT, ...pendingWrite(located, hashes), guid, slug, postId: String(id) };
  const created = await outbox.record(located, known).catch(async (error: unknown) => {
    // What would find the draft again is gone with its piece.
    if (isAppError(error, "NOT_FOUND")) await client.removePost(id).catch(() => undefined);
    throw error;
  });
  // It stays open although it was answered: a network may have delivered the creation twice, and settlePosts looks.
  return sendUpdate(outbox, created, { id, meta }, fields);
}

async function createDraft(
  outbox: Outbox,
  located: Located,
): Promise<Pick<WordPressPost, "id" | "guid" | "slug" | "meta">> {
  const marker = markerSlug(located.piece.id);
  try {
    return (await outbox.send(located, { create: { marker, title: encodeTitle(located.piece.title) } }, [])).post;
  } catch (error) {
    // The failure of the write says more than that of the look-up.
    const [oldest] = isUnanswered(error) ? await outbox.findByMarker(marker).catch(() => []) : [];
    if (!oldest) throw error;
    return { id: oldest.id, guid: null, slug: marker, meta: oldest.meta };
  }
}

function deletedMeanwhile({ link }: WordPressPost): AppError {
  const where = link ? `: ${link}` : "";
  return new AppError("NOT_FOUND", {
    message: `This piece was deleted while it was being published. Its post is on your WordPress site${where}`,
  });
}

/** Is the post live with the user's text as it is now? */
function isSourceSent(located: Located): boolean {
  const { here, piece } = located;
  return isAsWritten(located) && here.sentSource === sourceHash(here.sentHash ?? null, piece);
}

function areFieldsSent({ here, piece }: Located, accepted: readonly MetaField[]): boolean {
  return Object.keys(unsentFields(here, piece, accepted)).length === 0;
}

/** Is the post live with the text of our last write? */
function isAsWritten({ here, remote }: Located): boolean {
  return remote?.status === "publish" && remoteHash(remote) === here.remoteHash;
}

/** Binds the source to the sent hash: an older release updates that one only, which makes the source stale. */
function sourceHash(sentHash: string | null, { title, body }: Pick<PieceToPublish, "title" | "body">): string {
  return hashOf(sentHash, title, body);
}

type Result = {
  post: WordPressPost;
  postHash: string | null | undefined;
  category: Category;
  answered?: Partial<KnownPost>;
  shown: PostMeta;
} & Pick<StoredPost, "sentHash" | "renderer">;

/** Gives SEOPress its fields first: if the process dies between, they are still unsent. Returns a note for the user. */
async function recordPublished(
  outbox: Outbox,
  leased: LeasedPiece,
  { post, postHash, category, sentHash, renderer, answered, shown }: Result,
  action?: "content.published",
): Promise<string | undefined> {
  const { given, note } = await giveSeoPress(outbox.site, leased, { id: post.id, shown });
  const change: Partial<KnownPost> = {
    sentHash,
    renderer,
    ...answered,
    ...identityOf(post, postHash ?? undefined),
    sentSource: sourceHash(sentHash, leased.piece),
    sentVersion: leased.piece.version,
    sentFields: { ...sentFieldsOf(leased.here), ...unsentFields(leased.here, leased.piece, given) },
    status: post.status === "publish" ? "wp_published" : "wp_draft",
    ...standingOf(post),
    categoryId: String(category.id),
    categoryName: category.name,
    ...syncedNow(),
  };
  const accepted = fieldsTakenBy(outbox.site, post.meta);
  await outbox.record(leased, change, { isPublished: true, accepted, ...(action ? { action } : {}) });
  return note;
}

/** A refused or unanswered write makes the piece wp_failed, unless it is live on this site. The failure says more than that of recording it. */
async function recordFailure(outbox: Outbox, leased: LeasedPiece, error: unknown): Promise<void> {
  const { here, piece } = leased;
  const status = AFTER_FAILED_WRITE[here.status ?? piece.status];
  if (!(error instanceof WordPressWriteError) || status !== "wp_failed") return;
  const publishError = [error.message, detailOf(error)].filter(Boolean).join(" ");
  await outbox.record(leased, { status, publishError }).catch(() => undefined);
}
