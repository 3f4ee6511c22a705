import { screen } from "@testing-library/react";
import { QueueMonitor } from "@/components/work/queue-monitor";
import type { JobOut, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";
import { mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

export const AT = "2026-11-21T10:00:00.000Z";

type Parts = Partial<Omit<QueueStatus, "total">> & { total?: Partial<QueueStatus["total"]> };

/** Renders the monitor and waits for its status, in which nothing is but these parts; `table` answers further calls. */
export async function openMonitor(parts: Parts = {}, table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi({
    "GET /api/queue/status": () => ({ json: JSON.parse(JSON.stringify(statusOf(parts))) }),
    "GET /api/publishing-jobs": () => ({ json: [] }),
    ...table,
  });
  const { user } = renderScreen(<QueueMonitor />);
  await screen.findByText("Processing Jobs");
  return { user, calls };
}

function statusOf({ total, ...parts }: Parts): QueueStatus {
  const { jobs = [], outlineQueue = [], contentQueue = [] } = parts;
  return {
    jobs,
    outlineQueue,
    contentQueue,
    now: AT,
    needs: [],
    pausedAt: null,
    pace: { outlineQueue: null, contentQueue: null },
    runAddress: null,
    total: {
      jobs: totalOf(jobs),
      outlineQueue: totalOf(outlineQueue),
      contentQueue: totalOf(contentQueue),
      ...total,
    },
    counts: {
      outlinePending: 0,
      outlineCompleted: completedOf(outlineQueue),
      contentPending: 0,
      contentCompleted: completedOf(contentQueue),
    },
    engineAwaySince: null,
    ...parts,
  };
}

function totalOf(rows: { status: ProcessingStatus }[]) {
  const of = (...statuses: ProcessingStatus[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  return { live: of("pending", "processing"), finished: of("completed", "failed"), cancelled: of("cancelled") };
}

function completedOf(rows: QueueItemOut[]): number {
  return rows.filter(({ status }) => status === "completed").length;
}

export const button = (name: string | RegExp) => screen.getByRole("button", { name });

/** A job at work with four items. */
export function aJob(parts: Partial<JobOut> = {}): JobOut {
  return {
    id: "ae1276ec-0000-4000-8000-000000000001",
    userId: USER_ID,
    projectId: 3,
    topicId: 7,
    topicName: "Seeds",
    jobType: "outline_generation",
    status: "processing",
    totalItems: 4,
    completedItems: 2,
    failedItems: 1,
    cancelledItems: 0,
    cancelRequestedAt: null,
    startedAt: AT,
    completedAt: null,
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  };
}

/** A waiting item of that job. */
export function anItem(parts: Partial<QueueItemOut> = {}): QueueItemOut {
  return {
    id: "bb1276ec-0000-4000-8000-000000000002",
    jobId: "ae1276ec-0000-4000-8000-000000000001",
    userId: USER_ID,
    topicId: 7,
    contentPieceId: "1f6f5e0c-5a0e-4c39-9d3c-0a4a3b9d7a01",
    title: "Growing garlic",
    topicName: "Seeds",
    waits: null,
    section: null,
    tokens: 0,
    runId: null,
    status: "pending",
    retryCount: 1,
    maxRetries: 3,
    error: null,
    note: null,
    startedAt: null,
    completedAt: null,
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  };
}
