import type { ContentOut } from "@/lib/features/content/schema";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { revisionsOf } from "@/tests/support/factories";
import {
  contentQueueUrl,
  createGate,
  type Failed,
  fastForward,
  itemRows,
  outlineOf,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  SHORT_OUTLINE,
  status,
  untilAllHeld,
  untilAllWaiting,
  untilAsked,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// Concurrent actions, in every order that once paid twice or lost a text.

const backend = queueBackend();

const workspace = (count: number, outline?: string) => workspaceWithPieces(backend, count, outline);
const read = async ({ caller, pieces }: QueueWorkspace, place = 0) =>
  (await caller.get<ContentOut>(`/api/content/${pieces[place]}`)).body;

describe("nothing is paid twice", () => {
  it("waits in the queue for an outline that is being generated directly", async () => {
    const mine = await workspace(2);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const direct = mine.caller.post<{ message: string }>(`/api/content/${mine.pieces[0]}/generate-outline`);
    await untilAsked(backend, 1);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    // The queue outlines the other piece; this one waits for the call in progress.
    await eventually(
      () => status(mine),
      ({ jobs }) => jobs[0]?.completedItems === 1,
    );
    expect(backend.ai.requests).toHaveLength(2);
    open();
    expect((await direct).body.message).toBe("Outline generated");
    expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 2,
    });
    expect(backend.ai.requests).toHaveLength(2);
  });

  it("refuses a direct request while the queue generates the outline, and leaves no note of an edit", async () => {
    const mine = await workspace(1);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAsked(backend, 1);
    const direct = await mine.caller.post<Failed>(`/api/content/${mine.pieces[0]}/generate-outline`);
    expect(direct).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: body.jobId } });
    open();
    expect((await untilJobEnded(mine, body.jobId)).outlineQueue[0]).toMatchObject({ status: "completed", note: null });
    expect(backend.ai.requests).toHaveLength(1);
  });

  it("refuses a direct request while the piece waits in a queue", async () => {
    const mine = await workspace(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllWaiting(mine);
    backend.ai.faults.clear();
    const calls = backend.ai.requests.length;
    const direct = await mine.caller.post<Failed>(`/api/content/${mine.pieces[0]}/generate-outline`);
    expect(direct).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: body.jobId } });
    expect(backend.ai.requests).toHaveLength(calls);
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
  });

  it("refuses a second request for a topic's ideas while the first is running", async () => {
    const mine = await workspace(0);
    await mine.caller.post(`/api/topics/${mine.topicId}/add-suggested-keywords`, { keywords: ["seed trays"] });
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const ask = () =>
      mine.caller.post<Failed & { contentIdeas: unknown[] }>(`/api/projects/${mine.projectId}/generate-content-ideas`, {
        topicId: mine.topicId,
        ideasPerKeyword: 3,
      });
    const first = ask();
    await untilAsked(backend, 1);
    expect((await ask()).body).toMatchObject({ type: "ALREADY_RUNNING", error: expect.stringContaining("already") });
    open();
    expect((await first).body.contentIdeas).toHaveLength(3);
    expect(backend.ai.requests).toHaveLength(1);
    expect((await ask()).status).toBe(200);
  });

  it("says that the topic was deleted while its ideas were being generated", async () => {
    const mine = await workspace(0);
    await mine.caller.post(`/api/topics/${mine.topicId}/add-suggested-keywords`, { keywords: ["seed trays"] });
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const asking = mine.caller.post<Failed>(`/api/projects/${mine.projectId}/generate-content-ideas`, {
      topicId: mine.topicId,
    });
    await untilAsked(backend, 1);
    await mine.caller.delete(`/api/topics/${mine.topicId}`);
    open();
    const answer = await asking;
    expect([answer.status, answer.body.error]).toEqual([404, expect.stringContaining("was deleted while ideas")]);
  });

  it.each(["?autoSave=true", ""])("refuses a second request for a topic's keywords%s", async (how) => {
    const mine = await workspace(0);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const ask = () => mine.caller.post<Failed>(`/api/topics/${mine.topicId}/suggest-keywords${how}`);
    const first = ask();
    await untilAsked(backend, 1);
    expect((await ask()).body.type).toBe("ALREADY_RUNNING");
    open();
    expect((await first).status).toBe(200);
    expect(backend.ai.requests).toHaveLength(1);
  });

  it("writes only the missing section after a refused key and a cancelled job", async () => {
    const mine = await workspace(1, outlineOf(3));
    backend.ai.faults.next([null, null, "unauthorized"]);
    const first = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAllHeld(mine);
    await mine.caller.post(`/api/queue/jobs/${first.body.jobId}/cancel`);
    expect((await untilJobEnded(mine, first.body.jobId)).job.status).toBe("cancelled");
    const second = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await fastForward(backend, mine, second.body.jobId);
    // Two sections, the refused call, and the one section that was left.
    expect(backend.ai.requests).toHaveLength(4);
    expect((await read(mine)).body.match(/^## .+$/gm)).toHaveLength(3);
  });

  it("reuses the section that was being written when the previous job was cancelled", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const first = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 1);
    await mine.caller.post(`/api/queue/jobs/${first.body.jobId}/cancel`);
    open();
    expect((await untilJobEnded(mine, first.body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    expect(backend.ai.requests).toHaveLength(1);
    const second = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilJobEnded(mine, second.body.jobId);
    expect(backend.ai.requests).toHaveLength(2);
    expect((await read(mine)).body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("waits in a new run for the section that a run cancelled in the engine is still writing", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const first = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 1);
    const [item] = await itemRows(mine);
    const run = backend.engine.engine.findRun(item?.run_id ?? "");
    if (!run) throw new Error("no run");
    backend.engine.engine.cancel(run);
    expect((await untilJobEnded(mine, first.body.jobId)).job.status).toBe("cancelled");
    const second = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await eventually(
      () => itemRows(mine),
      (rows) => rows[1]?.run_id !== null || rows.length > 1,
    );
    open();
    await fastForward(backend, mine, second.body.jobId);
    expect(backend.ai.requests).toHaveLength(2);
    expect((await read(mine)).body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta"]);
  });

  it("does not count a changed title as an edit of the text", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    const { until, open } = createGate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 2);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { title: "A better title" });
    open();
    expect((await untilJobEnded(mine, body.jobId)).contentQueue[0]).toMatchObject({
      status: "completed",
      retryCount: 0,
    });
    expect(await read(mine)).toMatchObject({ title: "A better title", hasBody: true });
  });
});

describe("a user's edit", () => {
  /** Another run takes the item over, whose lease expired while its process was still working. */
  const loseLease = async (mine: QueueWorkspace) => {
    await query("UPDATE leases SET until = now() - interval '1 second' WHERE user_id = $1", [mine.id]);
    await query("UPDATE processing_queue SET claim_token = gen_random_uuid() WHERE user_id = $1", [mine.id]);
  };

  it("is kept when the text is finished after its lease expired", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    const { until, open } = createGate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 2);
    await loseLease(mine);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { body: "Typed by hand." });
    open();
    const { contentQueue } = await fastForward(backend, mine, body.jobId);
    expect(contentQueue[0]).toMatchObject({
      status: "completed",
      note: expect.stringContaining("You edited this piece"),
    });
    expect((await read(mine)).body).toBe("Typed by hand.");
    const kept = (await revisionsOf(mine, `/api/content/${mine.pieces[0]}`)).filter(({ author }) => author === "ai");
    expect(kept).toMatchObject([{ version: null, body: expect.stringContaining("## Alpha") }]);
    expect(backend.ai.requests).toHaveLength(2);
  });

  it("discards the sections written before it, so that the next generation writes all of them", async () => {
    const mine = await workspace(1, SHORT_OUTLINE);
    const url = `/api/content/${mine.pieces[0]}`;
    const { until, open } = createGate();
    backend.ai.faults.next([null, { kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 2);
    await mine.caller.patch(url, { body: "Typed by hand." });
    open();
    await untilJobEnded(mine, body.jobId);
    const before = backend.ai.requests.length;
    expect((await mine.caller.post(`${url}/generate-from-outline`)).status).toBe(200);
    expect(backend.ai.requests.length - before).toBe(2);
  });

  it("is kept when an outline is finished after its lease expired; that outline becomes a revision", async () => {
    const mine = await workspace(1);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAsked(backend, 1);
    await loseLease(mine);
    await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { outline: SHORT_OUTLINE });
    open();
    const { outlineQueue } = await fastForward(backend, mine, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "completed", note: null });
    expect((await read(mine)).outline).toBe(SHORT_OUTLINE);
    const kept = (await revisionsOf(mine, `/api/content/${mine.pieces[0]}`)).filter(({ author }) => author === "ai");
    expect(kept).toMatchObject([{ version: null, outline: expect.stringContaining("## ") }]);
  });
});
