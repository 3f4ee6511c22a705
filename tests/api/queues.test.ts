import type { ContentOut } from "@/lib/features/content/schema";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import {
  contentQueueUrl,
  type Failed,
  fastForward,
  outlineQueueUrl,
  type Queued,
  queueBackend,
  SHORT_OUTLINE,
  status,
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

  it("start one job for three clicks at once, and name it to the others", async () => {
    const workspace = await workspaceOf(1);
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
});
