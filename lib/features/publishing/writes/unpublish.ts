import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { projectOfPiece } from "@/lib/features/publishing/reads";
import { arrivedText, isUnlike, knownAfter, standingOf, syncedNow } from "@/lib/features/publishing/writes/identity";
import { type LeasedPiece, underLease } from "@/lib/features/publishing/writes/lease";
import { type Located, locate } from "@/lib/features/publishing/writes/locate";
import { type Outbox, openOutbox } from "@/lib/features/publishing/writes/outbox";
import type { Published } from "@/lib/features/publishing/writes/publish";
import { connectProject } from "@/lib/features/publishing/writes/site";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import type { Ends } from "@/lib/features/sites/writes/connect";

/** As unpublishPiece, for one of the actor's. Throws MISSING_CREDENTIALS, CONNECTION_ERROR and SITE_UNCERTAIN (unless answered) too. */
export async function unpublishContent(actor: Actor, id: string, input: { site?: SiteAnswer }, ends: Ends = {}) {
  const outbox = openOutbox(await connectProject(actor, await projectOfPiece(actor, id), input.site, ends), actor);
  await underLease(outbox, id, (leased) => unpublishPiece(outbox, leased));
  return ownedContent(actor, id);
}

/**
 * Makes the piece's post a draft on the site; a trashed or deleted one only changes the piece. Throws NOT_ON_SITE, or what the site
 * said.
 */
export async function unpublishPiece(outbox: Outbox, leased: LeasedPiece): Promise<Published> {
  const located = await locate(outbox, leased, "unpublish");
  const { remote, step, here } = located;
  if (step.refuses) throw new AppError(step.refuses);
  if (isStranger(located)) throw new AppError("NOT_ON_SITE");
  const sent =
    remote && step.sends === "draft"
      ? await outbox.send(located, { update: { id: remote.id, fields: { status: "draft" } } }, [])
      : undefined;
  const post = sent?.post ?? remote;
  const change = {
    ...knownAfter(step),
    ...sent?.answered,
    ...standingOf(step.becomes === "wp_draft" ? post : null),
    ...(post && arrivedText(here, post)),
    ...syncedNow(),
  };
  await outbox.record(located, change, { action: "content.unpublished" });
  return { unchanged: false };
}

/** Does another post have the id, and so the guid, as after WordPress was set up again? */
function isStranger({ here, remote }: Located): boolean {
  return Boolean(remote && here.guid && here.dateGmt && isUnlike(here, remote));
}
