import "server-only";
import pLimit from "p-limit";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf, isAppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { publishablePieces } from "@/lib/features/publishing/reads";
import { MAX_CONCURRENT_PIECES, PUBLISH_ALL_BUDGET_MS } from "@/lib/features/publishing/rules";
import type { PublishAllOut, PublishResult, SiteAnswer } from "@/lib/features/publishing/schema";
import { type Categories, cachedCategories } from "@/lib/features/publishing/writes/category";
import { publishPieces } from "@/lib/features/publishing/writes/publish";
import { connectSite, type Site } from "@/lib/features/publishing/writes/site";

/**
 * Publishes every publishable piece of a project and reports failures piece by piece. Unchanged pieces are not written again.
 * Pieces left when the time is up are reported as TIME_BUDGET; the next call continues with them.
 */
export async function publishAll(
  actor: Actor,
  projectId: number,
  { site: answer }: { site?: SiteAnswer } = {},
  { now = Date.now }: { now?: () => number } = {},
): Promise<PublishAllOut> {
  const pieces = await publishablePieces(actor, projectId);
  const site = await connectSite(actor, answer);
  const categories = cachedCategories(site);
  if (pieces.length === 0) throw new AppError("NOTHING_TO_DO", { message: NOTHING_TO_PUBLISH });
  const deadline = now() + PUBLISH_ALL_BUDGET_MS;
  const limit = pLimit(MAX_CONCURRENT_PIECES);
  const results = await Promise.all(
    pieces.map((piece) =>
      limit(async () => (now() < deadline ? publishOne(site, actor, piece, categories) : outOfTime(piece))),
    ),
  );
  return { results, totalProcessed: results.filter(({ type }) => type !== "TIME_BUDGET").length };
}

const NOTHING_TO_PUBLISH =
  "No publishable content found in this project. Create content with body text to publish it to WordPress.";

type Piece = { id: string; title: string };

async function publishOne(
  site: Site,
  actor: Actor,
  { id, title }: Piece,
  categories: Categories,
): Promise<PublishResult> {
  try {
    const outcome = (await publishPieces(site, actor, [id], {}, categories)).get(id);
    if (!outcome?.ok) throw outcome?.error;
    const { unchanged } = outcome;
    const { wpPostId, wpPermalink } = await ownedContent(actor, id);
    return { contentId: id, title, success: true, ...(unchanged ? { unchanged } : {}), wpPostId, wpPermalink };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const detail = detailOf(error);
    return {
      contentId: id,
      title,
      success: false,
      error: error.message,
      type: error.type,
      ...(detail ? { detail } : {}),
    };
  }
}

function outOfTime({ id, title }: Piece): PublishResult {
  const error = "There was no time left for this piece. Publish all again to continue.";
  return { contentId: id, title, success: false, error, type: "TIME_BUDGET" };
}
