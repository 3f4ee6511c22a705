import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  allHeld,
  allWait,
  deskWithPieces,
  ended,
  type Failed,
  gate,
  hurried,
  itemRows,
  outlines,
  type QueueDesk,
  type Queued,
  queueBackend,
  status,
  timeComes,
} from "@/tests/support/queue-desk";

// What a provider says to one of a person's items holds for all of them.

const backend = queueBackend();

const desk = (count: number) => deskWithPieces(backend, count);

type Gate = { level: number; wait: number; held_error: string | null };

async function gateOf({ id }: QueueDesk): Promise<Gate | undefined> {
  const [row] = await query<Gate>(
    `SELECT level, coalesce(extract(epoch FROM closed_until - now()), 0)::float8 AS wait, held_error
     FROM provider_gates WHERE user_id = $1`,
    [id],
  );
  return row;
}

/** As rounds of waiting pass: how long each was, and how many calls were made in all. */
async function rounds(mine: QueueDesk, count: number) {
  const seen: { wait: number; calls: number }[] = [];
  for (let n = 0; n < count; n++) {
    const calls = backend.ai.requests.length;
    await timeComes(backend, mine);
    await eventually(
      async () => backend.ai.requests.length,
      (now) => now > calls,
    );
    await allWait(mine);
    seen.push({ wait: (await gateOf(mine))?.wait ?? 0, calls: backend.ai.requests.length });
  }
  return seen;
}

function executions(mine: QueueDesk, rows: { run_id: string | null }[]): number {
  void mine;
  return Math.max(...rows.map(({ run_id }) => backend.engine.engine.findRun(run_id ?? "")?.executions ?? 0));
}

describe("a provider's limit", () => {
  it("makes twelve items wait together: one asks, with pauses that double", async () => {
    const mine = await desk(12);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "1" };
    await mine.caller.post(outlines(mine));
    await allWait(mine);
    // Those that were under way together when it was said first: as many as a person's items may ask at once.
    const first = backend.ai.requests.length;
    expect(first).toBeLessThanOrEqual(4);
    expect((await gateOf(mine))?.level).toBe(1);
    const seen = await rounds(mine, 5);
    expect(seen.map(({ calls }) => calls)).toEqual([1, 2, 3, 4, 5].map((n) => first + n));
    // 2, 4, 8 … seconds with at most a tenth more: within 30 seconds four or five calls.
    for (const [n, { wait }] of seen.entries()) {
      expect(wait).toBeGreaterThan(2 ** (n + 1) - 1.5);
      expect(wait).toBeLessThanOrEqual(2 ** (n + 1) * 1.1);
    }
    const most = executions(mine, await itemRows(mine));
    console.info(`Executions of a run after ${seen.length + 1} closings of the gate: ${most} at most.`);
    expect(most).toBeLessThan(2 * (seen.length + 3));
  });

  it("opens for all once one was answered, and is not forgotten at once", async () => {
    const mine = await desk(5);
    backend.ai.faults.mode = { kind: "rate-limit" };
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allWait(mine);
    await rounds(mine, 3);
    backend.ai.faults.clear();
    const { job } = await hurried(backend, mine, body.jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 5 });
    expect(await gateOf(mine)).toMatchObject({ level: 2, wait: 0 });
    expect((await itemRows(mine)).map(({ retry_count }) => retry_count)).toEqual([0, 0, 0, 0, 0]);
  });

  it("is waited for as long as was told, and starts from the beginning after ten quiet minutes", async () => {
    const mine = await desk(1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "7200" };
    await mine.caller.post(outlines(mine));
    await allWait(mine);
    expect((await gateOf(mine))?.wait).toBeGreaterThan(7_190);
    backend.ai.faults.mode = { kind: "rate-limit" };
    await rounds(mine, 2);
    expect((await gateOf(mine))?.level).toBe(3);
    await query(
      "UPDATE provider_gates SET closed_until = NULL, opened_at = now() - interval '11 minutes' WHERE user_id = $1",
      [mine.id],
    );
    const [again] = await rounds(mine, 1);
    expect(again?.wait).toBeLessThanOrEqual(1.1);
    expect((await gateOf(mine))?.level).toBe(1);
  });

  it.each([
    ["five minutes", "59 minutes", 300],
    ["half an hour when it has gone on for an hour", "61 minutes", 1800],
  ])("is asked about at least every %s", async (_what, since, most) => {
    const mine = await desk(1);
    backend.ai.faults.mode = { kind: "rate-limit" };
    await mine.caller.post(outlines(mine));
    await allWait(mine);
    await query("UPDATE provider_gates SET level = 40, closed_since = now() - $2::interval WHERE user_id = $1", [
      mine.id,
      since,
    ]);
    const [one] = await rounds(mine, 1);
    expect(one?.wait).toBeGreaterThan(most - 2);
    expect(one?.wait).toBeLessThanOrEqual(most * 1.1);
  });

  it("is one person's alone", async () => {
    const [mine, other] = [await desk(1), await desk(1)];
    backend.ai.faults.next([{ kind: "rate-limit", retryAfter: "600" }]);
    await mine.caller.post(outlines(mine));
    await allWait(mine);
    const { body } = await other.caller.post<Queued>(outlines(other));
    expect((await ended(other, body.jobId)).job.status).toBe("completed");
    expect((await itemRows(mine))[0]?.status).toBe("pending");
  });

  it("is found out by the next item when the one that asked was cancelled", async () => {
    const mine = await desk(2);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allWait(mine);
    backend.ai.faults.clear();
    await query(
      "UPDATE provider_gates SET probe_item = gen_random_uuid(), probe_until = now() - interval '1 second' WHERE user_id = $1",
      [mine.id],
    );
    expect((await hurried(backend, mine, body.jobId)).job.status).toBe("completed");
  });
});

describe("a refused key", () => {
  it("is found out by few calls, and then nobody asks and no run is open", async () => {
    const mine = await desk(12);
    backend.ai.faults.mode = "unauthorized";
    await mine.caller.post(outlines(mine));
    const rows = await allHeld(mine);
    expect(backend.ai.requests.length).toBeLessThanOrEqual(6);
    for (const { run_id, error } of rows) {
      expect(error).toContain("API key");
      const run = await eventually(
        async () => backend.engine.engine.findRun(run_id ?? ""),
        (one) => one?.status !== "Running",
      );
      expect(run).toMatchObject({ status: "Completed", output: { status: "held" } });
    }
    const { jobs, counts } = await status(mine);
    expect([jobs[0]?.status, counts.outlinePending]).toEqual(["processing", 12]);
  });

  it("is asked about by one item after the person asks to resume, and held again where nothing changed", async () => {
    const mine = await desk(6);
    backend.ai.faults.mode = "unauthorized";
    await mine.caller.post(outlines(mine));
    await allHeld(mine);
    const before = backend.ai.requests.length;
    expect((await mine.caller.post("/api/queue/resume")).body).toMatchObject({ resumed: 6 });
    await eventually(
      async () => backend.ai.requests.length,
      (now) => now > before,
    );
    await eventually(
      async () => {
        await timeComes(backend, mine);
        return itemRows(mine);
      },
      (all) => all.every(({ is_held }) => is_held),
    );
    expect(backend.ai.requests.length - before).toBe(1);
  });

  it("is not called a limit while one item asks and the others wait for it", async () => {
    const mine = await desk(3);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await eventually(
      () => itemRows(mine),
      (all) => all.length === 3 && all.every(({ is_held }) => is_held),
    );
    backend.ai.faults.clear();
    const { until, open } = gate();
    backend.ai.faults.next([{ kind: "held", until }]);
    await mine.caller.post("/api/queue/resume");
    const rows = await eventually(
      () => itemRows(mine),
      (all) => all.filter(({ status, error }) => status === "pending" && error !== null).length === 2,
    );
    expect(rows.map(({ error }) => error).sort()).toEqual([
      "Waiting for another item to find out whether the AI provider answers.",
      "Waiting for another item to find out whether the AI provider answers.",
      null,
    ]);
    open();
    expect((await hurried(backend, mine, body.jobId)).job.status).toBe("completed");
  });

  it("is gone with another key: the job goes on by itself", async () => {
    const mine = await desk(3);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: "sk-of-somebody-else" });
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allHeld(mine);
    await mine.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    expect((await hurried(backend, mine, body.jobId)).job).toMatchObject({ status: "completed", completedItems: 3 });
  });

  it("is found to be gone by the sweep when the engine did not hear of it", async () => {
    const mine = await desk(1);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allHeld(mine);
    backend.ai.faults.clear();
    const { sweep } = await import("@/lib/features/jobs/writes/recover");
    await sweep();
    expect((await itemRows(mine))[0]?.is_held).toBe(true);
    await query(
      "UPDATE users SET openai_api_key = (SELECT openai_api_key FROM users WHERE id = $1) || '' WHERE id = $1",
      [mine.id],
    );
    await query("UPDATE provider_gates SET held_key = 'of the key before' WHERE user_id = $1", [mine.id]);
    await sweep();
    expect((await hurried(backend, mine, body.jobId)).job.status).toBe("completed");
  });

  it("ends with its job when that is cancelled, and the next job finds out for itself", async () => {
    const mine = await desk(2);
    backend.ai.faults.mode = "unauthorized";
    const { body } = await mine.caller.post<Queued>(outlines(mine));
    await allHeld(mine);
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    expect((await ended(mine, body.jobId)).job).toMatchObject({ status: "cancelled", cancelledItems: 2 });
    backend.ai.faults.clear();
    const next = await mine.caller.post<Queued>(outlines(mine));
    expect((await hurried(backend, mine, next.body.jobId)).job).toMatchObject({ completedItems: 2 });
  });

  it("that was removed holds the job as well", async () => {
    const mine = await desk(2);
    const { until, open } = gate();
    backend.ai.faults.mode = { kind: "held", until };
    await mine.caller.post<Queued>(outlines(mine));
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
    expect((await mine.caller.post<Failed>(outlines(mine))).body.type).toBe("NOTHING_TO_DO");
  });
});
