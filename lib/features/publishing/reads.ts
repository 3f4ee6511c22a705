import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { Prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { engineAwaySince } from "@/lib/events/presence";
import {
  countByProjectAndStatus,
  findNewerPieces,
  findPiecesWith,
  findProjectPieces,
  pieceNotFound,
} from "@/lib/features/content/reads";
import { ownedProject } from "@/lib/features/projects/reads";
import { PUBLISHABLE } from "@/lib/features/publishing/rules";
import { itemResult, jobFacts, jobInput, type PublishingCounts } from "@/lib/features/publishing/schema";
import { type BulkVerb, readinessOf } from "@/lib/features/publishing/states";
import {
  type ChunkedJob,
  type ChunkItem,
  selectChunkedJob,
  selectChunkedJobs,
  selectChunkItems,
} from "@/lib/features/work/reads";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";
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
  if (verb === "update_all") return findNewerPieces(actor, projectId);
  return findProjectPieces(actor, projectId, { id: { in: contentIds } });
}

const PIECE = {
  id: true,
  version: true,
  title: true,
  body: true,
  outline: true,
  focusKeyword: true,
  metaTitle: true,
  metaDescription: true,
  slug: true,
  excerpt: true,
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

/** The project of the actor's piece. Throws NOT_FOUND. */
export async function projectOfPiece(actor: Actor, id: string): Promise<{ projectId: number }> {
  const [found] = await findPiecesWith(actor, [id], { projectId: true });
  if (!found) throw pieceNotFound();
  return found;
}

/** SQL value: what is counted of a job's items `q` besides how they ended. */
const FACTS = Prisma.sql`json_build_object(
  'unchangedItems', count(*) FILTER (WHERE q.status = 'completed' AND NOT q.result ? 'isWritten'),
  'liveItems', count(*) FILTER (WHERE q.status = 'completed' AND q.result ->> 'wpPermalink' IS NOT NULL),
  'firstFailure', (array_agg(concat_ws(' ', q.error, q.result ->> 'detail') ORDER BY q.position) FILTER (WHERE q.status = 'failed'))[1])`;

function jobOf({ input, facts, ...job }: ChunkedJob) {
  return { ...job, ...jobInput.parse(input), ...jobFacts.parse(facts) };
}

/** Throws NOT_FOUND. */
export async function ownedPublishingJob({ userId }: Actor, id: string) {
  const job = await selectChunkedJob("publishing", { id, userId }, FACTS);
  if (!job) throw new AppError("NOT_FOUND", { message: "This publishing job was not found." });
  return jobOf(job);
}

export type PublishingJob = Awaited<ReturnType<typeof ownedPublishingJob>>;

/** The project's latest job, running or ended. Throws NOT_FOUND. */
export async function latestPublishingJob(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  const [job, awaySince] = await Promise.all([
    selectChunkedJob("publishing", { projectId, userId: actor.userId }, FACTS),
    engineAwaySince(),
  ]);
  return { job: job ? jobOf(job) : null, engineAwaySince: awaySince };
}

/** The newest jobs of all the user's projects. */
export async function recentPublishingJobs({ userId }: Actor) {
  return (await selectChunkedJobs("publishing", { userId }, FACTS, MAX_RECENT_JOBS)).map(jobOf);
}

const MAX_RECENT_JOBS = 20;

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
  const rows = await publishingItems(id, { status: query.status, after, limit: limit + 1 });
  return cursorPage(rows, { limit, maxBytes: MAX_LIST_BYTES, cursorOf: ({ position }) => String(position) });
}

/** The items of a job after a position, in order. */
export async function publishingItems(id: string, page: Parameters<typeof selectChunkItems>[2]): Promise<JobItem[]> {
  return (await selectChunkItems("publishing", id, page)).map(itemOf);
}

export type JobItem = ReturnType<typeof itemOf>;

/** An item that is pending again says nothing of what went wrong before. */
function itemOf({ result, ...item }: ChunkItem) {
  const { isWritten, categoryId: _, type, detail, ...said } = itemResult.parse(result);
  const failure = item.status === "failed" ? type : null;
  return {
    ...item,
    ...said,
    unchanged: item.status === "completed" && !isWritten,
    type: failure,
    detail: isEnded(item.status) && item.status !== "cancelled" ? detail : null,
  };
}
