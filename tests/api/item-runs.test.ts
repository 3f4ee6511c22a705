import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  contentQueueUrl,
  createGate,
  fastForward,
  itemRows,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  SHORT_OUTLINE,
  untilAllWaiting,
  untilAsked,
  untilAsleep,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// The engine's runs show an operator what became of the items: one run per item.

const backend = queueBackend();
afterAll(() =>
  console.info(
    `| item | run | attempts | executions | output | steps |\n| --- | --- | --- | --- | --- | --- |\n${table.join("\n")}`,
  ),
);

const table: string[] = [];
const CANCELLED = { status: "Completed", output: { status: "cancelled" } };

/** All runs of a user's items in the engine, newest last, once none is running. */
async function runsOf(mine: QueueWorkspace, of: string, isSettled = (status: string) => status !== "Running") {
  const runs = await eventually(
    async () => {
      const rows = await itemRows(mine);
      return rows.flatMap(({ id, sends }) =>
        Array.from({ length: sends }, (_, n) => backend.engine.engine.runsOfEvent(`item-${id}-${n + 1}`)).flat(),
      );
    },
    (all) => all.length > 0 && all.every(({ status }) => isSettled(status)),
  );
  for (const run of runs) {
    const steps = run.records.all().map(({ name, attempts }) => (attempts > 1 ? `${name} ×${attempts}` : name));
    const output = JSON.stringify(run.output)?.slice(0, 90) ?? "";
    table.push(`| ${of} | ${run.status} | ${run.attempts} | ${run.executions} | ${output} | ${steps.join(", ")} |`);
  }
  return runs;
}

describe("a run of an item", () => {
  it("is Completed when its item is, and names its steps", async () => {
    const mine = await workspaceWithPieces(backend, 1, SHORT_OUTLINE);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilJobEnded(mine, body.jobId);
    const [run, ...more] = await runsOf(mine, "completed");
    expect(more).toEqual([]);
    expect(run).toMatchObject({ status: "Completed", output: { status: "completed" }, fn: { name: "Write a post" } });
    expect(run?.records.all().map(({ id, name }) => [id, name])).toEqual([
      ["look-1", "First look"],
      ["look-2", "Section 2 of 2"],
    ]);
    expect(JSON.stringify([run?.event.data, run?.records.all()])).not.toContain("Alpha");
  });

  it("is still one run after retries", async () => {
    const mine = await workspaceWithPieces(backend, 1);
    backend.ai.faults.next(["server-error", "server-error", null]);
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    const { outlineQueue } = await fastForward(backend, mine, body.jobId);
    expect(outlineQueue[0]).toMatchObject({ status: "completed", retryCount: 2 });
    const [run, ...more] = await runsOf(mine, "completed at its third try");
    expect(more).toEqual([]);
    expect(run).toMatchObject({ status: "Completed", attempts: 3 });
  });

  it("is Failed when its item is, with the sentence that the user reads, without the provider's own", async () => {
    const mine = await workspaceWithPieces(backend, 1);
    backend.ai.faults.mode = "server-error";
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    const { outlineQueue } = await fastForward(backend, mine, body.jobId);
    const [run, ...more] = await runsOf(mine, "failed at its fourth try");
    expect(more).toEqual([]);
    const [sentence, quoted] = outlineQueue[0]?.error?.split(" The provider says: ") ?? [];
    expect(quoted).toBe("“The server had an error”");
    expect(run).toMatchObject({ status: "Failed", attempts: 4, output: { message: sentence } });
  });

  it("is Failed at once when a retry cannot help", async () => {
    const mine = await workspaceWithPieces(backend, 1, "## a\n".repeat(101));
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilJobEnded(mine, body.jobId);
    const [run] = await runsOf(mine, "failed: too many sections");
    expect(run).toMatchObject({ status: "Failed", attempts: 1, output: { message: expect.stringContaining("101") } });
    expect(backend.ai.requests).toEqual([]);
  });

  it("is Completed with the output cancelled when its waiting item was cancelled", async () => {
    const mine = await workspaceWithPieces(backend, 1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await untilAllWaiting(mine);
    const waiting = await runsOf(mine, "waiting for the provider", () => true);
    expect(waiting).toMatchObject([{ status: "Running" }]);
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    backend.engine.engine.wake();
    expect(await runsOf(mine, "cancelled while it waited")).toMatchObject([CANCELLED]);
  });

  it("is Completed with the output cancelled when its item was cancelled during a call", async () => {
    const mine = await workspaceWithPieces(backend, 1, SHORT_OUTLINE);
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await untilAsked(backend, 1);
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    open();
    expect((await untilJobEnded(mine, body.jobId)).job.status).toBe("cancelled");
    expect(await runsOf(mine, "cancelled during a section")).toMatchObject([CANCELLED]);
  });

  it("is Completed with the output cancelled when its piece or its topic was deleted", async () => {
    const mine = await workspaceWithPieces(backend, 2);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    await mine.caller.post<Queued>(outlineQueueUrl(mine));
    const rows = await untilAllWaiting(mine);
    await untilAsleep(backend);
    await mine.caller.delete(`/api/content/${mine.pieces[0]}`);
    await mine.caller.delete(`/api/topics/${mine.topicId}`);
    backend.engine.engine.wake();
    for (const { id } of rows) {
      const [run] = backend.engine.engine.runsOfEvent(`item-${id}-1`);
      await eventually(
        async () => run,
        (seen) => seen?.status !== "Running",
      );
      expect(run).toMatchObject(CANCELLED);
    }
  });

  it("ends its item at once when it is cancelled in the engine", async () => {
    const mine = await workspaceWithPieces(backend, 1);
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "600" };
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    const [item] = await untilAllWaiting(mine);
    const run = backend.engine.engine.findRun(item?.run_id ?? "");
    if (!run) throw new Error("no run");
    backend.engine.engine.cancel(run);
    const { job, outlineQueue } = await untilJobEnded(mine, body.jobId);
    expect(job).toMatchObject({ status: "cancelled", cancelledItems: 1 });
    expect(outlineQueue[0]?.error).toBe("Its run was cancelled in the job engine.");
  });

  it("costs nothing when it is rerun after its end, and ends the same way", async () => {
    const mine = await workspaceWithPieces(backend, 3);
    await query("UPDATE content_pieces SET angle = 'Poisonous' WHERE id = $1", [mine.pieces[0]]);
    await query("UPDATE content_pieces SET angle = 'Stuck' WHERE id = $1", [mine.pieces[1]]);
    backend.ai.faults.matching("Poisonous", "server-error");
    const { until, open } = createGate();
    backend.ai.faults.matching("Stuck", { kind: "held", until });
    const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
    await eventually(
      async () => {
        await query("UPDATE processing_queue SET not_before = now() WHERE user_id = $1 AND error IS NOT NULL", [
          mine.id,
        ]);
        backend.engine.engine.wake();
        return itemRows(mine);
      },
      (all) => all.filter(({ status }) => status === "completed" || status === "failed").length === 2,
    );
    await mine.caller.post(`/api/queue/jobs/${body.jobId}/cancel`);
    open();
    await untilJobEnded(mine, body.jobId);
    const calls = backend.ai.requests.length;
    for (const { id, sends, status } of await itemRows(mine)) {
      const [first] = backend.engine.engine.runsOfEvent(`item-${id}-${sends}`);
      if (!first) throw new Error("no run");
      // As an operator's "Rerun": the same event, another run.
      const event = backend.engine.engine.ingest({ ...first.event, id: `again-${id}` });
      const [again] = await eventually(
        async () => backend.engine.engine.runsOfEvent(event),
        ([one]) => one !== undefined && one.status !== "Running",
      );
      expect([status, again?.status, again?.output]).toEqual([status, first.status, first.output]);
    }
    expect(backend.ai.requests).toHaveLength(calls);
  });
});
