import type { ContentOut } from "@/lib/features/content/schema";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import {
  contents,
  deskWithPieces as deskWith,
  ended,
  type Failed,
  gate,
  hurried,
  outlines,
  type Queued,
  queueBackend,
  SHORT,
  status,
} from "@/tests/support/queue-desk";

const backend = queueBackend();

const deskWithPieces = (count: number, outline?: string) => deskWith(backend, count, outline);

describe("the two topic queues", () => {
  it("plans and then writes a whole topic, each piece once, and counts it", async () => {
    const desk = await deskWithPieces(5);
    const queued = await desk.caller.post<Queued>(outlines(desk));
    expect(queued).toMatchObject({
      status: 202,
      body: { jobId: expect.any(String), message: expect.stringContaining("5 outlines") },
    });
    expect((await ended(desk, queued.body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 5,
      totalItems: 5,
    });
    const written = await desk.caller.post<Queued>(contents(desk));
    const { job, counts, outlineQueue } = await ended(desk, written.body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 5 });
    expect(counts).toEqual({ outlinePending: 0, outlineCompleted: 5, contentPending: 0, contentCompleted: 5 });
    expect(outlineQueue).toHaveLength(5);
    for (const id of desk.pieces) {
      const { body } = await desk.caller.get<ContentOut>(`/api/content/${id}`);
      expect(body).toMatchObject({ isOutline: true, isTitleOnly: false, hasBody: true, version: 3 });
    }
    const [{ n }] = (await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
       WHERE p.user_id = $1 AND r.author = 'ai'`,
      [desk.id],
    )) as [{ n: number }];
    expect(n).toBe(10);
  });

  it("shows every job and item exactly once at any moment", async () => {
    const desk = await deskWithPieces(12);
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    let looks = 0;
    for (let isRunning = true; isRunning; looks++) {
      const { jobs, outlineQueue } = await status(desk);
      expect(jobs.map(({ id }) => id)).toEqual([body.jobId]);
      expect(new Set(outlineQueue.map(({ id }) => id)).size).toBe(12);
      expect(outlineQueue).toHaveLength(12);
      isRunning = jobs[0]?.completedAt === null;
    }
    expect(looks).toBeGreaterThan(2);
    await ended(desk, body.jobId);
  });

  it("says when there is nothing to do, when the key is missing, and when it runs already", async () => {
    const desk = await newDesk();
    expect((await desk.caller.post<Failed>(outlines(desk))).body.type).toBe("NOTHING_TO_DO");
    await newPiece(desk, desk);
    expect((await desk.caller.post<Failed>(outlines(desk))).body.type).toBe("MISSING_API_KEY");
    await desk.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    const clicks = await Promise.all([1, 2, 3].map(() => desk.caller.post<Failed & Queued>(outlines(desk))));
    expect(clicks.map((click) => click.status).sort()).toEqual([202, 409, 409]);
    const won = clicks.find((click) => click.status === 202)?.body.jobId ?? "";
    for (const click of clicks.filter((each) => each.status === 409)) {
      expect(click.body).toMatchObject({ type: "ALREADY_RUNNING", jobId: won });
    }
    await ended(desk, won);
  });

  it("says of a topic without pieces what to do next, not that they are done", async () => {
    const desk = await newDesk();
    const sentence = async (url: string) => (await desk.caller.post<Failed>(url)).body.error;
    const none = "This topic has no content pieces yet. Create content ideas first.";
    expect([await sentence(outlines(desk)), await sentence(contents(desk))]).toEqual([none, none]);
    const id = await newPiece(desk, desk);
    expect(await sentence(contents(desk))).toBe(
      "No piece in this topic that needs a text has an outline yet. Generate outlines first.",
    );
    await desk.caller.patch(`/api/content/${id}`, { outline: SHORT });
    const planned = "Every piece in this topic has an outline already. Create content ideas to add more.";
    expect(await sentence(outlines(desk))).toBe(planned);
    await desk.caller.patch(`/api/content/${id}`, { body: "Written." });
    const written = "Every piece in this topic has a text already. Create content ideas to add more.";
    expect([await sentence(outlines(desk)), await sentence(contents(desk))]).toEqual([planned, written]);
  });

  it("tries again as often as the row allows and no more, and keeps the others", async () => {
    const desk = await deskWithPieces(3);
    await query("UPDATE content_pieces SET title = 'Poison apple', angle = 'Poisonous' WHERE id = $1", [
      desk.pieces[0],
    ]);
    // Neighbours see its title; the angle stands in its own prompt alone.
    backend.ai.faults.matching("Poisonous", "server-error");
    const before = backend.ai.requests.length;
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    const { job, outlineQueue } = await hurried(backend, desk, body.jobId);
    expect(job).toMatchObject({ status: "completed", totalItems: 3, completedItems: 2, failedItems: 1 });
    expect(backend.ai.requests.length - before).toBe(2 + (1 + 3));
    const tries = outlineQueue.map((item) => [item.contentPieceId === desk.pieces[0], item.status, item.retryCount]);
    expect(tries.sort()).toEqual([
      [false, "completed", 0],
      [false, "completed", 0],
      [true, "failed", 3],
    ]);
  });

  it("holds the job on a refused key, and goes on after the person asks to resume", async () => {
    const desk = await deskWithPieces(2);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    const { outlineQueue } = await eventually(
      () => status(desk),
      (seen) => seen.outlineQueue.every(({ status, error }) => status === "pending" && error !== null),
    );
    expect(outlineQueue.map(({ retryCount, error }) => [retryCount, error])).toEqual(
      Array(2).fill([0, expect.stringContaining("API key")]),
    );
    backend.ai.faults.clear();
    expect((await desk.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 2 });
    const { job } = await hurried(backend, desk, body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 2, failedItems: 0 });
    expect((await desk.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`)).body.type).toBe("NOTHING_TO_DO");
  });

  it("fails at once, and asks for nothing, where an outline has too many sections", async () => {
    const desk = await deskWithPieces(1, "## a\n".repeat(101));
    const asked = backend.ai.requests.length;
    const { body } = await desk.caller.post<Queued>(contents(desk));
    const { job, contentQueue } = await ended(desk, body.jobId);
    expect(job).toMatchObject({ status: "failed", failedItems: 1 });
    expect(contentQueue).toMatchObject([{ retryCount: 0, error: expect.stringMatching(/101 sections; at most 100/) }]);
    expect(backend.ai.requests).toHaveLength(asked);
  });

  it("waits out a 429 as told without counting it as an attempt", async () => {
    const desk = await deskWithPieces(1);
    backend.ai.faults.next([{ kind: "rate-limit", retryAfter: "1" }]);
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    const { outlineQueue } = await ended(desk, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "completed", retryCount: 0 });
  });

  it("fails with AI_RATE_LIMITED's sentence when the waiting would pass a day", async () => {
    const desk = await deskWithPieces(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "40000" };
    const asked = backend.ai.requests.length;
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    const { outlineQueue } = await hurried(backend, desk, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "failed", error: expect.stringContaining("limiting") });
    // Twice 11 hours and more are waited whole; a third time would be too long.
    expect(backend.ai.requests.length - asked).toBe(3);
  });

  it("goes on with the section after the last one kept when a section fails", async () => {
    const desk = await deskWithPieces(1, SHORT);
    backend.ai.faults.next([null, "server-error", null]);
    const before = backend.ai.requests.length;
    const { body } = await desk.caller.post<Queued>(contents(desk));
    const { contentQueue } = await hurried(backend, desk, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "completed", retryCount: 1 });
    expect(backend.ai.requests.length - before).toBe(3);
    const piece = (await desk.caller.get<ContentOut>(`/api/content/${desk.pieces[0]}`)).body;
    expect(piece.body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("keeps an edit made while it was writing, pays for nothing more, and tells the person in a note", async () => {
    const desk = await deskWithPieces(1, SHORT);
    const url = `/api/content/${desk.pieces[0]}`;
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const asked = backend.ai.requests.length;
    const { body } = await desk.caller.post<Queued>(contents(desk));
    await eventually(
      async () => backend.ai.requests.length - asked,
      (count) => count === 1,
    );
    await desk.caller.patch(url, { outline: `${SHORT}\n\n## Gamma\nThird.` });
    open();
    const { contentQueue } = await ended(desk, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "completed", note: expect.stringContaining("revisions") });
    expect(backend.ai.requests.length - asked).toBe(1);
    const piece = (await desk.caller.get<ContentOut>(url)).body;
    expect(piece).toMatchObject({ body: "", outline: expect.stringContaining("Gamma") });
  });
});

describe("cancel, delete and resume", () => {
  it("cancels what waits and lets what runs end", async () => {
    const desk = await deskWithPieces(8);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    await eventually(
      () => status(desk),
      ({ outlineQueue }) => outlineQueue.some(({ error }) => error !== null),
    );
    expect((await desk.caller.post(`/api/queue/jobs/${body.jobId}/cancel`)).status).toBe(200);
    const { job } = await ended(desk, body.jobId);
    expect(job.status).toBe("cancelled");
    expect(job.completedItems + job.failedItems + job.cancelledItems).toBe(8);
  });

  it("takes a deleted piece out of its job, so that the job still ends", async () => {
    const desk = await deskWithPieces(2);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    await eventually(
      () => status(desk),
      ({ outlineQueue }) => outlineQueue.every(({ error }) => error !== null),
    );
    for (const id of desk.pieces) expect((await desk.caller.delete(`/api/content/${id}`)).status).toBe(204);
    expect((await ended(desk, body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 2 });
  });

  it("ends quietly when the topic is deleted in mid-job", async () => {
    const desk = await deskWithPieces(4);
    await desk.caller.post<Queued>(outlines(desk));
    expect((await desk.caller.delete(`/api/topics/${desk.topicId}`)).status).toBe(204);
    await eventually(
      () => query("SELECT id FROM processing_queue WHERE user_id = $1", [desk.id]),
      (rows) => rows.length === 0,
    );
    expect((await status(desk)).jobs).toEqual([]);
  });

  it("sends items again that the engine has lost, the caller's own only", async () => {
    const desk = await deskWithPieces(2);
    const [job] = await query<{ id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
         VALUES ($1, $2, $3, 'outline_generation', 2) RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, dispatched_at, updated_at)
       SELECT 'outline_generation', j.id, $1, $3, p.id, now() - interval '1 hour', now() - interval '1 hour'
       FROM j, content_pieces p WHERE p.topic_id = $3 RETURNING job_id AS id`,
      [desk.id, desk.projectId, desk.topicId],
    );
    const other = await newDesk();
    expect((await other.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 0 });
    expect((await desk.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 2 });
    expect((await ended(desk, job?.id ?? "")).job.completedItems).toBe(2);
  });

  it("counts a lease that ran out as an attempt, so that a poison item ends", async () => {
    const desk = await deskWithPieces(1);
    const [item] = await query<{ job_id: string; id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items, status)
         VALUES ($1, $2, $3, 'outline_generation', 1, 'processing') RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, claim_token, retry_count)
       SELECT 'outline_generation', j.id, $1, $3, $4, 'processing', gen_random_uuid(), 3 FROM j RETURNING job_id, id`,
      [desk.id, desk.projectId, desk.topicId, desk.pieces[0]],
    );
    await desk.caller.post("/api/queue/resume");
    const { job, outlineQueue } = await ended(desk, item?.job_id ?? "");
    expect(job).toMatchObject({ status: "failed", failedItems: 1 });
    expect(outlineQueue[0]).toMatchObject({ retryCount: 3, maxRetries: 3 });
  });

  it("hides another's job from cancel and retry", async () => {
    const desk = await deskWithPieces(1);
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    const other = await newDesk();
    expect((await other.caller.post(`/api/queue/jobs/${body.jobId}/cancel`)).status).toBe(404);
    expect((await other.caller.post(`/api/queue/jobs/${body.jobId}/retry`)).status).toBe(404);
    expect((await status(other)).jobs).toEqual([]);
    await ended(desk, body.jobId);
  });

  it("answers 304 while nothing has changed", async () => {
    const desk = await deskWithPieces(1);
    const first = await desk.caller.get("/api/queue/status");
    const etag = first.headers.get("etag") ?? "";
    expect((await desk.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(304);
    const { body } = await desk.caller.post<Queued>(outlines(desk));
    expect((await desk.caller.get("/api/queue/status", { "if-none-match": etag })).status).toBe(200);
    await ended(desk, body.jobId);
  });
});
