import type { ContentSummary } from "@/lib/features/content/schema";
import { endedItems, JOB_FIELDS, MAX_MONITOR_ROWS } from "@/lib/features/work/rules";
import type { JobOut, QueueChanges, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";

type Row = { id: string; status: ProcessingStatus; createdAt: string; completedAt: string | null };

/** The status as it is after these changes, with rows in the order in which the server lists them. */
export function withChanges(before: QueueStatus, { whole, ...changes }: QueueChanges): QueueStatus {
  if (whole) return changes;
  return {
    ...changes,
    jobs: merged(before.jobs, changes.jobs, newestFirst),
    outlineQueue: merged(before.outlineQueue, changes.outlineQueue, oldestFirst),
    contentQueue: merged(before.contentQueue, changes.contentQueue, oldestFirst),
  };
}

const newestFirst = (one: Row, other: Row) =>
  other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id);
const oldestFirst = (one: Row, other: Row) => newestFirst(other, one);

/** Live rows come first, in the order `ofLive`, then the others, latest first; as many of each kind as the server lists. */
function merged<T extends Row>(before: T[], changed: T[], ofLive: (one: T, other: T) => number): T[] {
  const ids = new Set(changed.map(({ id }) => id));
  const rows = [...before.filter(({ id }) => !ids.has(id)), ...changed];
  const part = (isOf: (status: ProcessingStatus) => boolean, order: (one: T, other: T) => number, max: number) =>
    rows
      .filter(({ status }) => isOf(status))
      .sort(order)
      .slice(0, max);
  const latestFirst = (one: T, other: T) => (other.completedAt ?? "").localeCompare(one.completedAt ?? "");
  return [
    ...part((status) => !isEnded(status), ofLive, Number.POSITIVE_INFINITY),
    ...part((status) => status === "completed" || status === "failed", latestFirst, MAX_MONITOR_ROWS),
    ...part((status) => status === "cancelled", latestFirst, MAX_MONITOR_ROWS),
  ];
}

/** What the queues do with a piece: its live item, or a job that has it although the status lists only the first rows. */
export type PieceWork = Pick<QueueItemOut, "status" | "waits" | "section">;

/** What the queues do with a piece; undefined: nothing. */
export function workOn(
  piece: Pick<ContentSummary, "id" | "topicId" | "createdAt" | "isOutline" | "hasBody">,
  { jobs, outlineQueue, contentQueue }: QueueStatus,
): PieceWork | undefined {
  const queues = { outline_generation: outlineQueue, content_generation: contentQueue };
  for (const job of jobs) {
    if (isEnded(job.status) || job.topicId !== piece.topicId) continue;
    const live = queues[job.jobType].filter(({ jobId, status }) => jobId === job.id && !isEnded(status));
    const item = live.find(({ contentPieceId }) => contentPieceId === piece.id);
    if (item) return item;
    if (live.length < job.totalItems - endedItems(job) && mayHave(job, piece)) return QUEUED;
  }
  return undefined;
}

const QUEUED: PieceWork = { status: "pending", waits: null, section: null };

/** Would the job have taken the piece? */
function mayHave(
  { jobType, createdAt }: JobOut,
  piece: Pick<ContentSummary, "createdAt" | "isOutline" | "hasBody">,
): boolean {
  if (piece.createdAt > createdAt) return false;
  return JOB_FIELDS[jobType] === "outline" ? !piece.isOutline : piece.isOutline && !piece.hasBody;
}
