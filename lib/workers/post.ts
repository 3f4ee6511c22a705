import "server-only";
import { AppError } from "@/lib/errors";
import { complexityProblem } from "@/lib/markdown/complexity";
import { runInWorker } from "@/lib/workers/run";

/**
 * Renders Markdown as the content of a post with this title (see `renderPost`) off the request's thread. Throws TOO_COMPLEX with the reason, or
 * SERVICE_UNAVAILABLE when too many texts wait.
 */
export async function renderPostInWorker(userId: string, markdown: string, title: string): Promise<string> {
  assertRenderable(markdown);
  return runInWorker(userId, "renderPost", markdown, title);
}

/** How much of a text its readers will not get, MAX_LOSSES at most. Throws as `renderPostInWorker` does. */
export async function countLossesInWorker(userId: string, markdown: string): Promise<number> {
  assertRenderable(markdown);
  return Number(await runInWorker(userId, "countLosses", markdown));
}

function assertRenderable(markdown: string): void {
  const problem = complexityProblem(markdown);
  if (problem) throw new AppError("TOO_COMPLEX", { message: problem });
}
