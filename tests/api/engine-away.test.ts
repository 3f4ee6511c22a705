import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  allHeld,
  allWait,
  deskWithPieces,
  ended,
  hurried,
  itemRows,
  outlines,
  type Queued,
  queueBackend,
  status,
} from "@/tests/support/queue-desk";

// The engine goes, loses what it knew, and comes back; what waits for it goes on, and the person knows.

const backend = queueBackend();
afterAll(() => query("UPDATE engine_state SET away_since = NULL"));
/** Loaded late: the app reads its environment once, and the backend sets it. */
const engineBack = async () => (await import("@/lib/features/jobs/writes/recover")).engineBack();

it("says so to who queues something and in the monitor, and sends it when the engine is back", async () => {
  const mine = await deskWithPieces(backend, 2);
  expect((await status(mine)).engineAwaySince).toBeNull();
  const etag = (await mine.caller.get("/api/queue/status")).headers.get("etag") ?? "";
  await backend.engine.close();
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  expect(body.message).toBe("2 outlines queued. The job engine is away; the work begins when it is back.");
  expect((await mine.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(200);
  expect((await status(mine)).engineAwaySince).not.toBeNull();
  await backend.restart();
  await engineBack();
  expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
  const next = await deskWithPieces(backend, 1);
  const queued = await next.caller.post<Queued>(outlines(next));
  expect(queued.body.message).toBe("1 outline queued. You can go on working while they are written.");
  await ended(next, queued.body.jobId);
  expect((await status(mine)).engineAwaySince).toBeNull();
});

it("sends what waits with the next thing that is queued, where no process stands", async () => {
  const [mine, other] = [await deskWithPieces(backend, 1), await deskWithPieces(backend, 1)];
  await backend.engine.close();
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  await backend.restart();
  const next = await other.caller.post<Queued>(outlines(other));
  await ended(other, next.body.jobId);
  expect((await ended(mine, body.jobId)).job.status).toBe("completed");
});

it("hands over again what the engine has lost, and nothing it still knows", async () => {
  const mine = await deskWithPieces(backend, 3);
  backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  await allWait(mine);
  await engineBack();
  expect((await itemRows(mine)).map(({ dispatch_seq }) => dispatch_seq)).toEqual([0, 0, 0]);
  await backend.engine.close();
  await backend.restart();
  const calls = backend.ai.requests.length;
  await engineBack();
  const rows = await eventually(
    () => itemRows(mine),
    (all) =>
      all.every(({ dispatch_seq, run_id, status }) => dispatch_seq === 1 && status === "pending" && run_id === null),
  );
  expect(rows).toHaveLength(3);
  // They wait as long as they were told to, in their new runs too.
  expect(backend.ai.requests).toHaveLength(calls);
  backend.ai.faults.clear();
  expect((await hurried(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 3 });
});

it("loses no item whose run had not begun when the engine lost its memory", async () => {
  const mine = await deskWithPieces(backend, 1);
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  await ended(mine, body.jobId);
  const [job] = await query<{ id: string }>(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
       VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, dispatched_at, event_ref)
     SELECT 'outline_generation', j.id, $1, $3, $4, now(), 'of-an-engine-before' FROM j RETURNING job_id AS id`,
    [mine.id, mine.projectId, mine.topicId, mine.pieces[0]],
  );
  await engineBack();
  expect((await ended(mine, job?.id ?? "")).job.status).toBe("completed");
});

it("says so to who resumes or changes the key meanwhile, and goes on with it when the engine is back", async () => {
  const mine = await deskWithPieces(backend, 2);
  backend.ai.faults.mode = "unauthorized";
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  await allHeld(mine);
  backend.ai.faults.clear();
  await backend.engine.close();
  expect((await mine.caller.post("/api/queue/resume")).body).toEqual({
    message: "The job engine is away. What waits goes on when it is back.",
    resumed: 2,
  });
  expect((await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey })).status).toBe(200);
  await backend.restart();
  await engineBack();
  expect((await hurried(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
});

it("leaves everything as it is while the engine cannot be asked", async () => {
  const mine = await deskWithPieces(backend, 1);
  backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
  const { body } = await mine.caller.post<Queued>(outlines(mine));
  await allWait(mine);
  await backend.engine.close();
  await engineBack();
  expect((await itemRows(mine))[0]).toMatchObject({ status: "pending", dispatch_seq: 0 });
  await backend.restart();
  backend.ai.faults.clear();
  await engineBack();
  expect((await hurried(backend, mine, body.jobId)).job.status).toBe("completed");
});
