import "server-only";
import { randomUUID } from "node:crypto";
import { announceChange } from "@/lib/db/announce";
import { Prisma } from "@/lib/db/prisma";
import type { ChunkType, RunEnd, RunOutcome, RunWait } from "@/lib/features/work/schema";
import { adoptJobs, isLeftToAdopt } from "@/lib/features/work/sql/adopted";
import {
  type ChunkedClaim,
  type ChunkedJob,
  type ChunkResult,
  claimChunk,
  failPending,
  giveBackChunk,
  giveBackLost,
  noteReached,
  noteUnreachable,
  saveChunk,
  selectChunkedJob,
} from "@/lib/features/work/sql/chunks";
import { STOPPED } from "@/lib/features/work/writes/run";
import { acquire, release, renew, whileRenewing } from "@/lib/lease/lease";

export { adoptJobs, isBusyBefore } from "@/lib/features/work/sql/adopted";
export {
  addItems,
  type ChunkResult,
  type NewItem,
  openChunkedJob,
  selectIdleJobs,
} from "@/lib/features/work/sql/chunks";

/** What the work on a job under its lease can do to it. */
export type Chunks = {
  /** Claims the next items in order; none is left, or the job was cancelled, when there are none. */
  claim: () => Promise<ChunkedClaim[]>;
  /** Saves what became of claimed items. */
  save: (results: ChunkResult[]) => Promise<void>;
  isCancelled: () => Promise<boolean>;
  /** Makes the job wait for what cannot be reached. */
  wait: (waitSeconds: number, reason: { error: string; errorType: string }) => Promise<RunWait>;
  /** Fails what is pending, which ends the job. */
  fail: (reason: { error: string; errorType: string }) => Promise<void>;
  /** What the job has waited for is reached. */
  reached: () => Promise<void>;
};

/** A kind of work with one run per job. */
export type ChunkKind = {
  type: ChunkType;
  /** Items that are claimed together. */
  size: number;
  /** Works on the job until nothing of it is pending, or as long as it may; what it leaves is claimed again later. */
  work: (job: ChunkedJob, chunks: Chunks) => Promise<RunWait | undefined>;
};

/** How long to wait for another run that works on the job. */
const BUSY_SECONDS = 5;

/**
 * Works on a job for its run, under the job's lease, so one call at a time does. What a call claimed that died waits again, at the
 * cost of an attempt. `waits: false` works on a job that waits for its next try.
 */
export async function workOnJob(kind: ChunkKind, jobId: string, { waits = true } = {}): Promise<RunOutcome> {
  let job = await findJob(kind.type, jobId);
  if (!job) {
    await adoptJobs();
    // A process of the release before works on it, or another run is taking it over.
    if (await isLeftToAdopt(jobId)) return { next: "wait", waitSeconds: BUSY_SECONDS };
    job = await findJob(kind.type, jobId);
  }
  if (!job) return { next: "end", as: "cancelled" };
  if (job.completedAt) return endOf(job);
  if (waits && job.waitSeconds > 0 && !job.cancelRequestedAt) return { next: "wait", waitSeconds: job.waitSeconds };
  const lease = { kind: "bulk", subject: jobId, token: randomUUID() } as const;
  const owned = Prisma.sql`SELECT ${jobId}, ${job.userId}::uuid, NULL::uuid, NULL::uuid`;
  if (!(await acquire("bulk", owned, lease.token))) return { next: "wait", waitSeconds: BUSY_SECONDS };
  const held = { jobId, type: kind.type, token: lease.token };
  try {
    const wait = await whileRenewing(
      () => renew(lease),
      async () => {
        await giveBackLost(held, STOPPED);
        return kind.work(job, chunksOf(kind, held, job));
      },
    );
    if (wait) return wait;
  } finally {
    await giveBackChunk(held);
    announceChange(job.userId);
    await release(lease);
  }
  const after = await findJob(kind.type, jobId);
  return !after || after.completedAt ? endOf(after) : { next: "more" };
}

const findJob = (type: ChunkType, id: string) => selectChunkedJob(type, { id, userId: null });

function endOf(job: ChunkedJob | undefined): RunEnd {
  const status = job?.status;
  return { next: "end", as: status === "completed" || status === "failed" ? status : "cancelled" };
}

function chunksOf({ type, size }: ChunkKind, held: Parameters<typeof claimChunk>[0], { userId }: ChunkedJob): Chunks {
  const announced = <T>(write: Promise<T>) => write.finally(() => announceChange(userId));
  return {
    claim: () => announced(claimChunk(held, size)),
    save: (results) => announced(saveChunk(held, results)),
    isCancelled: async () => {
      const job = await findJob(type, held.jobId);
      return !job || job.cancelRequestedAt !== null;
    },
    wait: async (waitSeconds, reason) => {
      await announced(noteUnreachable(held.jobId, { ...reason, waitSeconds }));
      return { next: "wait", waitSeconds };
    },
    fail: async ({ error, errorType }) => {
      await noteUnreachable(held.jobId, { error, errorType, waitSeconds: 0 });
      await announced(failPending(held, { error, result: { type: errorType } }));
    },
    reached: () => announced(noteReached(held.jobId)),
  };
}
