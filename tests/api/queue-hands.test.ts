import type { QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";
import {
  contentQueueUrl,
  createGate,
  expectInvariants,
  type Failed,
  fastForward,
  outlineOf,
  outlineQueueUrl,
  type Queued,
  queueBackend,
  SHORT_OUTLINE,
  status,
  untilAllHeld,
  untilAsked,
  untilAsleep,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

const backend = queueBackend();

const DECLINED = "The AI provider declined to write this. Change the wording of the topic or title, then try again.";
const item = (id: string, verb: string) => `/api/queue/items/${id}/${verb}`;

/** Has the provider decline what is about these pieces. */
function decline(...letters: string[]): void {
  for (const letter of letters) backend.ai.faults.matching(`"title": "Piece ${letter}`, "filtered");
}

const names = (items: QueueItemOut[]) => items.map(({ title }) => title);

describe("what needs the user", () => {
  it("is each reason once, and goes with a retry, a dismissal or the user's own text", async () => {
    const workspace = await workspaceWithPieces(backend, 6);
    const { caller, pieces } = workspace;
    decline("B", "C", "D");
    const { body } = await caller.post<Queued>(outlineQueueUrl(workspace));
    const { job, needs } = await untilJobEnded(workspace, body.jobId);
    expect(job).toMatchObject({ completedItems: 3, failedItems: 3 });
    const need = { kind: "failed", jobType: "outline_generation", project: null, reason: DECLINED };
    expect(needs).toEqual([{ ...need, items: 3 }]);

    await caller.patch(`/api/content/${pieces[1]}`, { outline: SHORT_OUTLINE });
    expect((await status(workspace)).needs).toEqual([{ ...need, items: 2 }]);

    await caller.delete(`/api/content/${pieces[2]}`);
    expect((await status(workspace)).needs).toEqual([{ ...need, items: 1 }]);

    const other = await caller.post<{ dismissed: number }>("/api/queue/dismiss-failed", { reason: "Another." });
    expect(other.body).toEqual({ dismissed: 0 });
    const dismissed = await caller.post<{ dismissed: number }>("/api/queue/dismiss-failed", { reason: DECLINED });
    expect(dismissed.body).toEqual({ dismissed: 1 });
    expect((await status(workspace)).needs).toEqual([]);
    expect((await caller.post<Failed>("/api/queue/retry-failed", {})).body).toMatchObject({
      type: "NOTHING_TO_DO",
      error: "No failed items need another try.",
    });
  });

  it("is tried again by one press, in jobs of several topics, also in those that still run", async () => {
    const workspace = await workspaceWithPieces(backend, 4);
    const { caller } = workspace;
    decline("A");
    const gate = createGate();
    backend.ai.faults.matching('"title": "Piece D', { kind: "held", until: gate.until });
    const { body } = await caller.post<Queued>(outlineQueueUrl(workspace));
    await eventually(
      () => status(workspace),
      ({ jobs }) => jobs[0]?.completedItems === 2 && jobs[0].failedItems === 1,
    );
    backend.ai.faults.clear();
    const retried = await caller.post("/api/queue/retry-failed", { reason: DECLINED });
    expect(retried).toMatchObject({ status: 202, body: { retried: 1, message: "1 item will be tried again." } });
    await eventually(
      () => status(workspace),
      ({ jobs }) => jobs[0]?.completedItems === 3,
    );
    gate.open();
    expect((await untilJobEnded(workspace, body.jobId)).job).toMatchObject({ completedItems: 4, failedItems: 0 });
  });

  it("is a refused key with all that waits for it, which a pause neither hides nor ends", async () => {
    const workspace = await workspaceWithPieces(backend, 3);
    const { caller } = workspace;
    await caller.patch("/api/user/settings", { openaiApiKey: "sk-refused-key-of-the-user" });
    await caller.post<Queued>(outlineQueueUrl(workspace));
    await untilAllHeld(workspace);
    await caller.post("/api/queue/pause");
    const held = await status(workspace);
    expect(held.needs).toMatchObject([
      { kind: "paused", items: 3, reason: null },
      { kind: "held", items: 3, reason: expect.stringContaining("refused your API key") },
    ]);
    expect(held.outlineQueue.map(({ waits }) => waits)).toEqual(Array(3).fill({ for: "user", until: null }));

    await caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    const paused = await eventually(
      () => status(workspace),
      ({ needs }) => needs.length === 1,
    );
    expect(paused.needs).toMatchObject([{ kind: "paused", items: 3 }]);
    expect(paused.outlineQueue.map(({ waits }) => waits?.for)).toEqual(["pause", "pause", "pause"]);
    await caller.post("/api/queue/resume");
    const { needs } = await untilJobEnded(workspace, held.jobs[0]?.id ?? "");
    expect(needs).toEqual([]);
  });
});

describe("a pause", () => {
  it("lets calls under way finish and starts nothing, not even of a new job, until processing is resumed", async () => {
    const workspace = await workspaceWithPieces(backend, 6, SHORT_OUTLINE);
    const { caller } = workspace;
    const gate = createGate();
    backend.ai.faults.mode = { kind: "held", until: gate.until };
    const { body } = await caller.post<Queued>(contentQueueUrl(workspace));
    await untilAsked(backend, 4);
    const { body: pause } = await caller.post<{ pausedAt: string }>("/api/queue/pause");
    expect((await caller.post<{ pausedAt: string }>("/api/queue/pause")).body).toEqual(pause);
    gate.open();
    backend.ai.faults.clear();
    const other = await workspaceWithPieces(backend, 0);
    const paused = await eventually(
      () => status(workspace),
      ({ needs, contentQueue }) => needs[0]?.items === 6 && contentQueue.every(({ waits }) => waits?.for === "pause"),
    );
    expect(paused.pausedAt).toBe(pause.pausedAt);
    expect(paused.contentQueue.map(({ status }) => status).sort()).toEqual([
      ...Array(2).fill("pending"),
      ...Array(4).fill("processing"),
    ]);
    expect(backend.ai.requests).toHaveLength(4);
    expect((await status(other)).pausedAt).toBeNull();

    const next = await caller.post<Failed>(item(paused.contentQueue.at(-1)?.id ?? "", "next"));
    expect(next.body).toMatchObject({
      type: "NOTHING_TO_DO",
      error: expect.stringContaining("Resume processing first"),
    });

    const resumed = await caller.post<{ resumed: number }>("/api/queue/resume");
    expect(resumed.body).toMatchObject({ resumed: 6, message: "6 items sent again." });
    expect((await untilJobEnded(workspace, body.jobId)).job).toMatchObject({ completedItems: 6, failedItems: 0 });
    expect(backend.ai.requests).toHaveLength(12);
  });

  it("holds over a night in which leases, limits and waits run out: nothing starts, fails or counts until Resume", async () => {
    const workspace = await workspaceWithPieces(backend, 6, SHORT_OUTLINE);
    const { caller } = workspace;
    const gate = createGate();
    backend.ai.faults.mode = { kind: "held", until: gate.until };
    backend.ai.faults.next([{ kind: "held", until: gate.until, next: "server-error" }]);
    const { body } = await caller.post<Queued>(contentQueueUrl(workspace));
    await untilAsked(backend, 4);
    await caller.post("/api/queue/pause");
    await query(
      `UPDATE provider_waits SET not_before = now() + '1 hour', limited_until = now() + '1 hour',
         limited_since = now() - interval '5 hours' WHERE user_id = $1`,
      [workspace.id],
    );
    gate.open();
    const rows = () =>
      query<{ retry_count: number; claim_token: string | null }>(
        "SELECT content_piece_id, status, retry_count, sends, claim_token, error FROM processing_queue WHERE user_id = $1 ORDER BY 1",
        [workspace.id],
      );
    const evening = await eventually(rows, (seen) => seen.every(({ claim_token }) => claim_token === null));
    expect(evening.map(({ retry_count }) => retry_count).sort()).toEqual([0, 0, 0, 0, 0, 1]);
    backend.ai.faults.clear();

    await passHours(20);
    const { pruneWork, sweep } = await import("@/lib/features/work/steps");
    const { resumeAfterOutage } = await import("@/lib/features/work/writes/sending");
    for (const act of [sweep, pruneWork, () => resumeAfterOutage({ hasForgotten: true }), sweep]) {
      await act();
      backend.engine.engine.wake();
      await untilAsleep(backend);
    }
    expect(await rows()).toEqual(evening);
    expect(backend.ai.requests).toHaveLength(4);

    // The pause is no part of the day after which a limit fails what waits.
    backend.ai.faults.next([{ kind: "rate-limit" }]);
    await caller.post("/api/queue/resume");
    const { job } = await fastForward(backend, workspace, body.jobId);
    expect(job).toMatchObject({ completedItems: 6, failedItems: 0 });
    expect((await rows()).map(({ retry_count }) => retry_count)).toEqual(evening.map(({ retry_count }) => retry_count));
    expect(backend.ai.requests).toHaveLength(12 + 2);
  });
});

describe("one item", () => {
  it("tells its piece, its topic, its section and its tokens", async () => {
    const workspace = await workspaceWithPieces(backend, 1, outlineOf(3));
    const gate = createGate();
    backend.ai.faults.next([null, { kind: "held", until: gate.until }]);
    const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
    await untilAsked(backend, 2);
    const [at] = (await status(workspace)).contentQueue;
    expect(at).toMatchObject({
      title: "Piece A of the plan",
      topicName: expect.any(String),
      section: { number: 2, of: 3 },
      waits: null,
      runId: expect.any(String),
    });
    const soFar = at?.tokens ?? 0;
    expect(soFar).toBeGreaterThan(0);
    gate.open();
    const { contentQueue } = await untilJobEnded(workspace, body.jobId);
    expect(contentQueue[0]?.tokens).toBeGreaterThan(soFar);
  });

  it("is cancelled while it waits and in the middle of a call, whose section is kept", async () => {
    const workspace = await workspaceWithPieces(backend, 5, outlineOf(2));
    const { caller } = workspace;
    const gate = createGate();
    backend.ai.faults.mode = { kind: "held", until: gate.until };
    const { body } = await caller.post<Queued>(contentQueueUrl(workspace));
    await untilAsked(backend, 4);
    const { contentQueue } = await status(workspace);
    const atWork = contentQueue.find(({ status }) => status === "processing");
    const waiting = contentQueue.find(({ status }) => status === "pending");
    for (const each of [atWork, waiting]) {
      expect((await caller.post(item(each?.id ?? "", "cancel"))).body).toMatchObject({ status: "cancelled" });
    }
    gate.open();
    backend.ai.faults.clear();
    const { job } = await untilJobEnded(workspace, body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 3, cancelledItems: 2, failedItems: 0 });
    expect(backend.ai.requests).toHaveLength(4 + 3);
    await eventually(
      () => query("SELECT 1 FROM written_sections WHERE content_piece_id = $1", [atWork?.contentPieceId]),
      (sections) => sections.length === 1,
    );
    expect((await caller.post(item(atWork?.id ?? "", "cancel"))).body).toMatchObject({ status: "cancelled" });
  });

  it("is tried again alone, and refused while it has not failed or its topic has another job", async () => {
    const workspace = await workspaceWithPieces(backend, 3);
    const { caller } = workspace;
    decline("A", "B");
    const { body } = await caller.post<Queued>(outlineQueueUrl(workspace));
    const { outlineQueue } = await untilJobEnded(workspace, body.jobId);
    const failed = outlineQueue.filter(({ status }) => status === "failed");
    const done = outlineQueue.find(({ status }) => status === "completed");
    expect((await caller.post<Failed>(item(done?.id ?? "", "retry"))).body.error).toBe("This item has not failed.");
    backend.ai.faults.clear();
    const presses = [1, 2].map(() => caller.post<Failed>(item(failed[0]?.id ?? "", "retry")));
    const answers = await Promise.all(presses);
    expect(answers.map(({ status, body }) => [status, body.error]).sort()).toEqual([
      [202, null],
      [400, "This item has not failed."],
    ]);
    const after = await untilJobEnded(workspace, body.jobId);
    expect(after.job).toMatchObject({ completedItems: 2, failedItems: 1, totalItems: 3 });

    const gate = createGate();
    backend.ai.faults.mode = { kind: "held", until: gate.until };
    const second = await caller.post<Queued>(outlineQueueUrl(workspace));
    expect((await caller.post<Failed>(item(failed[1]?.id ?? "", "retry"))).body).toMatchObject({
      type: "ALREADY_RUNNING",
      jobId: second.body.jobId,
    });
    gate.open();
    await untilJobEnded(workspace, second.body.jobId);
  });

  it("that is done next begins at once beside a full queue, and once", async () => {
    const workspace = await workspaceWithPieces(backend, 7);
    const { caller } = workspace;
    const gate = createGate();
    backend.ai.faults.mode = { kind: "held", until: gate.until };
    const { body } = await caller.post<Queued>(outlineQueueUrl(workspace));
    await untilAsked(backend, 4);
    const last = (await status(workspace)).outlineQueue.at(-1);
    expect((await caller.post(item(last?.id ?? "", "next"))).status).toBe(202);
    await untilAsked(backend, 5);
    expect((await status(workspace)).outlineQueue.find(({ id }) => id === last?.id)?.status).toBe("processing");
    expect((await caller.post<Failed>(item(last?.id ?? "", "next"))).body.error).toBe(
      "This item is no longer waiting.",
    );
    gate.open();
    expect((await untilJobEnded(workspace, body.jobId)).job).toMatchObject({ completedItems: 7 });
    expect(backend.ai.requests).toHaveLength(7);
    await expectInvariants(workspace);
  });

  it("is nobody else's", async () => {
    const workspace = await workspaceWithPieces(backend, 1);
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const { outlineQueue } = await untilJobEnded(workspace, body.jobId);
    const stranger = await newUser();
    for (const verb of ["retry", "cancel", "next"]) {
      expect((await stranger.caller.post(item(outlineQueue[0]?.id ?? "", verb))).status).toBe(404);
    }
    expect((await stranger.caller.get("/api/queue/items?kind=outline_generation&status=finished")).body).toEqual([]);
  });
});

it("lists all rows of a queue page by page, the live ones oldest first and the ended ones latest first", async () => {
  const workspace = await workspaceWithPieces(backend, 5);
  const { caller } = workspace;
  await caller.post("/api/queue/pause");
  const { body } = await caller.post<Queued>(outlineQueueUrl(workspace));
  const pages = async (first: string) => {
    const seen: string[][] = [];
    for (let url: string | undefined = first; url; ) {
      const page: { body: QueueItemOut[]; headers: Headers } = await caller.get<QueueItemOut[]>(url);
      seen.push(names(page.body).map((name) => name?.split(" ")[1] ?? ""));
      url = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
    }
    return seen;
  };
  const order = names((await status(workspace)).outlineQueue).map((name) => name?.split(" ")[1]);
  expect((await pages("/api/queue/items?kind=outline_generation&limit=2")).flat()).toEqual(order);
  expect(await pages("/api/queue/items?kind=outline_generation&limit=2&status=pending")).toHaveLength(3);
  await caller.post("/api/queue/resume");
  await untilJobEnded(workspace, body.jobId);
  const finished = names((await status(workspace)).outlineQueue).map((name) => name?.split(" ")[1] ?? "");
  const url = `/api/queue/items?kind=outline_generation&limit=2&status=finished&jobId=${body.jobId}`;
  expect(await pages(url)).toEqual([finished.slice(0, 2), finished.slice(2, 4), finished.slice(4)]);
  expect(await pages(url.replace("finished", "failed"))).toEqual([[]]);
  expect(await pages("/api/queue/items?kind=content_generation&status=finished")).toEqual([[]]);
  expect((await pages("/api/queue/items?status=completed")).flat()).toHaveLength(5);
});

it("tells how long an item takes once three have ended", async () => {
  const workspace = await workspaceWithPieces(backend, 3);
  expect((await status(workspace)).pace).toEqual({ outlineQueue: null, contentQueue: null });
  const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  await untilJobEnded(workspace, body.jobId);
  await query("UPDATE processing_queue SET started_at = completed_at - interval '20 seconds' WHERE user_id = $1", [
    workspace.id,
  ]);
  await query("UPDATE processing_jobs SET revision = revision + 1 WHERE user_id = $1", [workspace.id]);
  const { pace }: QueueStatus = await status(workspace);
  expect(pace).toEqual({ outlineQueue: 5, contentQueue: null });
});

/** Ages whatever tells the time of work. */
async function passHours(hours: number): Promise<void> {
  const tables = ["processing_queue", "processing_jobs", "provider_waits", "leases", "engine_state", "rate_limits"];
  for (const table of tables) {
    const columns = await query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND data_type LIKE 'timestamp%'",
      [table],
    );
    const older = columns.map(({ name }) => `${name} = ${name} - interval '${hours} hours'`);
    await query(`UPDATE ${table} SET ${older.join()}`);
  }
}
