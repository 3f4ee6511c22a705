import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { moveProject } from "@/lib/features/content/writes";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import { connectSite, type Ends, type Site } from "@/lib/features/sites/writes/connect";

/**
 * Connects the site of the actor's project. When the user answers that it is another one, the project moves there. Throws what
 * connectSite throws.
 */
export async function connectProject(
  actor: Actor,
  { projectId }: { projectId: number },
  answer?: SiteAnswer,
  ends: Ends = {},
): Promise<Site> {
  const site = await connectSite(actor, { projectId }, answer, ends);
  if (answer === "other") await moveProject(actor, projectId, site.id);
  return site;
}
