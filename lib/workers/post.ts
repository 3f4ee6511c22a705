import "server-only";
import { AppError } from "@/lib/errors";
import type { Reviewed } from "@/lib/features/content/seo/material";
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

/** What is to be said of a piece before it is published, as JSON. Throws as `renderPostInWorker` does. */
export async function reviewInWorker(userId: string, piece: Reviewed): Promise<string> {
  assertRenderable(piece.body);
  return runInWorker(userId, "review", JSON.stringify(piece));
}

function assertRenderable(markdown: string): void {
  const problem = complexityProblem(markdown);
  if (problem) throw new AppError("TOO_COMPLEX", { message: problem });
}
