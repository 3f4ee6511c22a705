import type { Script } from "@/scripts/samples/ai/faults";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  createGate,
  type Failed,
  fastForward,
  itemRows,
  makeDue,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  status,
  untilAllHeld,
  untilAllWaiting,
  untilAsked,
  untilAsleep,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// A provider's response to one of a user's items applies to all of them.

const backend = queueBackend();

const TRYING = "Pending until another item has found out whether the AI provider answers.";

const workspace = (count: number) => workspaceWithPieces(backend, count);

type Wait = { level: number; seconds: number; held_reason: string | null };

async function waitOf({ id }: QueueWorkspace): Promise<Wait | undefined> {
  const [row] = await query<Wait>(
    `SELECT level, coalesce(extract(epoch FROM not_before - now()), 0)::float8 AS seconds, held_reason
     FROM provider_waits WHERE user_id = $1`,
    [id],
  );
  return row;
}

/** Lets rounds of waiting pass, and returns the length and the number of calls of each. */
async function rounds(mine: QueueWorkspace, count: number) {
  const seen: { wait: number; calls: number }[] = [];
  for (let n = 0; n < count; n++) {
    const calls = backend.ai.requests.length;
    await untilAsleep(backend);
    await makeDue(backend, mine);
    await eventually(
      async () => backend.ai.requests.length,
      (now) => now > calls,
    );
    await untilAllWaiting(mine);
    seen.push({ wait: (await waitOf(mine))?.seconds ?? 0, calls: backend.ai.requests.length });
  }
  return seen;
}

function mostExecutions(rows: { run_id: string | null }[]): number {
  return Math.max(...rows.map(({ run_id }) => backend.engine.engine.findRun(run_id ?? "")?.executions ?? 0));
}

describe("a provider's limit", () => {
  it("makes twelve items wait together: one retries, with pauses that double, and its success ends the limit", async () => {
    const mine = await workspace(12);
    // Longer than a slow machine takes until all wait.
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "60" };
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllWaiting(mine);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "1" };
    // The calls in flight at the first refusal: as many as a user may make at once.
    const first = backend.ai.requests.length;
    expect(first).toBeLessThanOrEqual(4);
    expect((await waitOf(mine))?.level).toBe(1);
    const seen = await rounds(mine, 5);
    expect(seen.map(({ calls }) => calls)).toEqual([1, 2, 3, 4, 5].map((n) => first + n));
    // 2, 4, 8 … seconds: four or five calls within 30 seconds.
    for (const [n, { wait }] of seen.entries()) {
      expect(wait).toBeGreaterThan(2 ** (n + 1) - 1.5);
      expect(wait).toBeLessThanOrEqual(2 ** (n + 1));
    }
    const most = mostExecutions(await itemRows(mine));
    console.info(`Executions of a run after ${seen.length + 1} limits: ${most} at most.`);
    expect(most).toBeLessThan(2 * (seen.length + 3));
    backend.ai.faults.clear();
    expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({ completedItems: 12 });
    expect(await waitOf(mine)).toMatchObject({ level: 3, seconds: 0 });
    expect((await itemRows(mine)).map(({ retry_count }) => retry_count)).toEqual(Array(12).fill(0));
  });
});

describe("a provider that refuses access", () => {
  it("holds the queue after the first calls, with the provider's own sentence", async () => {
    const mine = await workspace(6);
    backend.ai.faults.mode = "denied";
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllHeld(mine);
    expect(backend.ai.requests.length).toBeLessThanOrEqual(4);
    expect((await status(mine)).outlineQueue[0]?.error).toBe(
      "The AI provider denied access. Check what your account and API key there are allowed to use, then try again. The provider says: “Your plan does not include this.”",
    );
    backend.ai.faults.clear();
    expect((await mine.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 6 });
    expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({ completedItems: 6 });
  });

  it("holds for the key that was refused, also when another was saved during the call", async () => {
    const mine = await workspace(1);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until, next: "unauthorized" }]);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: `${backend.ai.apiKey}-1` });
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAsked(backend, 1);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    open();
    await untilAllHeld(mine);
    const { sweep } = await import("@/lib/features/work/steps");
    await sweep();
    expect((await fastForward(backend, mine, body.jobId)).job.status).toBe("completed");
  });
});

describe("a provider that refuses one piece", () => {
  it.each<[string, Script]>([
    ["whose prompt it flagged", "moderated"],
    ["that it declined to write", "filtered"],
    ["that is too large", { kind: "token-limit", tokens: 10 }],
  ])("%s is asked once for it, and writes the others", async (_what, fault) => {
    const mine = await workspace(3);
    backend.ai.faults.matching('"title": "Piece B', fault);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    const { job, outlineQueue } = await untilJobEnded(mine, body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 2, failedItems: 1 });
    const failed = outlineQueue.find(({ status }) => status === "failed");
    expect(failed).toMatchObject({ retryCount: 0 });
    expect(backend.ai.requests).toHaveLength(3);
  });

  it("writes all of them where a smaller answer fits", async () => {
    const mine = await workspace(2);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilJobEnded(mine, body.jobId);
    const [usual] = backend.ai.requests;
    const prompt = Math.ceil(JSON.stringify(usual?.body.messages).length / 4);
    const next = await workspace(2);
    backend.ai.requests.length = 0;
    backend.ai.faults.mode = { kind: "token-limit", tokens: prompt + 1_200 };
    const second = await next.caller.post<Queued>(outlineQueueUrl(next));
    expect((await untilJobEnded(next, second.body.jobId)).job).toMatchObject({ completedItems: 2 });
    expect(backend.ai.requests).toHaveLength(4);
  });
});

describe("a limit of a month", () => {
  it("is waited out for a day, asked about once more by one item, and then said", async () => {
    const mine = await workspace(4);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: String(30 * 86_400) };
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllWaiting(mine);
    for (const { error } of (await status(mine)).outlineQueue) {
      expect(error).toMatch(/limiting your requests until .* UTC\.$/);
    }
    expect((await waitOf(mine))?.seconds).toBeLessThanOrEqual(86_400);
    const calls = backend.ai.requests.length;
    await untilAsleep(backend);
    await query("UPDATE provider_waits SET limited_since = limited_since - interval '1 day' WHERE user_id = $1", [
      mine.id,
    ]);
    await makeDue(backend, mine);
    const { job, outlineQueue } = await untilJobEnded(mine, body.jobId);
    expect(job).toMatchObject({ status: "failed", failedItems: 4 });
    for (const { error } of outlineQueue) expect(error).toMatch(/until .* UTC\.$/);
    expect(backend.ai.requests.length - calls).toBe(1);
  });
});

describe("a refused key", () => {
  it("stops all calls after the first few, and leaves no run open", async () => {
    const mine = await workspace(12);
    backend.ai.faults.mode = "unauthorized";
    await mine.caller.post(outlineQueueUrl(mine));
    const rows = await untilAllHeld(mine);
    expect(backend.ai.requests.length).toBeLessThanOrEqual(6);
    for (const { id } of rows) {
      // An item may be sent after the hold began, and then was not sent at all.
      if (backend.engine.engine.runsOfEvent(`item-${id}-1`).length === 0) continue;
      const [run] = await eventually(
        async () => backend.engine.engine.runsOfEvent(`item-${id}-1`),
        ([one]) => one?.status !== "Running",
      );
      expect(run).toMatchObject({ status: "Completed", output: { status: "held" } });
    }
    const { jobs, counts, outlineQueue } = await status(mine);
    for (const { error } of outlineQueue) expect(error).toContain("API key");
    expect([jobs[0]?.status, counts.outlinePending]).toEqual(["processing", 12]);
  });

  it("is not reported as a limit while one item retries and the others wait", async () => {
    const mine = await workspace(3);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllHeld(mine);
    backend.ai.faults.clear();
    const { until, open } = createGate();
    const asked = backend.ai.requests.length;
    backend.ai.faults.next([{ kind: "held", until }]);
    await mine.caller.post("/api/queue/resume");
    await untilAsked(backend, asked + 1);
    expect((await status(mine)).outlineQueue.map(({ status, error }) => [status, error]).sort()).toEqual([
      ["pending", TRYING],
      ["pending", TRYING],
      ["processing", null],
    ]);
    expect(backend.ai.requests.length).toBe(asked + 1);
    open();
    expect((await fastForward(backend, mine, body.jobId)).job.status).toBe("completed");
  });

  it("ends with a new key, and the job continues by itself", async () => {
    const mine = await workspace(3);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: "sk-of-somebody-else" });
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllHeld(mine);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    expect((await fastForward(backend, mine, body.jobId)).job).toMatchObject({
      status: "completed",
      completedItems: 3,
    });
  });

  it("lets calls in progress finish when it was removed", async () => {
    const mine = await workspace(2);
    const { until, open } = createGate();
    backend.ai.faults.mode = { kind: "held", until };
    await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await eventually(
      async () => backend.ai.requests.length,
      (count) => count === 2,
    );
    await mine.caller.patch("/api/user/settings", { openaiApiKey: null });
    backend.ai.faults.mode = "server-error";
    open();
    await eventually(
      () => itemRows(mine),
      (all) => all.every(({ status }) => status === "completed"),
    );
    expect((await mine.caller.post<Failed>(outlineQueueUrl(mine))).body.type).toBe("NOTHING_TO_DO");
  });
});
