import { query } from "@/tests/support/db";
import {
  createGate,
  itemRows,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  status,
  untilAsked,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// The engine goes away, loses its state and comes back. Waiting work continues, and the user sees what happens.

const backend = queueBackend();
afterAll(() => query("UPDATE engine_state SET away_since = NULL"));
/** Loaded late: the app reads its environment once, after the backend has set it. */
const resumeAfterOutage = async (hasForgotten = false) =>
  (await import("@/lib/features/work/writes/sending")).resumeAfterOutage({ hasForgotten });

it("reports the outage when something is queued and in the monitor, and sends it when the engine is back", async () => {
  const mine = await workspaceWithPieces(backend, 2);
  expect((await status(mine)).engineAwaySince).toBeNull();
  const etag = (await mine.caller.get("/api/queue/status")).headers.get("etag") ?? "";
  await backend.engine.close();
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  expect(body.message).toBe("2 outlines queued. The job engine is away; the work begins when it is back.");
  expect((await mine.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(200);
  expect((await status(mine)).engineAwaySince).not.toBeNull();
  expect((await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey })).status).toBe(200);
  await backend.restart();
  await resumeAfterOutage();
  expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
  const next = await workspaceWithPieces(backend, 1);
  const queued = await next.caller.post<Queued>(outlineQueueUrl(next));
  expect(queued.body.message).toBe("1 outline queued. You can keep working while they are written.");
  await untilJobEnded(next, queued.body.jobId);
  expect((await status(mine)).engineAwaySince).toBeNull();
});

const sendsOf = async (mine: QueueWorkspace) => (await itemRows(mine)).map(({ sends }) => sends);

it("finds out with one item whether the engine has lost the others, and sends those again in order", async () => {
  const mine = await workspaceWithPieces(backend, 6);
  const { until, open } = createGate();
  backend.ai.faults.mode = { kind: "held", until };
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAsked(backend, 4);
  // An engine that starts empty while four calls are under way and two items have not begun.
  await backend.engine.close();
  await backend.restart();
  await resumeAfterOutage(true);
  expect(await sendsOf(mine)).toEqual([1, 1, 1, 1, 2, 1]);
  backend.ai.faults.clear();
  open();
  expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 6 });
  expect(await sendsOf(mine)).toEqual([1, 1, 1, 1, 2, 2]);
  expect(backend.ai.requests).toHaveLength(6);
});

it("sends nothing twice to an engine that has no room, but the one item that finds out", async () => {
  const mine = await workspaceWithPieces(backend, 4);
  jest.spyOn(backend.engine.engine, "ingest").mockReturnValue("taken and never begun");
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  const { dispatchJob, sweep } = await import("@/lib/features/work/steps");
  await dispatchJob(body.jobId);
  for (let hour = 1; hour <= 2; hour++) {
    await query(
      "UPDATE processing_queue SET sent_at = sent_at - interval '1 hour', probed_at = probed_at - interval '1 hour' WHERE user_id = $1",
      [mine.id],
    );
    await sweep();
    await sweep();
  }
  expect(await sendsOf(mine)).toEqual([2, 1, 1, 1]);
  jest.restoreAllMocks();
  await resumeAfterOutage(true);
  expect((await untilJobEnded(mine, body.jobId)).job.status).toBe("completed");
});
