import type { QueueStatus } from "@/lib/features/jobs/schema";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { hold, query } from "@/tests/support/db";
import { newDesk, newPiece, type Person } from "@/tests/support/factories";

/** A person at a desk with a topic of pieces, whose queues are followed. */
export type QueueDesk = Awaited<ReturnType<typeof deskWithPieces>>;

export type Queued = { jobId: string; message: string };
export type Failed = { type: string; error: string; jobId?: string };

/** An outline of two sections. */
export const SHORT = "## Alpha\nFirst.\n\n## Beta\nSecond.";

/** An outline of so many sections. */
export function outlineOf(sections: number): string {
  return Array.from({ length: sections }, (_, n) => `## Part ${n + 1}\nWhat it says.`).join("\n\n");
}

/** The backend of a suite of queues, where nothing is left of other suites: each test asks a provider without faults. */
export function queueBackend(): Backend {
  let started: Backend;
  beforeAll(async () => {
    await query("DELETE FROM processing_jobs");
    started = await startBackend();
  });
  afterAll(() => started.close());
  beforeEach(() => {
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

export async function deskWithPieces(backend: Backend, count: number, outline?: string) {
  const desk = await newDesk();
  await desk.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  const pieces: string[] = [];
  for (let n = 0; n < count; n++) {
    const id = await newPiece(desk, desk, { title: `Piece ${String.fromCharCode(65 + n)} of the plan` });
    if (outline) await desk.caller.patch(`/api/content/${id}`, { outline });
    pieces.push(id);
  }
  return { ...desk, pieces };
}

export const outlines = ({ topicId }: { topicId: number }) => `/api/topics/${topicId}/generate-outline-queue`;
export const contents = ({ topicId }: { topicId: number }) => `/api/topics/${topicId}/generate-all-content-queue`;

export async function status({ caller }: Person): Promise<QueueStatus> {
  return (await caller.get<QueueStatus>("/api/queue/status")).body;
}

/** The job once it has ended, with all that is beside it; I1, I2 and I4 hold. */
export async function ended(person: Person, jobId: string) {
  const seen = await eventually(
    () => status(person),
    ({ jobs }) => jobs.some(({ id, completedAt }) => id === jobId && completedAt !== null),
  );
  await expectInvariants(person);
  const job = seen.jobs.find(({ id }) => id === jobId);
  if (!job) throw new Error("job is gone");
  return { job, ...seen };
}

/** I1, I2, I4: counters add up to a recount, ended jobs have no live items, attempts stay within bounds. */
export async function expectInvariants({ id }: Person) {
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

/** Waits of a minute and more are over at once, in the person's rows and in the engine; until the job has ended. */
export async function hurried(backend: Backend, person: Person, jobId: string) {
  await eventually(
    async () => {
      await timeComes(backend, person);
      return status(person);
    },
    ({ jobs }) => jobs.some(({ id, completedAt }) => id === jobId && completedAt !== null),
  );
  return ended(person, jobId);
}

/**
 * The moment that everything of a person waits for has come; not while something of theirs is at work. Nothing of theirs
 * moves between the last look and the waking: what has failed once more since then is not woken before its time.
 */
export async function timeComes({ engine }: Pick<Backend, "engine">, { id }: Person): Promise<void> {
  const mine = "SELECT id FROM processing_queue WHERE user_id = $1 FOR UPDATE SKIP LOCKED";
  await query(`UPDATE processing_queue SET not_before = now() WHERE id IN (${mine}) AND not_before > now()`, [id]);
  await query(
    "UPDATE provider_gates SET closed_until = now(), probe_until = NULL WHERE user_id = $1 AND closed_until > now()",
    [id],
  );
  const { rows, letGo } = await hold<{ waits: boolean; all: number }>(
    `SELECT status = 'processing' OR not_before > now() AS waits,
      (SELECT count(*) FROM processing_queue WHERE user_id = $1)::int AS all
    FROM processing_queue WHERE user_id = $1 FOR UPDATE SKIP LOCKED`,
    [id],
  );
  const isAll = rows.length === (rows[0]?.all ?? 0);
  if (isAll && !rows.some(({ waits }) => waits)) engine.engine.wake();
  await letGo();
}

/** Something that a test lets happen when it is ready. */
export function gate() {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { until, open };
}

/** Resolves when the provider was asked this many times in all. */
export function asked({ ai }: Pick<Backend, "ai">, count: number) {
  return eventually(
    async () => ai.requests.length,
    (seen) => seen >= count,
  );
}

/** A person's queue items as the table has them, in the order of their pieces' creation. */
export function itemRows({ id }: Person) {
  return query<{
    id: string;
    status: string;
    run_id: string | null;
    error: string | null;
    is_held: boolean;
    retry_count: number;
    dispatch_seq: number;
    waited_seconds: number;
  }>(
    `SELECT id, status::text, run_id, error, is_held, retry_count, dispatch_seq, waited_seconds FROM processing_queue
     WHERE user_id = $1 ORDER BY created_at, id`,
    [id],
  );
}

/** Nothing is under way, and every item of a person waits for something; their rows. */
export function allWait(person: Person) {
  return eventually(
    () => itemRows(person),
    (rows) => rows.length > 0 && rows.every(({ status, error }) => status === "pending" && error !== null),
  );
}

/** Every item waits for the person; their rows. */
export function allHeld(person: Person) {
  return eventually(
    () => itemRows(person),
    (rows) => rows.length > 0 && rows.every(({ is_held }) => is_held),
  );
}
