import type { ContentOut } from "@/lib/features/content/schema";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import {
  contentQueueUrl,
  createGate,
  type Failed,
  fastForward,
  outlineQueueUrl,
  type Queued,
  queueBackend,
  SHORT_OUTLINE,
  status,
  untilAllWaiting,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

const backend = queueBackend();

const workspaceOf = (count: number, outline?: string) => workspaceWithPieces(backend, count, outline);

describe("the two topic queues", () => {
  it("plans and then writes a whole topic, each piece once, and counts the items", async () => {
    const workspace = await workspaceOf(5);
    const queued = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    expect(queued).toMatchObject({
      status: 202,
      body: { jobId: expect.any(String), message: expect.stringContaining("5 outlines") },
    });
    expect((await untilJobEnded(workspace, queued.body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 5,
      totalItems: 5,
    });
    const written = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
    const { job, counts, outlineQueue } = await untilJobEnded(workspace, written.body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 5 });
    expect(counts).toEqual({ outlinePending: 0, outlineCompleted: 5, contentPending: 0, contentCompleted: 5 });
    expect(outlineQueue).toHaveLength(5);
    for (const id of workspace.pieces) {
      const { body } = await workspace.caller.get<ContentOut>(`/api/content/${id}`);
      expect(body).toMatchObject({ isOutline: true, isTitleOnly: false, hasBody: true, version: 3 });
    }
    const [{ n }] = (await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
       WHERE p.user_id = $1 AND r.author = 'ai'`,
      [workspace.id],
    )) as [{ n: number }];
    expect(n).toBe(10);
  });

  it("take no more than 100,000 pieces of a user a day, and leave no job behind", async () => {
    const workspace = await workspaceOf(2);
    const [{ consumeLimits }, { env }] = await Promise.all([import("@/lib/limits/rate-limits"), import("@/lib/env")]);
    const used = 100_000 * env.RATE_LIMIT_SCALE - 1;
    await consumeLimits({ name: "items", subject: workspace.id, count: used });
    const { status, body } = await workspace.caller.post<Failed>(outlineQueueUrl(workspace));
    expect([status, body.type, body.error]).toEqual([
      429,
      "RATE_LIMITED",
      "You have queued 100,000 pieces within a day, the most that is possible. Try again in 24 hours.",
    ]);
    expect(await query("SELECT 1 FROM processing_jobs WHERE user_id = $1", [workspace.id])).toEqual([]);
    await query("DELETE FROM rate_limits");
    expect((await workspace.caller.post(outlineQueueUrl(workspace))).status).toBe(202);
  });

  it("takes as many pieces as the topic says it would", async () => {
    const { caller, pieces, ...workspace } = await workspaceOf(3);
    const written = await newPiece(workspace, workspace, { body: "A text." });
    for (const id of [pieces[0], written]) await caller.patch(`/api/content/${id}`, { outline: SHORT_OUTLINE });
    const topic = await caller.get(`/api/topics/${workspace.topicId}`);
    expect(topic.body).toMatchObject({ contentCount: 4, unoutlinedCount: 2, unwrittenCount: 1 });
    expect((await caller.get(`/api/projects/${workspace.projectId}/topics`)).body).toEqual([topic.body]);
    const messageOf = async (url: string) => (await caller.post<Queued>(url)).body.message;
    expect(await messageOf(contentQueueUrl(workspace))).toMatch(/^1 post /);
    expect(await messageOf(outlineQueueUrl(workspace))).toMatch(/^2 outlines /);
  });

  it("shows every job and item exactly once at any moment", async () => {
    const workspace = await workspaceOf(12);
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    let looks = 0;
    for (let isRunning = true; isRunning; looks++) {
      const { jobs, outlineQueue } = await status(workspace);
      expect(jobs.map(({ id }) => id)).toEqual([body.jobId]);
      expect(new Set(outlineQueue.map(({ id }) => id)).size).toBe(12);
      expect(outlineQueue).toHaveLength(12);
      isRunning = jobs[0]?.completedAt === null;
    }
    expect(looks).toBeGreaterThan(2);
    await untilJobEnded(workspace, body.jobId);
  });

  it("says when there is nothing to do, when the key is missing, and when it is already running", async () => {
    const workspace = await newWorkspace();
    expect((await workspace.caller.post<Failed>(outlineQueueUrl(workspace))).body.type).toBe("NOTHING_TO_DO");
    await newPiece(workspace, workspace);
    expect((await workspace.caller.post<Failed>(outlineQueueUrl(workspace))).body.type).toBe("MISSING_API_KEY");
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    const clicks = await Promise.all(
      [1, 2, 3].map(() => workspace.caller.post<Failed & Queued>(outlineQueueUrl(workspace))),
    );
    expect(clicks.map((click) => click.status).sort()).toEqual([202, 409, 409]);
    const won = clicks.find((click) => click.status === 202)?.body.jobId ?? "";
    for (const click of clicks.filter((each) => each.status === 409)) {
      expect(click.body).toMatchObject({ type: "ALREADY_RUNNING", jobId: won });
    }
    await untilJobEnded(workspace, won);
  });

  it("says what to do next for a topic without pieces", async () => {
    const workspace = await newWorkspace();
    const sentence = async (url: string) => (await workspace.caller.post<Failed>(url)).body.error;
    const none = "This topic has no content pieces yet. Create content ideas first.";
    expect([await sentence(outlineQueueUrl(workspace)), await sentence(contentQueueUrl(workspace))]).toEqual([
      none,
      none,
    ]);
    const id = await newPiece(workspace, workspace);
    expect(await sentence(contentQueueUrl(workspace))).toBe(
      "No piece in this topic that needs a text has an outline yet. Generate outlines first.",
    );
    await workspace.caller.patch(`/api/content/${id}`, { outline: SHORT_OUTLINE });
    const planned = "Every piece in this topic has an outline already. Create content ideas to add more.";
    expect(await sentence(outlineQueueUrl(workspace))).toBe(planned);
    await workspace.caller.patch(`/api/content/${id}`, { body: "Written." });
    const written = "Every piece in this topic has a text already. Create content ideas to add more.";
    expect([await sentence(outlineQueueUrl(workspace)), await sentence(contentQueueUrl(workspace))]).toEqual([
      planned,
      written,
    ]);
  });

  it("retries a failing item up to its limit, and completes the others", async () => {
    const workspace = await workspaceOf(3);
    await query("UPDATE content_pieces SET title = 'Poison apple', angle = 'Poisonous' WHERE id = $1", [
      workspace.pieces[0],
    ]);
    // Other prompts contain its title, but only its own contains the angle.
    backend.ai.faults.matching("Poisonous", "server-error");
    const before = backend.ai.requests.length;
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const { job, outlineQueue } = await fastForward(backend, workspace, body.jobId);
    expect(job).toMatchObject({ status: "completed", totalItems: 3, completedItems: 2, failedItems: 1 });
    expect(backend.ai.requests.length - before).toBe(2 + (1 + 3));
    const tries = outlineQueue.map((item) => [
      item.contentPieceId === workspace.pieces[0],
      item.status,
      item.retryCount,
    ]);
    expect(tries.sort()).toEqual([
      [false, "completed", 0],
      [false, "completed", 0],
      [true, "failed", 3],
    ]);
  });

  it("holds the job on a refused key, and continues when the user resumes", async () => {
    const workspace = await workspaceOf(2);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const { outlineQueue } = await eventually(
      () => status(workspace),
      (seen) => seen.outlineQueue.every(({ status, error }) => status === "pending" && error !== null),
    );
    expect(outlineQueue.map(({ retryCount, error }) => [retryCount, error])).toEqual(
      Array(2).fill([0, expect.stringContaining("API key")]),
    );
    backend.ai.faults.clear();
    expect((await workspace.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 2 });
    const { job } = await fastForward(backend, workspace, body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 2, failedItems: 0 });
    expect((await workspace.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`)).body.type).toBe(
      "NOTHING_TO_DO",
    );
  });

  it("fails at once, without a call, when an outline has too many sections", async () => {
    const workspace = await workspaceOf(1, "## a\n".repeat(101));
    const callsBefore = backend.ai.requests.length;
    const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
    const { job, contentQueue } = await untilJobEnded(workspace, body.jobId);
    expect(job).toMatchObject({ status: "failed", failedItems: 1 });
    expect(contentQueue).toMatchObject([{ retryCount: 0, error: expect.stringMatching(/101 sections; at most 100/) }]);
    expect(backend.ai.requests).toHaveLength(callsBefore);
  });

  it("waits out a 429's retry-after without counting an attempt", async () => {
    const workspace = await workspaceOf(1);
    backend.ai.faults.next([{ kind: "rate-limit", retryAfter: "1" }]);
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const { outlineQueue } = await untilJobEnded(workspace, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "completed", retryCount: 0 });
  });

  it("fails with AI_RATE_LIMITED's sentence after a day of waits, at whose end it is asked once more", async () => {
    const workspace = await workspaceOf(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "36000" };
    const callsBefore = backend.ai.requests.length;
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    await untilAllWaiting(workspace);
    await query("UPDATE provider_waits SET limited_since = limited_since - interval '1 day' WHERE user_id = $1", [
      workspace.id,
    ]);
    const { outlineQueue } = await fastForward(backend, workspace, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "failed", error: expect.stringContaining("limiting") });
    expect(backend.ai.requests.length - callsBefore).toBe(2);
  });

  it("continues after the last saved section when a section fails", async () => {
    const workspace = await workspaceOf(1, SHORT_OUTLINE);
    backend.ai.faults.next([null, "server-error", null]);
    const before = backend.ai.requests.length;
    const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
    const { contentQueue } = await fastForward(backend, workspace, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "completed", retryCount: 1 });
    expect(backend.ai.requests.length - before).toBe(3);
    const piece = (await workspace.caller.get<ContentOut>(`/api/content/${workspace.pieces[0]}`)).body;
    expect(piece.body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("keeps an edit made meanwhile, pays for nothing more, and leaves a note", async () => {
    const workspace = await workspaceOf(1, SHORT_OUTLINE);
    const url = `/api/content/${workspace.pieces[0]}`;
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const callsBefore = backend.ai.requests.length;
    const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
    await eventually(
      async () => backend.ai.requests.length - callsBefore,
      (count) => count === 1,
    );
    await workspace.caller.patch(url, { outline: `${SHORT_OUTLINE}\n\n## Gamma\nThird.` });
    open();
    const { contentQueue } = await untilJobEnded(workspace, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "completed", note: expect.stringContaining("revisions") });
    expect(backend.ai.requests.length - callsBefore).toBe(1);
    const piece = (await workspace.caller.get<ContentOut>(url)).body;
    expect(piece).toMatchObject({ body: "", outline: expect.stringContaining("Gamma") });
  });
});

describe("cancel, delete and resume", () => {
  it("cancels waiting items and lets running ones finish", async () => {
    const workspace = await workspaceOf(8);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    await eventually(
      () => status(workspace),
      ({ outlineQueue }) => outlineQueue.some(({ error }) => error !== null),
    );
    expect((await workspace.caller.post(`/api/queue/jobs/${body.jobId}/cancel`)).status).toBe(200);
    const { job } = await untilJobEnded(workspace, body.jobId);
    expect(job.status).toBe("cancelled");
    expect(job.completedItems + job.failedItems + job.cancelledItems).toBe(8);
  });

  it("removes a deleted piece from its job, so that the job still ends", async () => {
    const workspace = await workspaceOf(2);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    await eventually(
      () => status(workspace),
      ({ outlineQueue }) => outlineQueue.every(({ error }) => error !== null),
    );
    for (const id of workspace.pieces) expect((await workspace.caller.delete(`/api/content/${id}`)).status).toBe(204);
    expect((await untilJobEnded(workspace, body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 2 });
  });

  it("ends quietly when the topic is deleted during a job", async () => {
    const workspace = await workspaceOf(4);
    await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    expect((await workspace.caller.delete(`/api/topics/${workspace.topicId}`)).status).toBe(204);
    await eventually(
      () => query("SELECT id FROM processing_queue WHERE user_id = $1", [workspace.id]),
      (rows) => rows.length === 0,
    );
    expect((await status(workspace)).jobs).toEqual([]);
  });

  it("resends items that the engine has lost, the caller's own only", async () => {
    const workspace = await workspaceOf(2);
    const [job] = await query<{ id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
         VALUES ($1, $2, $3, 'outline_generation', 2) RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, sent_at, updated_at)
       SELECT 'outline_generation', j.id, $1, $3, p.id, now() - interval '1 hour', now() - interval '1 hour'
       FROM j, content_pieces p WHERE p.topic_id = $3 RETURNING job_id AS id`,
      [workspace.id, workspace.projectId, workspace.topicId],
    );
    const other = await newWorkspace();
    expect((await other.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 0 });
    expect((await workspace.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 1 });
    expect((await untilJobEnded(workspace, job?.id ?? "")).job.completedItems).toBe(2);
  });

  it("counts an expired lease as an attempt, so that a poison item ends", async () => {
    const workspace = await workspaceOf(1);
    const [item] = await query<{ job_id: string; id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items, status)
         VALUES ($1, $2, $3, 'outline_generation', 1, 'processing') RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, claim_token, retry_count)
       SELECT 'outline_generation', j.id, $1, $3, $4, 'processing', gen_random_uuid(), 3 FROM j RETURNING job_id, id`,
      [workspace.id, workspace.projectId, workspace.topicId, workspace.pieces[0]],
    );
    await workspace.caller.post("/api/queue/resume");
    const { job, outlineQueue } = await untilJobEnded(workspace, item?.job_id ?? "");
    expect(job).toMatchObject({ status: "failed", failedItems: 1 });
    expect(outlineQueue[0]).toMatchObject({ retryCount: 3, maxRetries: 3 });
  });

  it("hides another user's job from cancel and retry", async () => {
    const workspace = await workspaceOf(1);
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const other = await newWorkspace();
    expect((await other.caller.post(`/api/queue/jobs/${body.jobId}/cancel`)).status).toBe(404);
    expect((await other.caller.post(`/api/queue/jobs/${body.jobId}/retry`)).status).toBe(404);
    expect((await status(other)).jobs).toEqual([]);
    await untilJobEnded(workspace, body.jobId);
  });

  it("answers 304 while nothing has changed", async () => {
    const workspace = await workspaceOf(1);
    const first = await workspace.caller.get("/api/queue/status");
    const etag = first.headers.get("etag") ?? "";
    expect((await workspace.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(304);
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    expect((await workspace.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(200);
    await untilJobEnded(workspace, body.jobId);
  });
});
