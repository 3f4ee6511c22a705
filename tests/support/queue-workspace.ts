import type { QueueStatus } from "@/lib/features/work/schema";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { holdTransaction, query } from "@/tests/support/db";
import { newPiece, newWorkspace, type User } from "@/tests/support/factories";

/** A user with a topic of pieces, whose queues are tested. */
export type QueueWorkspace = Awaited<ReturnType<typeof workspaceWithPieces>>;

export type Queued = { jobId: string; message: string };
export type Failed = { type: string; error: string; jobId?: string };

export const SHORT_OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.";

export function outlineOf(sections: number): string {
  return Array.from({ length: sections }, (_, n) => `## Part ${n + 1}\nWhat it says.`).join("\n\n");
}

/** A backend for queue suites; each test starts with a provider without faults and without earlier tests' leftovers. */
export function queueBackend(): Backend {
  let started: Backend;
  beforeAll(async () => {
    started = await startBackend();
  });
  afterAll(() => started.close());
  beforeEach(async () => {
    // Items that an earlier test left waiting would ask the provider during this one, and be counted.
    // First the items: who works on one locks it before its job.
    for (const table of ["processing_queue", "processing_jobs"]) await query(`DELETE FROM ${table}`);
    started.ai.requests.length = 0;
  });
  afterEach(() => started.ai.faults.clear());
  return {
    get ai() {
      return started.ai;
    },
    get engine() {
      return started.engine;
    },
    restart: () => started.restart(),
    close: () => started.close(),
  };
}

export async function workspaceWithPieces(backend: Backend, count: number, outline?: string) {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  const pieces: string[] = [];
  for (let n = 0; n < count; n++) {
    const id = await newPiece(workspace, workspace, { title: `Piece ${String.fromCharCode(65 + n)} of the plan` });
    if (outline) await workspace.caller.patch(`/api/content/${id}`, { outline });
    pieces.push(id);
  }
  return { ...workspace, pieces };
}

export const outlineQueueUrl = ({ topicId }: { topicId: number }) => `/api/topics/${topicId}/generate-outline-queue`;
export const contentQueueUrl = ({ topicId }: { topicId: number }) =>
  `/api/topics/${topicId}/generate-all-content-queue`;

export async function status({ caller }: User): Promise<QueueStatus> {
  return (await caller.get<QueueStatus>("/api/queue/status")).body;
}

/** Waits until the job has ended, checks I1, I2 and I4, and returns it with the rest of the status. */
export async function untilJobEnded(user: User, jobId: string, timeoutMs?: number) {
  const seen = await eventually(
    () => status(user),
    ({ jobs }) => jobs.some(({ id, completedAt }) => id === jobId && completedAt !== null),
    timeoutMs,
  );
  await expectInvariants(user);
  const job = seen.jobs.find(({ id }) => id === jobId);
  if (!job) throw new Error("job is gone");
  return { job, ...seen };
}

/** I1, I2, I4: counters match a recount, ended jobs have no live items, and attempts stay within bounds. */
export async function expectInvariants({ id }: User) {
  const wrong = await query(
    `SELECT j.id FROM processing_jobs j LEFT JOIN LATERAL (
       SELECT count(*) FILTER (WHERE status = 'completed')::int AS c, count(*) FILTER (WHERE status = 'failed')::int AS f,
         count(*) FILTER (WHERE status = 'cancelled')::int AS x, count(*) FILTER (WHERE completed_at IS NULL)::int AS live
       FROM processing_queue q WHERE q.job_id = j.id) r ON true
     WHERE j.user_id = $1 AND ((r.c, r.f, r.x) <> (j.completed_items, j.failed_items, j.cancelled_items)
       OR (j.completed_at IS NOT NULL AND (r.live > 0 OR r.c + r.f + r.x <> j.total_items)))`,
    [id],
  );
  expect(wrong).toEqual([]);
  expect(await query("SELECT id FROM processing_queue WHERE user_id = $1 AND retry_count > max_retries", [id])).toEqual(
    [],
  );
}

/** Skips all waits of a minute and more, in the user's rows and in the engine, until the job has ended. */
export async function fastForward(backend: Backend, user: User, jobId: string) {
  await eventually(
    async () => {
      await makeDue(backend, user);
      return status(user);
    },
    ({ jobs }) => jobs.some(({ id, completedAt }) => id === jobId && completedAt !== null),
  );
  return untilJobEnded(user, jobId);
}

/**
 * Makes everything a user waits for due now, unless one of their items is being processed. The rows are locked
 * meanwhile, so that an item that fails just then is not woken too early.
 */
export async function makeDue({ engine }: Pick<Backend, "engine">, { id }: User): Promise<void> {
  const mine = "SELECT id FROM processing_queue WHERE user_id = $1 FOR UPDATE SKIP LOCKED";
  await query(`UPDATE processing_queue SET not_before = now() WHERE id IN (${mine}) AND not_before > now()`, [id]);
  await query(
    "UPDATE provider_waits SET not_before = now(), taker_until = NULL WHERE user_id = $1 AND not_before > now()",
    [id],
  );
  const { rows, releaseLock } = await holdTransaction<{ waits: boolean; all: number }>(
    `SELECT status = 'processing' OR not_before > now() AS waits,
      (SELECT count(*) FROM processing_queue WHERE user_id = $1)::int AS all
    FROM processing_queue WHERE user_id = $1 FOR UPDATE SKIP LOCKED`,
    [id],
  );
  const isAll = rows.length === (rows[0]?.all ?? 0);
  if (isAll && !rows.some(({ waits }) => waits)) engine.engine.wake();
  await releaseLock();
}

/**
 * Waits until the engine has taken every answer of the app: a run whose item waits already may not sleep yet, and what does not
 * sleep is not woken.
 */
export function untilAsleep({ engine }: Pick<Backend, "engine">) {
  return eventually(
    async () => engine.engine.status(),
    ({ running, waiting }) => running + waiting === 0,
  );
}

/** A promise that a test opens when it is ready. */
export function createGate() {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { until, open };
}

/** Resolves once the provider has had this many requests in all. */
export function untilAsked({ ai }: Pick<Backend, "ai">, count: number) {
  return eventually(
    async () => ai.requests.length,
    (seen) => seen >= count,
  );
}

/** A user's queue items as stored, in the order their pieces were created. */
export function itemRows({ id }: User) {
  return query<{
    id: string;
    status: string;
    run_id: string | null;
    error: string | null;
    retry_count: number;
    sends: number;
    sent_at: Date | null;
  }>(
    `SELECT id, status::text, run_id, error, retry_count, sends, sent_at FROM processing_queue
     WHERE user_id = $1 ORDER BY created_at, id`,
    [id],
  );
}

/** Waits until every item of the user waits for a reason that it tells; returns their rows. */
export async function untilAllWaiting(user: User) {
  await eventually(
    () => status(user),
    ({ outlineQueue, contentQueue }) =>
      outlineQueue.length + contentQueue.length > 0 &&
      [...outlineQueue, ...contentQueue].every(({ status, error }) => status === "pending" && error !== null),
  );
  return itemRows(user);
}

/** Waits until every item is held for the user; returns their rows. */
export function untilAllHeld(user: User) {
  return eventually(
    async () => {
      const held = await query("SELECT 1 FROM provider_waits WHERE user_id = $1 AND held_reason IS NOT NULL", [
        user.id,
      ]);
      return held.length > 0 ? itemRows(user) : [];
    },
    (rows) => rows.length > 0 && rows.every(({ status, sent_at }) => status === "pending" && sent_at === null),
  );
}
