import "server-only";
import { AppError } from "@/lib/errors";
import { complexityProblem } from "@/lib/markdown/complexity";
import { runHeavy } from "@/lib/workers/run";

/**
 * A person's Markdown as the content of a post (see `renderPost`), rendered off the request's thread. Throws TOO_COMPLEX
 * with a sentence that names what is, and SERVICE_UNAVAILABLE when too many texts wait.
 */
export async function renderPostAside(userId: string, markdown: string): Promise<string> {
  const problem = complexityProblem(markdown);
  if (problem) throw new AppError("TOO_COMPLEX", { message: problem });
  return runHeavy(userId, "renderPost", markdown);
}
