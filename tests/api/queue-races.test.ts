import pg from "pg";
import type { ContentOut } from "@/lib/features/content/schema";
import { eventually } from "@/tests/support/backend";
import { databaseUrl, query, waitingForLock } from "@/tests/support/db";
import { newPiece, revisionsOf } from "@/tests/support/factories";
import {
  allHeld,
  allWait,
  asked,
  contents,
  deskWithPieces,
  ended,
  type Failed,
  gate,
  hurried,
  itemRows,
  outlineOf,
  outlines,
  type QueueDesk,
  type Queued,
  queueBackend,
  SHORT,
  status,
} from "@/tests/support/queue-desk";

// Two things at once, in every order that paid twice, lost a text or never ended.

const backend = queueBackend();

const desk = (count: number, outline?: string) => deskWithPieces(backend, count, outline);
const read = async ({ caller, pieces }: QueueDesk, place = 0) =>
  (await caller.get<ContentOut>(`/api/content/${pieces[place]}`)).body;

describe("a job always ends", () => {
  it("when the pieces of its failed items are deleted and they are to be tried again", async () => {
    const mine = await desk(2, "## a\n".repeat(101));
    const { body } = await mine.caller.post<Queued>(contents(mine));
    expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "failed", failedItems: 2 });
    await mine.caller.patch(`/api/content/${mine.pieces[1]}`, { outline: SHORT });
    await mine.caller.delete(`/api/content/${mine.pieces[0]}`);
    expect((await mine.caller.post(`/api/queue/jobs/${body.jobId}/retry`)).status).toBe(202);
    expect((await ended(mine, body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 1,
      failedItems: 1,
    });
    const again = await mine.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`);
    expect(again.body).toMatchObject({ type: "NOTHING_TO_DO", error: expect.stringContaining("have been deleted") });
    expect((await ended(mine, body.jobId)).job).toMatchObject({ failedItems: 1 });
  });

  it("when a piece is deleted at the moment its topic is queued", async () => {
    const mine = await desk(2);
    const deleting = new pg.Client({ connectionString: databaseUrl() });
    await deleting.connect();
    await deleting.query("BEGIN");
    await deleting.query("DELETE FROM content_pieces WHERE id = $1", [mine.pieces[0]]);
    const queueing = mine.caller.post<Queued>(outlines(mine));
    await waitingForLock();
    await deleting.query("COMMIT");
    await deleting.end();
    const { body } = await queueing;
    expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "completed", totalItems: 1 });
  });

  it("when a piece is deleted while its item is being made", async () => {
    const mine = await desk(1);
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
    await waitingForLock();
    await queueing.query("COMMIT");
    await queueing.end();
    expect((await deleting).status).toBe(204);
    expect((await ended(mine, rows[0]?.job_id ?? "")).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
  });

  it("when an earlier release left it with items of pieces that are gone", async () => {
    const mine = await desk(1);
    const [job] = await query<{ id: string }>(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items, status)
         VALUES ($1, $2, $3, 'outline_generation', 1, 'processing') RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
       SELECT 'outline_generation', j.id, $1, $3, gen_random_uuid() FROM j RETURNING job_id AS id`,
      [mine.id, mine.projectId, mine.topicId],
    );
    await mine.caller.post("/api/queue/resume");
    expect((await ended(mine, job?.id ?? "")).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    const again = await mine.caller.post<Queued>(outlines(mine));
    expect((await ended(mine, again.body.jobId)).job.status).toBe("completed");
  });
});

describe("a job that is cancelled", () => {
  it("takes along an item that was being put back at that moment", async () => {
    const mine = await desk(1);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    backend.ai.faults.mode = "server-error";
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await asked(backend, 1);
    // As the statement that puts the item back does: it holds item and job, and is not committed yet.
    const puttingBack = new pg.Client({ connectionString: databaseUrl() });
    await puttingBack.connect();
    await puttingBack.query("BEGIN");
    await puttingBack.query("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [body.jobId]);
    await puttingBack.query(
      "UPDATE processing_queue SET status = 'pending', claim_token = NULL, is_try_open = false, not_before = now() + interval '1 hour' WHERE job_id = $1",
      [body.jobId],
    );
    const cancelling = mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    await waitingForLock();
    await puttingBack.query("COMMIT");
    await puttingBack.end();
    await cancelling;
    expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    open();
  });
});

describe("nothing is paid twice", () => {
  it("by the topic's queue while a piece is planned directly", async () => {
    const mine = await desk(2);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const direct = mine.caller.post<{ message: string }>(`/api/content/${mine.pieces[0]}/generate-outline`);
    await asked(backend, 1);
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    // The queue plans the other piece; this one waits for what is being paid already.
    await eventually(
      () => status(mine),
      ({ jobs }) => jobs[0]?.completedItems === 1,
    );
    expect(backend.ai.requests).toHaveLength(2);
    open();
    expect((await direct).body.message).toBe("Outline generated");
    expect((await hurried(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 2 });
    expect(backend.ai.requests).toHaveLength(2);
  });

  it("directly while the queue plans the piece, and nobody is said to have edited it", async () => {
    const mine = await desk(1);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await asked(backend, 1);
    const direct = await mine.caller.post<Failed>(`/api/content/${mine.pieces[0]}/generate-outline`);
    expect(direct).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: body.jobId } });
    open();
    expect((await ended(mine, body.jobId)).outlineQueue[0]).toMatchObject({ status: "completed", note: null });
    expect(backend.ai.requests).toHaveLength(1);
  });

  it("directly while the piece waits in a queue", async () => {
    const mine = await desk(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allWait(mine);
    backend.ai.faults.clear();
    const calls = backend.ai.requests.length;
    const direct = await mine.caller.post<Failed>(`/api/content/${mine.pieces[0]}/generate-outline`);
    expect(direct).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: body.jobId } });
    expect(backend.ai.requests).toHaveLength(calls);
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
  });

  it("by two tabs that ask for ideas of a topic", async () => {
    const mine = await desk(0);
    await mine.caller.post(`/api/topics/${mine.topicId}/add-suggested-keywords`, { keywords: ["seed trays"] });
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const ask = () =>
      mine.caller.post<Failed & { contentIdeas: unknown[] }>(`/api/projects/${mine.projectId}/generate-content-ideas`, {
        topicId: mine.topicId,
        ideasPerKeyword: 3,
      });
    const first = ask();
    await asked(backend, 1);
    expect((await ask()).body).toMatchObject({ type: "ALREADY_RUNNING", error: expect.stringContaining("already") });
    open();
    expect((await first).body.contentIdeas).toHaveLength(3);
    expect(backend.ai.requests).toHaveLength(1);
    expect((await ask()).status).toBe(200);
  });

  it("for ideas of a topic that is gone without saying so", async () => {
    const mine = await desk(0);
    await mine.caller.post(`/api/topics/${mine.topicId}/add-suggested-keywords`, { keywords: ["seed trays"] });
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const asking = mine.caller.post<Failed>(`/api/projects/${mine.projectId}/generate-content-ideas`, {
      topicId: mine.topicId,
    });
    await asked(backend, 1);
    await mine.caller.delete(`/api/topics/${mine.topicId}`);
    open();
    const answer = await asking;
    expect([answer.status, answer.body.error]).toEqual([404, expect.stringContaining("was deleted while ideas")]);
  });

  it.each(["?autoSave=true", ""])("by two tabs that ask for keywords of a topic%s", async (how) => {
    const mine = await desk(0);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const ask = () => mine.caller.post<Failed>(`/api/topics/${mine.topicId}/suggest-keywords${how}`);
    const first = ask();
    await asked(backend, 1);
    expect((await ask()).body.type).toBe("ALREADY_RUNNING");
    open();
    expect((await first).status).toBe(200);
    expect(backend.ai.requests).toHaveLength(1);
  });

  it("when the key is refused in the middle, the job is cancelled and the topic queued again", async () => {
    const mine = await desk(1, outlineOf(3));
    backend.ai.faults.next([null, null, "unauthorized"]);
    const first = await mine.caller.post<Queued>(contents(mine));
    await allHeld(mine);
    await mine.caller.post(`/api/queue/jobs/${first.body.jobId}/cancel`);
    expect((await ended(mine, first.body.jobId)).job.status).toBe("cancelled");
    const second = await mine.caller.post<Queued>(contents(mine));
    await hurried(backend, mine, second.body.jobId);
    // Two sections, the refused call, and the one section that was left.
    expect(backend.ai.requests).toHaveLength(4);
    expect((await read(mine)).body.match(/^## .+$/gm)).toHaveLength(3);
  });

  it("when a job is cancelled while a section is written: the section is kept for the next", async () => {
    const mine = await desk(1, SHORT);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const first = await mine.caller.post<Queued>(contents(mine));
    await asked(backend, 1);
    await mine.caller.post(`/api/queue/jobs/${first.body.jobId}/cancel`);
    open();
    expect((await ended(mine, first.body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    expect(backend.ai.requests).toHaveLength(1);
    const second = await mine.caller.post<Queued>(contents(mine));
    await ended(mine, second.body.jobId);
    expect(backend.ai.requests).toHaveLength(2);
    expect((await read(mine)).body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("when a run is cancelled in the engine while its section is written: a new run waits for that section", async () => {
    const mine = await desk(1, SHORT);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const first = await mine.caller.post<Queued>(contents(mine));
    await asked(backend, 1);
    const [item] = await itemRows(mine);
    const run = backend.engine.engine.findRun(item?.run_id ?? "");
    if (!run) throw new Error("no run");
    backend.engine.engine.cancel(run);
    expect((await ended(mine, first.body.jobId)).job.status).toBe("cancelled");
    const second = await mine.caller.post<Queued>(contents(mine));
    await eventually(
      () => itemRows(mine),
      (rows) => rows[1]?.run_id !== null || rows.length > 1,
    );
    open();
    await hurried(backend, mine, second.body.jobId);
    expect(backend.ai.requests).toHaveLength(2);
    expect((await read(mine)).body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("when only the title was changed meanwhile: that is no edit of the text", async () => {
    const mine = await desk(1, SHORT);
    const { until, open } = gate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contents(mine));
    await asked(backend, 2);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { title: "A better title" });
    open();
    expect((await ended(mine, body.jobId)).contentQueue[0]).toMatchObject({ status: "completed", retryCount: 0 });
    expect(await read(mine)).toMatchObject({ title: "A better title", hasBody: true });
  });

  it("by two processes that are called for the same step", async () => {
    const mine = await desk(1);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await asked(backend, 1);
    const [item] = await itemRows(mine);
    // As another process would, which shares nothing but the database.
    const { claimItem } = await import("@/lib/features/jobs/sql/items");
    const run = {
      itemId: item?.id ?? "",
      jobType: "outline_generation",
      dispatch: `${item?.id}-${item?.dispatch_seq}`,
      runId: item?.run_id ?? "",
    } as const;
    expect(await claimItem(run)).toBeUndefined();
    open();
    await ended(mine, body.jobId);
  });
});

describe("a person's text stays on top", () => {
  /** The item's lease has run out, and its process comes back later. */
  const loseLease = async (mine: QueueDesk) => {
    await query("UPDATE leases SET until = now() WHERE user_id = $1", [mine.id]);
    const { freeLostItems } = await import("@/lib/features/jobs/sql/items");
    expect(await freeLostItems(mine.id)).toBe(1);
  };

  it("when it was typed while the database was away and the work had lost its lease", async () => {
    const mine = await desk(1, SHORT);
    const { until, open } = gate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contents(mine));
    await asked(backend, 2);
    await loseLease(mine);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { body: "Typed by hand." });
    open();
    const { contentQueue } = await hurried(backend, mine, body.jobId);
    expect(contentQueue[0]).toMatchObject({
      status: "completed",
      note: expect.stringContaining("You edited this piece"),
    });
    expect((await read(mine)).body).toBe("Typed by hand.");
    const kept = (await revisionsOf(mine, `/api/content/${mine.pieces[0]}`)).filter(({ author }) => author === "ai");
    expect(kept).toMatchObject([{ version: null, body: expect.stringContaining("## Alpha") }]);
    expect(backend.ai.requests).toHaveLength(2);
  });

  it("and what was set aside does not land later, unpaid and called generated", async () => {
    const mine = await desk(1, SHORT);
    const url = `/api/content/${mine.pieces[0]}`;
    const { until, open } = gate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contents(mine));
    await asked(backend, 2);
    await mine.caller.patch(url, { body: "Typed by hand." });
    open();
    await ended(mine, body.jobId);
    const before = backend.ai.requests.length;
    expect((await mine.caller.post(`${url}/generate-from-outline`)).status).toBe(200);
    expect(backend.ai.requests.length - before).toBe(2);
  });

  it("when an outline that was planned too long meets another run's", async () => {
    const mine = await desk(1);
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await asked(backend, 1);
    await loseLease(mine);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { outline: SHORT });
    open();
    const { outlineQueue } = await hurried(backend, mine, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "completed", note: null });
    expect((await read(mine)).outline).toBe(SHORT);
    const kept = (await revisionsOf(mine, `/api/content/${mine.pieces[0]}`)).filter(({ author }) => author === "ai");
    expect(kept).toMatchObject([{ version: null, outline: expect.stringContaining("## ") }]);
  });
});

describe("tries are bounded by the row", () => {
  it("also when what fails is not in the catalogue, after the call was paid", async () => {
    const mine = await desk(1, SHORT);
    await query(
      `CREATE FUNCTION refuse_section() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.content_piece_id = TG_ARGV[0]::uuid THEN RAISE EXCEPTION 'no room on the disk'; END IF; RETURN NEW; END $$`,
    );
    await query(
      `CREATE TRIGGER refuse BEFORE INSERT ON written_sections FOR EACH ROW EXECUTE FUNCTION refuse_section('${mine.pieces[0]}')`,
    );
    try {
      const { body } = await mine.caller.post<Queued>(contents(mine));
      await eventually(
        async () => {
          // The lease of a call that was never settled has to run out each time.
          await query("UPDATE leases SET until = now() WHERE user_id = $1", [mine.id]);
          backend.engine.engine.wake();
          return status(mine);
        },
        ({ jobs }) => jobs[0]?.completedAt !== null,
      );
      const { contentQueue } = await ended(mine, body.jobId);
      expect(contentQueue[0]).toMatchObject({ status: "failed", retryCount: 3 });
      expect(backend.ai.requests.length).toBeLessThanOrEqual(4);
    } finally {
      await query("DROP FUNCTION refuse_section CASCADE");
    }
  });

  it("over all steps of an item", async () => {
    const mine = await desk(1, outlineOf(3));
    backend.ai.faults.next([null, "server-error", "server-error", null, "server-error", "server-error"]);
    const { body } = await mine.caller.post<Queued>(contents(mine));
    const { contentQueue } = await hurried(backend, mine, body.jobId);
    expect(contentQueue[0]).toMatchObject({ status: "failed", retryCount: 3 });
    expect(backend.ai.requests).toHaveLength(6);
  });
});

describe("trying again", () => {
  it("is refused without a key, before anything is changed", async () => {
    const mine = await desk(1, "## a\n".repeat(101));
    const { body } = await mine.caller.post<Queued>(contents(mine));
    await ended(mine, body.jobId);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: null });
    const refused = await mine.caller.post<Failed>(`/api/queue/jobs/${body.jobId}/retry`);
    expect([refused.status, refused.body.type]).toEqual([400, "MISSING_API_KEY"]);
    expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "failed", failedItems: 1 });
  });

  it("resumes nothing without a key, and says what is missing", async () => {
    const mine = await desk(1);
    backend.ai.faults.mode = "unauthorized";
    await mine.caller.post(outlines(mine));
    await allHeld(mine);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await mine.caller.post<Failed>("/api/queue/resume")).body.type).toBe("MISSING_API_KEY");
    await newPiece(mine, mine);
  });
});
