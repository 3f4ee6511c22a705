import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError, detailOf, isAppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { connectSite, publishablePieces, type Site } from "@/lib/features/publishing/reads";
import { PIECES_AT_ONCE, PUBLISH_ALL_BUDGET_MS } from "@/lib/features/publishing/rules";
import type { PublishAllOut, PublishResult } from "@/lib/features/publishing/schema";
import { publishTo } from "@/lib/features/publishing/writes/piece";
import { createLimiter } from "@/lib/utils/limiter";

/**
 * Publishes every publishable piece of a project, four at a time, on past single failures. Unchanged pieces are not
 * written again. After the time budget the rest are reported as TIME_BUDGET: calling again goes on with them.
 */
export async function publishAll(
  actor: Actor,
  projectId: number,
  { now = Date.now }: { now?: () => number } = {},
): Promise<PublishAllOut> {
  const pieces = await publishablePieces(actor, projectId);
  const site = rememberingCategories(await connectSite(actor));
  if (pieces.length === 0) throw new AppError("NOTHING_TO_DO", { message: NOTHING });
  const deadline = now() + PUBLISH_ALL_BUDGET_MS;
  const limited = createLimiter(PIECES_AT_ONCE);
  const results = await Promise.all(
    pieces.map((piece) => limited(async () => (now() < deadline ? publishOne(site, actor, piece) : outOfTime(piece)))),
  );
  return { results, totalProcessed: results.filter(({ type }) => type !== "TIME_BUDGET").length };
}

const NOTHING =
  "No publishable content found in this project. Create content with body text to publish it to WordPress.";

type Piece = { id: string; title: string };

async function publishOne(site: Site, actor: Actor, { id, title }: Piece): Promise<PublishResult> {
  try {
    const { unchanged } = await publishTo(site, actor, id, {});
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
  const error = "There was no time left for this piece. Publish all again to go on.";
  return { contentId: id, title, success: false, error, type: "TIME_BUDGET" };
}

/** Pieces share categories: each is asked for once a run. */
function rememberingCategories(site: Site): Site {
  const { client } = site;
  return {
    ...site,
    client: { ...client, ensureCategory: once(client.ensureCategory), readCategory: once(client.readCategory) },
  };
}

function once<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const asked = new Map<Key, Promise<Answer>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const asking = ask(key);
    asked.set(key, asking);
    // One that failed may be asked for again by the next piece.
    asking.catch(() => asked.delete(key));
    return asking;
  };
}
