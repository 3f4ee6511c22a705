import pg from "pg";
import { databaseUrl, query, waitForLock } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import {
  contentQueueUrl,
  createGate,
  type Failed,
  fastForward,
  outlineOf,
  outlineQueueUrl,
  type Queued,
  queueBackend,
  SHORT_OUTLINE,
  untilAllHeld,
  untilAsked,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// Races that once paid twice, lost a text or never ended.

const backend = queueBackend();

const workspace = (count: number, outline?: string) => workspaceWithPieces(backend, count, outline);

describe("a job always ends", () => {
  it("when its failed items are retried after one of their pieces was deleted", async () => {
    const mine = await workspace(2, "## a\n".repeat(101));
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "failed", failedItems: 2 });
    await mine.caller.patch(`/api/content/${mine.pieces[1]}`, { outline: SHORT_OUTLINE });
    await mine.caller.delete(`/api/content/${mine.pieces[0]}`);
    expect((await mine.caller.post(`/api/queue/jobs/${body.jobId}/retry`)).status).toBe(202);
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 1,
      failedItems: 1,
    });
    const again = await mine.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`);
    expect(again.body).toMatchObject({ type: "NOTHING_TO_DO", error: expect.stringContaining("have been deleted") });
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ failedItems: 1 });
  });

  it("when a piece is deleted at the moment its topic is queued", async () => {
    const mine = await workspace(2);
    const deleting = new pg.Client({ connectionString: databaseUrl() });
    await deleting.connect();
    await deleting.query("BEGIN");
    await deleting.query("DELETE FROM content_pieces WHERE id = $1", [mine.pieces[0]]);
    const queueing = mine.caller.post<Queued>(outlineQueueUrl(mine));
    await waitForLock();
    await deleting.query("COMMIT");
    await deleting.end();
    const { body } = await queueing;
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "completed", totalItems: 1 });
  });

  it("when a piece is deleted while its item is being created", async () => {
    const mine = await workspace(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const queueing = new pg.Client({ connectionString: databaseUrl() });
    await queueing.connect();
    await queueing.query("BEGIN");
    const { rows } = await queueing.query<{ job_id: string }>(
      `WITH piece AS (SELECT id FROM content_pieces WHERE id = $4 FOR KEY SHARE),
         job AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
           VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
       SELECT 'outline_generation', job.id, $1, $3, piece.id FROM job, piece RETURNING job_id`,
      [mine.id, mine.projectId, mine.topicId, mine.pieces[0]],
    );
    const deleting = mine.caller.delete(`/api/content/${mine.pieces[0]}`);
    await waitForLock();
    await queueing.query("COMMIT");
    await queueing.end();
    expect((await deleting).status).toBe(204);
    expect((await untilJobEnded(mine, rows[0]?.job_id ?? "")).job).toMatchObject({
      status: "cancelled",
      cancelledItems: 1,
    });
  });

  it("when an earlier release left items of deleted pieces in it", async () => {
    const mine = await workspace(1);
    const [job] = await query<{ id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items, status)
         VALUES ($1, $2, $3, 'outline_generation', 1, 'processing') RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
       SELECT 'outline_generation', j.id, $1, $3, gen_random_uuid() FROM j RETURNING job_id AS id`,
      [mine.id, mine.projectId, mine.topicId],
    );
    await mine.caller.post("/api/queue/resume");
    expect((await untilJobEnded(mine, job?.id ?? "")).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    const again = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    expect((await untilJobEnded(mine, again.body.jobId)).job.status).toBe("completed");
  });
});

describe("a job that is cancelled", () => {
  it("cancels an item that is being requeued at that moment", async () => {
    const mine = await workspace(1);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    backend.ai.faults.mode = "server-error";
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAsked(backend, 1);
    // Like the requeueing statement: it has locked the item and the job and has not committed yet.
    const requeueing = new pg.Client({ connectionString: databaseUrl() });
    await requeueing.connect();
    await requeueing.query("BEGIN");
    await requeueing.query("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [body.jobId]);
    await requeueing.query(
      "UPDATE processing_queue SET status = 'pending', claim_token = NULL, not_before = now() + interval '1 hour' WHERE job_id = $1",
      [body.jobId],
    );
    const cancelling = mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    await waitForLock();
    await requeueing.query("COMMIT");
    await requeueing.end();
    await cancelling;
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    open();
  });
});

describe("an item's tries", () => {
  it("are limited when saving a paid section fails unexpectedly", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    await query(
      `CREATE FUNCTION refuse_section() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.content_piece_id = TG_ARGV[0]::uuid THEN RAISE EXCEPTION 'no room on the disk'; END IF; RETURN NEW; END $$`,
    );
    await query(
      `CREATE TRIGGER refuse BEFORE INSERT ON written_sections FOR EACH ROW EXECUTE FUNCTION refuse_section('${mine.pieces[0]}')`,
    );
    try {
      const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
      const { contentQueue } = await fastForward(backend, mine, body.jobId);
      expect(contentQueue[0]).toMatchObject({ status: "failed", retryCount: 3 });
      expect(backend.ai.requests.length).toBeLessThanOrEqual(4);
    } finally {
      await query("DROP FUNCTION refuse_section CASCADE");
    }
  });

  it("are counted across all its steps", async () => {
    const mine = await workspace(1, outlineOf(3));
    backend.ai.faults.next([null, "server-error", "server-error", null, "server-error", "server-error"]);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    const { contentQueue } = await fastForward(backend, mine, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "failed", retryCount: 3 });
    expect(backend.ai.requests).toHaveLength(6);
  });
});

describe("retrying and resuming", () => {
  it("refuses to retry without a key, and changes nothing", async () => {
    const mine = await workspace(1, "## a\n".repeat(101));
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilJobEnded(mine, body.jobId);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: null });
    const refused = await mine.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`);
    expect([refused.status, refused.body.type]).toEqual([400, "MISSING_API_KEY"]);
    expect((await untilJobEnded(mine, body.jobId)).job).toMatchObject({ status: "failed", failedItems: 1 });
  });

  it("refuses to resume without a key", async () => {
    const mine = await workspace(1);
    backend.ai.faults.mode = "unauthorized";
    await mine.caller.post(outlineQueueUrl(mine));
    await untilAllHeld(mine);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await mine.caller.post<Failed>("/api/queue/resume")).body.type).toBe("MISSING_API_KEY");
    await newPiece(mine, mine);
  });
});
