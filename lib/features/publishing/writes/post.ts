import "server-only";
import { isAppError } from "@/lib/errors";
import { isSamePost, markerSlug } from "@/lib/features/publishing/rules";
import { knownStateOf, type PublishingVerb, postStateOf, type Step, stepOf } from "@/lib/features/publishing/states";
import { identityOf } from "@/lib/features/publishing/writes/identity";
import { isUnanswered, type LeasedPiece, recordPublication, sendWrite } from "@/lib/features/publishing/writes/lease";
import type { WordPressClient } from "@/lib/wordpress/client";
import type { MarkedPost } from "@/lib/wordpress/many-posts";
import type { ReadPost } from "@/lib/wordpress/posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

/** The piece's post on the site, or null, and what the verb does about it. */
export type Located = { remote: WordPressPost | null; step: Step };

/**
 * Finds the piece's post on this site: the one we know, else one whose creation went unanswered, else, on a copy of a site, the
 * copy of the piece's post there. What is found that way is recorded as the piece's.
 */
export async function locatePost(leased: LeasedPiece, verb: PublishingVerb): Promise<Located> {
  const { here, elsewhere, site } = leased;
  const state = knownStateOf(
    { postId: here.postId ?? null, unansweredSince: here.unansweredSince ?? null },
    elsewhere.length > 0,
  );
  if (!state) return atSite(await site.client.readPost(Number(here.postId)), verb);
  const step = stepOf(verb, state);
  if (!step.looksFor) return { remote: null, step };
  const found = (step.looksFor === "marker" ? await unansweredPost(leased) : null) ?? (await copiedPost(leased));
  if (!found) return { remote: null, step: stepOf(verb, "none") };
  await recordPublication(leased, found.as);
  return atSite(found.post, verb);
}

function atSite(remote: ReadPost, verb: PublishingVerb): Located {
  return { remote: remote.state === "gone" ? null : remote, step: stepOf(verb, postStateOf(remote)) };
}

type Adopted = { post: ReadPost; as: { postId: string } };

async function unansweredPost({ site, piece }: LeasedPiece): Promise<Adopted | null> {
  const known = await oldestUnderMarker(site.client, piece.id);
  if (!known) return null;
  return { post: await site.client.readPost(known.id), as: { ...NEVER_SENT, postId: String(known.id) } };
}

/** By the id of the piece's post on another site, else by its slug, which it keeps when a site is imported. */
async function copiedPost({ site, elsewhere }: LeasedPiece): Promise<Adopted | null> {
  for (const stored of elsewhere) {
    const sameId = await site.client.readPost(Number(stored.postId));
    const post =
      sameId.state === "found" && isSamePost(stored, identityOf(sameId)) ? sameId : await bySlug(stored.slug);
    if (!post || !isSamePost(stored, identityOf(post))) continue;
    const { remoteHash, sentHash, sentSource, renderer, unansweredHashes, guid, dateGmt } = stored;
    const as = { postId: String(post.id), remoteHash, sentHash, sentSource, renderer, unansweredHashes, guid, dateGmt };
    return { post: { state: "found", ...post }, as };
  }
  return null;

  function bySlug(slug: string | null) {
    return slug ? site.client.findBySlug(slug) : null;
  }
}

/** Older than its strays, if a creation arrived more than once. */
async function oldestUnderMarker(client: WordPressClient, pieceId: string): Promise<MarkedPost | null> {
  const marker = markerSlug(pieceId);
  return (await client.findByMarkers([marker])).get(marker)?.[0] ?? null;
}

/** A post that has none of our text yet. */
const NEVER_SENT = {
  remoteHash: null,
  sentHash: null,
  sentSource: null,
  renderer: null,
  guid: null,
  dateGmt: null,
} as const;

/**
 * Creates the piece's post as an invisible draft under its marker and records its id, before it gets its text. A draft whose
 * creation went unanswered is looked for and adopted. At worst one empty draft is left over, which settlePosts removes.
 */
export async function createDraft(leased: LeasedPiece): Promise<number> {
  const { site, piece } = leased;
  const marker = markerSlug(piece.id);
  try {
    const draft = { slug: marker, title: piece.title };
    const { result, answered } = await sendWrite(leased, [], () => site.client.createDraft(draft));
    await recordPublication(leased, { ...NEVER_SENT, ...answered, postId: String(result.id) }).catch(async (error) => {
      // With the piece goes what would find the draft again.
      if (isAppError(error, "NOT_FOUND")) await site.client.removePost(result.id).catch(() => undefined);
      throw error;
    });
    return result.id;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    // If the look-up fails too, the failure of the write says more.
    const adopted = await oldestUnderMarker(site.client, piece.id).catch(() => null);
    if (!adopted) throw error;
    await recordPublication(leased, { ...NEVER_SENT, postId: String(adopted.id) });
    return adopted.id;
  }
}
