import "server-only";
import { markerSlug } from "@/lib/features/publishing/rules";
import { type Step, stepOf } from "@/lib/features/publishing/states";
import { arrivedText, identityOf, isOurText, remoteHash, standingOf } from "@/lib/features/publishing/writes/identity";
import type { LeasedPiece } from "@/lib/features/publishing/writes/lease";
import { type Located, locate } from "@/lib/features/publishing/writes/locate";
import { type Outbox, SETTLED } from "@/lib/features/publishing/writes/outbox";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import { POST_STATUSES } from "@/lib/features/sites/states";
import type { MarkedPost } from "@/lib/wordpress/many-posts";

/**
 * Finds out what became of writes of the piece that the site did not answer: removes empty drafts that they left, records what the
 * site has, and withdraws a post that a late write published after it had been unpublished. Throws what the site said.
 */
export async function settlePiece(outbox: Outbox, leased: LeasedPiece): Promise<void> {
  const alone = await withoutStrays(outbox, leased);
  await outbox.record(alone, { ...(alone.here.postId ? await found(outbox, alone) : {}), ...SETTLED });
}

/** Removes drafts that a lost or repeated creation left; one that has got a text becomes the post of a piece without one. */
async function withoutStrays(outbox: Outbox, leased: LeasedPiece): Promise<LeasedPiece> {
  let alone = leased;
  for (const marked of await outbox.findByMarker(markerSlug(leased.piece.id))) {
    if (String(marked.id) === alone.here.postId) continue;
    if (isEmptyDraft(marked)) await outbox.site.client.removePost(marked.id);
    else if (!alone.here.postId) alone = await outbox.record(alone, { postId: String(marked.id) });
  }
  return alone;
}

export function isEmptyDraft({ isEmpty, status }: MarkedPost): boolean {
  return isEmpty && status === "draft";
}

/** What the site has. A post that stays live although it was withdrawn is looked at again. */
async function found(outbox: Outbox, leased: LeasedPiece): Promise<Partial<KnownPost>> {
  const located = await locate(outbox, leased, "sync");
  const { remote, step } = located;
  if (!remote || !isWithdrawn(located)) return changeOf(located, step);
  await outbox.send(located, { update: { id: remote.id, fields: { status: "draft" } } });
  return changeOf(located, stepOf("sync", "draft"));
}

/**
 * Did our own write make the post live again after the user had unpublished it? It has brought another text then; with the text
 * of that time somebody has published the post by hand.
 */
function isWithdrawn({ here, remote }: Located): boolean {
  if (here.status !== "wp_draft" || remote?.status !== "publish") return false;
  return isOurText(here, remote) && remoteHash(remote) !== here.remoteHash;
}

function changeOf({ piece, here, remote }: Located, { becomes, forgets }: Step): Partial<KnownPost> {
  const isLive = becomes === "wp_published";
  // A status that the user has set meanwhile stays, unless the post is live.
  const isOpen = isLive || POST_STATUSES.some((status) => status === piece.status);
  return {
    ...(becomes && isOpen ? { status: becomes } : {}),
    ...(becomes ? standingOf(isLive || becomes === "wp_draft" ? remote : null) : {}),
    ...(isLive ? { publishError: null } : {}),
    ...(remote && isOurText(here, remote) ? { ...identityOf(remote), ...arrivedText(here, remote) } : {}),
    ...(forgets ? { postId: null } : {}),
  };
}
