import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import { pageActor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import { projectDetailOut } from "@/lib/features/projects/schema";
import { intId } from "@/lib/utils/zod";

/** An address's project: one read for metadata and page. A malformed id and another user's project are both "not found". */
export const pageProject = cache(async function pageProject(id: string) {
  const actor = await pageActor();
  const parsed = intId.safeParse(id);
  if (!parsed.success) notFound();
  try {
    return projectDetailOut.parse(await ownedProject(actor, parsed.data));
  } catch (error) {
    if (isAppError(error, "NOT_FOUND")) notFound();
    throw error;
  }
});
