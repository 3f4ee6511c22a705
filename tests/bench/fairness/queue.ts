import { setTimeout as wait } from "node:timers/promises";
import type { Bench } from "@/tests/bench/benchmark";
import { insertTitles } from "@/tests/bench/fairness/rows";
import { ask, query, type User } from "@/tests/bench/fairness/users";

const POLL_MS = 200;
/** A queue that takes longer than this is reported with this. */
const LIMIT_MS = 180_000;

/** Queues this many outlines in a new topic; returns the job's id. */
export async function startQueue(bench: Bench, user: User, count: number): Promise<string> {
  const [plan] = await insertTitles(bench, user, count);
  const answer = await ask(bench, "POST", `/api/topics/${plan?.topicId}/generate-outline-queue`, {
    cookie: user.cookie,
  });
  return ((await answer.json()) as { jobId: string }).jobId;
}

/** Waits until every item has ended. */
export function waitForQueue(bench: Bench, jobId: string): Promise<void> {
  return until(bench, "SELECT 1 FROM processing_jobs WHERE id = $1 AND completed_at IS NULL", jobId);
}

/** Waits until the engine has every item. */
export function waitUntilSent(bench: Bench, jobId: string): Promise<void> {
  return until(bench, "SELECT 1 FROM processing_queue WHERE job_id = $1 AND sent_at IS NULL LIMIT 1", jobId);
}

/** Waits until the statement finds nothing more, or until the limit. */
async function until(bench: Bench, unfinished: string, jobId: string): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await wait(POLL_MS)) {
    if ((await query(bench, unfinished, [jobId])).length === 0) return;
  }
}
