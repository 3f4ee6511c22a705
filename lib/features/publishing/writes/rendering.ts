import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { selectNewerHere, selectSentText } from "@/lib/features/content/sql/shared";
import { ownedProject } from "@/lib/features/projects/reads";
import { piecesToPublish, projectOfPiece } from "@/lib/features/publishing/reads";
import { inChunks, inParts, MAX_COMPARED, MAX_RENDERING } from "@/lib/features/publishing/rules";
import type {
  ProjectRenderingChanges,
  ProjectRenderingChangesQuery,
  RenderingChanges,
} from "@/lib/features/publishing/schema";
import { isEdited, remoteHash } from "@/lib/features/publishing/writes/identity";
import { connectSite, type Ends } from "@/lib/features/sites/writes/connect";
import { postChanges } from "@/lib/wordpress/block-changes";
import { encodeTitle } from "@/lib/wordpress/entities";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import type { WordPressPost } from "@/lib/wordpress/schema";
import { renderPostInWorker } from "@/lib/workers/post";

// Reads alone. They are asked before an update: the first one after a new renderer changes more than the user's edit.

/**
 * What the next update of the actor's live post changes beyond the user's edit, as readers see it. Nothing where today's
 * renderer made the post, where there is no edit, and where the post was edited on the site, which publishing asks about
 * itself. Throws NOT_FOUND, TOO_COMPLEX and what connectSite finds.
 */
export async function renderingChanges(actor: Actor, id: string, ends: Ends = {}): Promise<RenderingChanges> {
  const { projectId } = await projectOfPiece(actor, id);
  const [outdated] = await selectNewerHere(actor.userId, { ids: [id], madeBefore: RENDERER_VERSION }, 1);
  const rendered = outdated && (await renderSentText(actor, id));
  const live = rendered?.isDifferent ? await readLivePost(actor, { id, projectId }, ends) : null;
  if (!rendered || !live) return { changes: [], more: 0, includesEdits: false };
  return { ...postChanges(live, rendered), includesEdits: !rendered.isSent };
}

/**
 * The actor's live posts in a project that an update changes beyond the user's edits. It compares hashes and asks no site, and
 * reads MAX_COMPARED posts at most. Throws NOT_FOUND.
 */
export async function projectRenderingChanges(
  actor: Actor,
  projectId: number,
  { contentIds: ids }: ProjectRenderingChangesQuery = {},
): Promise<ProjectRenderingChanges> {
  await ownedProject(actor, projectId);
  const old = { projectId, ids, madeBefore: RENDERER_VERSION };
  const outdated = await selectNewerHere(actor.userId, old, MAX_COMPARED + 1);
  const titles = new Map(outdated.map(({ id, title }) => [id, title]));
  const sizes = new Map(outdated.map(({ id, bytes }) => [id, bytes]));
  const [compared = []] = inParts([...titles.keys()].slice(0, MAX_COMPARED), sizes);
  const found: ProjectRenderingChanges = { pieces: [], more: outdated.length > compared.length, uncompared: 0 };
  for (const batch of inChunks(compared, MAX_RENDERING)) {
    const all = await Promise.all(batch.map((id) => renderSentText(actor, id).catch(nullIfTooComplex)));
    for (const [at, rendered] of all.entries()) {
      const id = batch[at] ?? "";
      if (rendered === null || (rendered?.isDifferent && !rendered.isSent)) found.uncompared++;
      else if (rendered?.isDifferent) found.pieces.push({ id, title: titles.get(id) ?? "" });
    }
  }
  return found;
}

type Rendered = { title: string; content: string; isDifferent: boolean; isSent: boolean };

/** The text of the last update, or of today where that is not known, as today's renderer makes it. */
async function renderSentText(actor: Actor, id: string): Promise<Rendered | undefined> {
  const sent = await selectSentText(actor.userId, id);
  if (!sent) return undefined;
  const title = encodeTitle(sent.title);
  const content = await renderPostInWorker(actor.userId, sent.body, sent.title);
  return { title, content, isDifferent: remoteHash({ title, content }) !== sent.remoteHash, isSent: sent.isSent };
}

function nullIfTooComplex(error: unknown): null {
  if (!isAppError(error, "TOO_COMPLEX")) throw error;
  return null;
}

/** The piece's post as the site has it, if it is live with our text. */
async function readLivePost(
  actor: Actor,
  { id, projectId }: { id: string; projectId: number },
  ends: Ends,
): Promise<WordPressPost | null> {
  const site = await connectSite(actor, { projectId }, undefined, ends);
  const [piece] = await piecesToPublish(actor, [id]);
  const here = piece?.posts.find(({ siteId }) => siteId === site.id);
  if (!here?.postId) return null;
  const found = await site.client.readPost(Number(here.postId));
  return found.state === "found" && found.status === "publish" && !isEdited(here, found) ? found : null;
}
