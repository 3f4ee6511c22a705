import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { engineAwaySince } from "@/lib/events/presence";
import {
  countByProjectAndStatus,
  findPiecesWith,
  findProjectPieces,
  pieceNotFound,
} from "@/lib/features/content/reads";
import { ownedProject } from "@/lib/features/projects/reads";
import { PUBLISHABLE } from "@/lib/features/publishing/rules";
import type { PublishingCounts } from "@/lib/features/publishing/schema";
import { type JobItem, type JobRow, selectItems, selectJob, selectLatestJob } from "@/lib/features/publishing/sql/jobs";
import { type BulkVerb, readinessOf } from "@/lib/features/publishing/states";
import type { ProcessingStatus } from "@/lib/features/work/states";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { type CursorPage, cursorPage, parsePosition } from "@/lib/utils/cursor-page";

/** The publishable pieces of the actor's project, oldest first, so that the newest ends up on top of the site. */
export function publishablePieces(actor: Actor, projectId: number) {
  return findProjectPieces(actor, projectId, PUBLISHABLE);
}

/** How many publishable pieces of each of the actor's projects are live, ready and failed; projects without one are left out. */
export async function publishingCounts(actor: Actor): Promise<PublishingCounts[]> {
  const counts = new Map<number, PublishingCounts>();
  for (const { projectId, status, count } of await countByProjectAndStatus(actor, PUBLISHABLE)) {
    const project = counts.get(projectId) ?? { projectId, live: 0, ready: 0, failed: 0 };
    project[readinessOf({ status })] += count;
    counts.set(projectId, project);
  }
  return [...counts.values()];
}

/** The pieces that a job is about; chosen ones that are not in the project any more are left out. */
export async function piecesForJob(
  actor: Actor,
  projectId: number,
  { verb, contentIds }: { verb: BulkVerb; contentIds: string[] },
) {
  if (verb === "publish_all") return publishablePieces(actor, projectId);
  if (verb === "update_all") return findProjectPieces(actor, projectId, { ...PUBLISHABLE, status: "wp_published" });
  return findProjectPieces(actor, projectId, { id: { in: contentIds } });
}

const PIECE = {
  id: true,
  version: true,
  title: true,
  body: true,
  outline: true,
  status: true,
  isTitleOnly: true,
  hasBody: true,
  topicId: true,
  topic: { select: { name: true } },
  posts: true,
} as const;

/** Those of the pieces that are the actor's, with what is known of them on each site. */
export function piecesToPublish(actor: Actor, ids: string[]) {
  return findPiecesWith(actor, ids, PIECE);
}

export type PieceToPublish = Awaited<ReturnType<typeof piecesToPublish>>[number];
export type StoredPost = PieceToPublish["posts"][number];

/** Throws NOT_FOUND. */
export async function assertOwnPiece(actor: Actor, id: string): Promise<void> {
  const found = await findPiecesWith(actor, [id], { id: true });
  if (found.length === 0) throw pieceNotFound();
}

/** Throws NOT_FOUND. */
export async function ownedPublishingJob({ userId }: Actor, id: string): Promise<JobRow> {
  const job = await selectJob(id, userId);
  if (!job) throw new AppError("NOT_FOUND", { message: "This publishing job was not found." });
  return job;
}

/** The project's latest job, running or ended. Throws NOT_FOUND. */
export async function latestPublishingJob(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  const [job, awaySince] = await Promise.all([selectLatestJob(actor.userId, projectId), engineAwaySince()]);
  return { job: job ?? null, engineAwaySince: awaySince };
}

const RESULTS_PER_PAGE = 200;

/** The results of a job's pieces, in the order of the job. */
export async function listPublishingResults(
  actor: Actor,
  id: string,
  query: { status?: ProcessingStatus | undefined; limit?: number | undefined; cursor?: string | undefined },
): Promise<CursorPage<JobItem>> {
  await ownedPublishingJob(actor, id);
  const limit = query.limit ?? RESULTS_PER_PAGE;
  const after = parsePosition(query.cursor);
  const rows = await selectItems(id, { status: query.status, after, limit: limit + 1 });
  return cursorPage(rows, { limit, maxBytes: MAX_LIST_BYTES, cursorOf: ({ position }) => String(position) });
}
