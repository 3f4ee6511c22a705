import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import { openChunkedJob, saveChunk, selectChunkedJob, selectChunkItems } from "@/lib/features/work/sql/chunks";
import { LIVE_STATES } from "@/lib/features/work/states";
import { newProject } from "@/tests/support/factories";
import {
  type Columns,
  changesBy,
  type Item,
  inMinutes,
  type Job,
  nameOf,
  newItemOf,
  newJobOf,
  newOwner,
  newPieceOf,
  type Owner,
} from "@/tests/support/queue-rows";

// Rows of publishing jobs, whose one run works on their items in chunks.

export const PUBLISHING = "publishing";

/** A publishing job and its items by position; every column that a statement may change is set. */
export type Chunked = { job: Job; items: Item[]; held: { jobId: string; type: "publishing"; token: string } };

/** What the items of publishing jobs say already. */
export const OLD_RESULT = { title: "Seeds", type: "OLD", isWritten: true };

export const PENDING = { status: "pending" };
export const CLAIMED = { status: "processing" };
/** At work, and asked for again meanwhile. */
export const AGAIN = { ...CLAIMED, result: { ...OLD_RESULT, isAskedAgain: true } };
export const [DONE, FAILED, CANCELLED] = [{ status: "completed" }, { status: "failed" }, { status: "cancelled" }];
export const EACH = [PENDING, CLAIMED, DONE, FAILED, CANCELLED];
/** Columns of a job that has ended, and of one that is being cancelled. */
export const OVER = { status: "completed", completed_at: inMinutes(-9), cancel_requested_at: inMinutes(-9) };
export const CANCELLING = { cancel_requested_at: inMinutes(-1) };

/** What a change of a job or its items changes in its row, and the end of an item in that of the item. */
export const MOVED = { revision: 1, updated_at: 0 };
export const ENDED = { updated_at: 0, completed_at: 0 };

/** A publishing job of the project. */
export function newPublishingJob(owner: Owner, columns: Columns = {}): Promise<Job> {
  return newJobOf(owner, { job_type: PUBLISHING, topic_id: null, input: { verb: "publish_all" }, ...columns });
}

/**
 * A publishing job with these items and their counters, which a lease's token has claimed where they are at work, among others
 * with the same columns and token: of another project and another user, whose ended items have the same pieces, and of a queue of
 * the AI, whose items all have, and the same ids.
 */
export async function newChunks(items: Columns[], columns: Columns = {}): Promise<Chunked> {
  const owner = await newOwner();
  const token = randomUUID();
  const pieces = await Promise.all(items.map(() => newPieceOf(owner)));
  const ids = items.map(() => randomUUID());
  const count = (status: string) => items.filter((item) => item.status === status).length;
  const counts = {
    ...{ total_items: items.length, completed_items: count("completed") },
    ...{ failed_items: count("failed"), cancelled_items: count("cancelled") },
  };
  /** A piece is live once in the items of a type. */
  const fill = async (job: Job, { isShared = false } = {}): Promise<Chunked> => {
    const made: Item[] = [];
    // The last one first, so that no order is the order of insertion.
    for (const [position, item] of [...items.entries()].reverse()) {
      const isSame = isShared || !LIVE_STATES.some((status) => status === item.status);
      const piece = { content_piece_id: isSame ? pieces[position] : await newPieceOf(owner), topic_id: null };
      const id = isShared ? ids[position] : randomUUID();
      const before = { id, position, error: "Old.", retry_count: 1, result: OLD_RESULT, claim_token: token };
      made.unshift(await newItemOf(job, { ...piece, ...before, ...item }));
    }
    return { job, items: made, held: { jobId: job.id, type: PUBLISHING, token } };
  };
  const row = { ...counts, ...columns };
  const elsewhere = { ...owner, projectId: await newProject(owner) };
  await fill(await newPublishingJob(elsewhere, row));
  await fill(await newPublishingJob(await newOwner(), row));
  await fill(await newJobOf(owner, row), { isShared: true });
  return fill(await newPublishingJob(owner, row), { isShared: true });
}

/** As changesBy, with the job as "job", its items by position, and the rows that were made as their number. */
export async function changesOf<T>({ job, items }: Chunked, act: () => Promise<T>) {
  const { answer, changed } = await changesBy(act);
  const names = new Map([[nameOf(job), "job"], ...items.map((item, place) => [nameOf(item), `${place}`] as const)]);
  const rows = Object.entries(changed).filter(([, change]) => change !== "made");
  const made = Object.keys(changed).length - rows.length;
  const named = Object.fromEntries(rows.map(([name, change]) => [names.get(name) ?? name, change]));
  return { answer, changed: made > 0 ? { ...named, made } : named };
}

/** The job as its owner reads it. */
export async function read({ job }: Chunked) {
  return (await selectChunkedJob(PUBLISHING, { id: job.id, userId: job.owner.id })) ?? {};
}

/** The statuses of its items in order. */
export async function statuses({ job }: Chunked): Promise<string> {
  return (await selectChunkItems(PUBLISHING, job.id, { limit: 99 })).map(({ status }) => status).join();
}

/** Opens a job of the project, or finds the live one. */
export function open(owner: Pick<Owner, "id" | "projectId">, db: Parameters<typeof openChunkedJob>[0] = prisma) {
  const input = { verb: "update_all" };
  return openChunkedJob(db, PUBLISHING, { userId: owner.id, projectId: owner.projectId, input });
}

/** Saves each item as done, or those at `failed` as failed. */
export function save({ held, items }: Chunked, failed: number[] = [], token = held.token): Promise<void> {
  const results = items.map(({ piece }, place) => ({
    ...{ contentId: piece, isOk: !failed.includes(place), result: { type: null, wpPostId: "7" } },
    error: failed.includes(place) ? "No." : "A note.",
  }));
  return saveChunk({ ...held, token }, results);
}
