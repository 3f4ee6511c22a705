import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { projectOfPiece } from "@/lib/features/publishing/reads";
import { isEdited, knownAfter, standingOf, syncedNow } from "@/lib/features/publishing/writes/identity";
import { type LeasedPiece, underLease } from "@/lib/features/publishing/writes/lease";
import { locate } from "@/lib/features/publishing/writes/locate";
import { type Outbox, openOutbox } from "@/lib/features/publishing/writes/outbox";
import { fieldsTakenBy } from "@/lib/features/publishing/writes/seopress";
import { connectProject } from "@/lib/features/publishing/writes/site";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import type { Ends } from "@/lib/features/sites/writes/connect";

/** As syncPiece, for one of the actor's; returns it, and whether its post was edited on the site. */
export async function syncContent(actor: Actor, id: string, input: { site?: SiteAnswer }, ends: Ends = {}) {
  const outbox = openOutbox(await connectProject(actor, await projectOfPiece(actor, id), input.site, ends), actor);
  const remoteChanged = await underLease(outbox, id, (leased) => syncPiece(outbox, leased));
  return { ...(await ownedContent(actor, id)), remoteChanged };
}

/** Reads the post's status; its text is never copied. A failure changes nothing. Returns whether it was edited on the site. */
export async function syncPiece(outbox: Outbox, leased: LeasedPiece): Promise<boolean> {
  const located = await locate(outbox, leased, "sync");
  const { remote, step, here } = located;
  if (step.refuses) throw new AppError(step.refuses);
  const known = { ...knownAfter(step), ...standingOf(step.becomes ? remote : null), ...syncedNow() };
  await outbox.record(located, known, remote ? { accepted: fieldsTakenBy(outbox.site, remote.meta) } : {});
  return remote !== null && isEdited(here, remote);
}
