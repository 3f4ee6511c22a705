import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { assertOwnPiece } from "@/lib/features/publishing/reads";
import type { PublishInput, SiteAnswer } from "@/lib/features/publishing/schema";
import { arrivedText, isUnlike, standingOf } from "@/lib/features/publishing/writes/identity";
import {
  forEachPiece,
  markWrites,
  recordPublications,
  sendWrites,
  withPublishingLeases,
} from "@/lib/features/publishing/writes/lease";
import { type Located, locatePosts } from "@/lib/features/publishing/writes/post";
import {
  isEdited,
  type PublishOutcome,
  publicationAfter,
  publishPieces,
  syncedNow,
} from "@/lib/features/publishing/writes/publish";
import { connectSite, type Ends, type Site } from "@/lib/features/publishing/writes/site";

/**
 * Publishes a piece or updates its post. Throws MISSING_CREDENTIALS, CONNECTION_ERROR, SITE_UNCERTAIN (unless answered) and
 * what publishPieces finds.
 */
export async function publishContent(actor: Actor, id: string, input: PublishInput, ends: Ends = {}) {
  await assertOwnPiece(actor, id);
  const site = await connectSite(actor, input.site, ends);
  throwFailure(await publishPieces(site, actor, [id], input), id);
  return ownedContent(actor, id);
}

/** Limits the post into a draft on the site; a trashed or deleted one only updates the piece. */
export async function unpublishContent(actor: Actor, id: string, input: { site?: SiteAnswer }, ends: Ends = {}) {
  await assertOwnPiece(actor, id);
  throwFailure(await unpublishPieces(await connectSite(actor, input.site, ends), actor, [id]), id);
  return ownedContent(actor, id);
}

/** Unpublishes many, each with an outcome of its own: NOT_ON_SITE, NOT_FOUND, ALREADY_RUNNING, or what the site said. */
export async function unpublishPieces(site: Site, actor: Actor, ids: string[]): Promise<Map<string, PublishOutcome>> {
  const failures = await withPublishingLeases(site, actor, ids, async (held, pieces) => {
    const located = await forEachPiece(held, await locatePosts(held, pieces, "unpublish"), (item) => {
      if (item.step.refuses) throw new AppError(item.step.refuses);
      if (isStranger(item)) throw new AppError("NOT_ON_SITE");
    });
    const live = located.flatMap((item) =>
      item.remote && item.step.sends === "draft" ? [{ ...item, postId: item.remote.id }] : [],
    );
    const marked = await markWrites(held, live, () => []);
    const sent = await sendWrites(held, marked, (some) =>
      site.client.updatePosts(some.map(({ postId }) => ({ id: postId, fields: { status: "draft" } }))),
    );
    for (const { item, outcome } of sent) if (!outcome.ok) held.failures.set(item.piece.id, outcome.error);
    const answers = new Map(sent.map(({ item, answered }) => [item.piece.id, answered]));
    const done = located.filter(({ piece }) => !held.failures.has(piece.id));
    const posts = new Map(sent.map(({ item, outcome }) => [item.piece.id, outcome.ok ? outcome.post : null]));
    await recordPublications(
      held,
      done,
      ({ piece, here, remote, step }) => {
        const post = posts.get(piece.id) ?? remote;
        return {
          ...publicationAfter(step),
          ...answers.get(piece.id),
          ...standingOf(step.becomes === "wp_draft" ? post : null),
          ...(post && arrivedText(here, post)),
          ...syncedNow(),
        };
      },
      { action: "content.unpublished" },
    );
  });
  return new Map(
    ids.map((id) => [id, failures.has(id) ? { ok: false, error: failures.get(id) } : { ok: true, unchanged: false }]),
  );
}

/** Has another post the id and so the guid, as after WordPress was set up again? */
function isStranger({ here, remote }: Located): boolean {
  return Boolean(remote && here.guid && here.dateGmt && isUnlike(here, remote));
}

/** Reads the post's status; its text is never copied. A failure changes nothing. */
export async function syncContent(actor: Actor, id: string, input: { site?: SiteAnswer }, ends: Ends = {}) {
  await assertOwnPiece(actor, id);
  const site = await connectSite(actor, input.site, ends);
  let remoteChanged = false;
  const failures = await withPublishingLeases(site, actor, [id], async (held, pieces) => {
    const located = await forEachPiece(held, await locatePosts(held, pieces, "sync"), ({ here, remote, step }) => {
      if (step.refuses) throw new AppError(step.refuses);
      remoteChanged = remote !== null && isEdited(here, remote);
    });
    await recordPublications(held, located, ({ remote, step }) => ({
      ...publicationAfter(step),
      ...standingOf(step.becomes ? remote : null),
      ...syncedNow(),
    }));
  });
  if (failures.has(id)) throw failures.get(id);
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

function throwFailure(outcomes: Map<string, PublishOutcome>, id: string): void {
  const outcome = outcomes.get(id);
  if (outcome && !outcome.ok) throw outcome.error;
}
