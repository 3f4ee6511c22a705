import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  fastForward,
  itemRows,
  outlineQueueUrl,
  type Queued,
  queueBackend,
  status,
  untilAllHeld,
  untilAllWaiting,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// The engine goes away, loses its state and comes back. Waiting work continues, and the user sees what happens.

const backend = queueBackend();
afterAll(() => query("UPDATE engine_state SET away_since = NULL"));
/** Loaded late: the app reads its environment once, after the backend has set it. */
const resumeAfterOutage = async () => (await import("@/lib/features/work/writes/recover")).resumeAfterOutage();

it("reports the outage when something is queued and in the monitor, and sends it when the engine is back", async () => {
  const mine = await workspaceWithPieces(backend, 2);
  expect((await status(mine)).engineAwaySince).toBeNull();
  const etag = (await mine.caller.get("/api/queue/status")).headers.get("etag") ?? "";
  await backend.engine.close();
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  expect(body.message).toBe("2 outlines queued. The job engine is away; the work begins when it is back.");
  expect((await mine.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(200);
  expect((await status(mine)).engineAwaySince).not.toBeNull();
  await backend.restart();
  await resumeAfterOutage();
  expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
  const next = await workspaceWithPieces(backend, 1);
  const queued = await next.caller.post<Queued>(outlineQueueUrl(next));
  expect(queued.body.message).toBe("1 outline queued. You can keep working while they are written.");
  await untilJobEnded(next, queued.body.jobId);
  expect((await status(mine)).engineAwaySince).toBeNull();
});

it("sends waiting items with the next job that is queued, without a background process", async () => {
  const [mine, other] = [await workspaceWithPieces(backend, 1), await workspaceWithPieces(backend, 1)];
  await backend.engine.close();
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await backend.restart();
  const next = await other.caller.post<Queued>(outlineQueueUrl(other));
  await untilJobEnded(other, next.body.jobId);
  expect((await untilJobEnded(mine, body.jobId)).job.status).toBe("completed");
});

it("resends what the engine has lost, and nothing that it still knows", async () => {
  const mine = await workspaceWithPieces(backend, 3);
  backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAllWaiting(mine);
  await resumeAfterOutage();
  expect((await itemRows(mine)).map(({ dispatch_seq }) => dispatch_seq)).toEqual([0, 0, 0]);
  await backend.engine.close();
  await backend.restart();
  const calls = backend.ai.requests.length;
  await resumeAfterOutage();
  const rows = await eventually(
    () => itemRows(mine),
    (all) =>
      all.every(({ dispatch_seq, run_id, status }) => dispatch_seq === 1 && status === "pending" && run_id === null),
  );
  expect(rows).toHaveLength(3);
  // In their new runs the items still wait for the provider's retry-after.
  expect(backend.ai.requests).toHaveLength(calls);
  backend.ai.faults.clear();
  expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 3 });
});

it("loses no item whose run had not begun when the engine lost its state", async () => {
  const mine = await workspaceWithPieces(backend, 1);
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilJobEnded(mine, body.jobId);
  const [job] = await query<{ id: string }>(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
       VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, dispatched_at, event_ref)
     SELECT 'outline_generation', j.id, $1, $3, $4, now(), 'of-an-engine-before' FROM j RETURNING job_id AS id`,
    [mine.id, mine.projectId, mine.topicId, mine.pieces[0]],
  );
  await resumeAfterOutage();
  expect((await untilJobEnded(mine, job?.id ?? "")).job.status).toBe("completed");
});

it("reports the outage on resume and on a change of the key, and continues when the engine is back", async () => {
  const mine = await workspaceWithPieces(backend, 2);
  backend.ai.faults.mode = "unauthorized";
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAllHeld(mine);
  backend.ai.faults.clear();
  await backend.engine.close();
  expect((await mine.caller.post("/api/queue/resume")).body).toEqual({
    message: "The job engine is away. Pending items continue when it is back.",
    resumed: 2,
  });
  expect((await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey })).status).toBe(200);
  await backend.restart();
  await resumeAfterOutage();
  expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
});

it("changes nothing while the engine cannot be reached", async () => {
  const mine = await workspaceWithPieces(backend, 1);
  backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAllWaiting(mine);
  await backend.engine.close();
  await resumeAfterOutage();
  expect((await itemRows(mine))[0]).toMatchObject({ status: "pending", dispatch_seq: 0 });
  await backend.restart();
  backend.ai.faults.clear();
  await resumeAfterOutage();
  expect((await fastForward(backend, mine, body.jobId)).job.status).toBe("completed");
});
