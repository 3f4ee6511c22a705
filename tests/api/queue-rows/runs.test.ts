import { randomUUID } from "node:crypto";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { AppError } from "@/lib/errors";
import { sendEvents } from "@/lib/events/send";
import type { Claim } from "@/lib/features/work/sql/shared";
import { endItemOfRun } from "@/lib/features/work/steps";
import { RecordedFailure } from "@/lib/features/work/writes/gate";
import { completeStep, finishItem, runItemStep, yieldClaim } from "@/lib/features/work/writes/run";
import { holdTransaction } from "@/tests/support/db";
import {
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  leaseOf,
  nameOf,
  newLeaseOf,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";
import { atWork, failureOf, newItem, rowOf } from "@/tests/support/queue-runs";

// What an engine run does with its item: the new row, and the run's next step.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

emptyQueues();
beforeEach(() => void jest.mocked(sendEvents).mockReset().mockResolvedValue({ ids: [], endedAbsence: false }));

describe("a step of an item's work", () => {
  const step = (item: Item, work: (at: Claim) => Promise<{ next: "finish" }>) =>
    runItemStep("a step", OUTLINE, { ...runOf(item), runId: "run-1" }, work);

  it("runs with the item claimed", async () => {
    const item = await newItem();
    const work = jest.fn(async () => ({ next: "finish" }) as const);
    expect(await step(item, work)).toEqual({ next: "finish" });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Columns, Columns, number | null, unknown]>([
    [
      "waits with an item that is not due",
      { not_before: inMinutes(5) },
      {},
      null,
      { next: "wait", waitSeconds: expect.any(Number) },
    ],
    [
      "cancels an item waiting in a cancelled job",
      {},
      { cancel_requested_at: inMinutes(-1) },
      null,
      { next: "end", as: "cancelled" },
    ],
    ["frees and claims an item of a dead run", { status: "processing", run_id: "run-0" }, {}, -1, { next: "finish" }],
  ])("%s", async (_what, columns, job, lease, outcome) => {
    const item = await newItem(columns, job);
    if (lease !== null) await newLeaseOf(item, lease);
    expect(await step(item, async () => ({ next: "finish" }))).toEqual(outcome);
  });

  it("checks a dead run's locked item again in a second", async () => {
    const item = await newItem({ status: "processing", run_id: "run-0" });
    const lock = await holdTransaction("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [item.id]);
    expect(await step(item, async () => ({ next: "finish" }))).toEqual({ next: "wait", waitSeconds: 1 });
    await lock.releaseLock();
  });

  it("that fails before a paid call requeues the item if the failure is catalogued", async () => {
    const item = await newItem();
    const failure = await failureOf(step(item, () => Promise.reject(new AppError("AI_PROVIDER_ERROR"))));
    expect(failure).toBeInstanceOf(RecordedFailure);
    expect(await rowOf({ made: item })).toMatchObject({ status: "pending", retry_count: 1 });
  });

  it("that fails unexpectedly, or with a recorded failure, leaves the row to the engine's retry", async () => {
    for (const error of [new Error("connection refused"), new RecordedFailure("AI_PROVIDER_ERROR")]) {
      const item = await newItem();
      expect(await failureOf(step(item, () => Promise.reject(error)))).toBe(error);
      expect(await rowOf({ made: item })).toMatchObject({ status: "processing", retry_count: 0 });
    }
  });
});

describe("the end of an item's work", () => {
  it("is saved with the result, and not at all with a stale claim", async () => {
    const at = await atWork();
    const write = jest.fn(async () => "A word.");
    const stale = { ...at.ref, token: randomUUID() };
    expect(await finishItem(stale, { ...NO_TOKENS, tokensIn: 3, tokensOut: 4 }, write)).toBe(false);
    expect(write).not.toHaveBeenCalled();
    const { answer, changed } = await changesBy(() =>
      finishItem(at.ref, { ...NO_TOKENS, tokensIn: 3, tokensOut: 4 }, write),
    );
    expect(answer).toBe(true);
    expect(changed[nameOf(at.made)]).toMatchObject({
      status: "completed",
      note: "A word.",
      tokens_in: 3,
      tokens_out: 4,
    });
  });

  it("ends its run; a run with a stale claim checks again", async () => {
    const at = await atWork(undefined, { tokens_in: 5, tokens_out: 7 });
    const stale = { ...at, ref: { ...at.ref, token: randomUUID() } };
    expect(await completeStep(stale, async () => null)).toEqual({ next: "wait", waitSeconds: 1 });
    const { answer, changed } = await changesBy(() => completeStep(at, async () => null));
    expect(answer).toEqual({ next: "end", as: "completed" });
    expect(changed[nameOf(at.made)]).toEqual({
      status: "completed",
      claim_token: null,
      updated_at: 0,
      completed_at: 0,
    });
  });

  it("releases the piece when another run has the item", async () => {
    const at = await atWork();
    const { answer, changed } = await changesBy(() => yieldClaim(at));
    expect(answer).toEqual({ next: "wait", waitSeconds: 1 });
    expect(changed).toEqual({ [leaseOf(at.made)]: "gone" });
  });
});

describe("a run ended by the engine", () => {
  it.each([
    ["failed", "failed", "The work stopped before it was done. Try again."],
    ["cancelled", "cancelled", "Its run was cancelled in the job engine."],
  ] as const)("ends its item: %s", async (as, status, error) => {
    const item = await newItem({ run_id: "run-1" });
    const unknown = await newItem({ dispatch_seq: 3 });
    expect(await endItemOfRun({ runId: "run-1", dispatch: null }, as)).toBe(true);
    expect(await endItemOfRun({ runId: "run-2", dispatch: unknown.dispatch }, as)).toBe(true);
    for (const made of [item, unknown]) expect(await rowOf({ made })).toMatchObject({ status, error });
  });

  it("leaves an item alone that was dispatched again, has another run or is unknown", async () => {
    const item = await newItem({ run_id: "run-1", dispatch_seq: 1 });
    const end = (runId: string, dispatch: string | null) => endItemOfRun({ runId, dispatch }, "cancelled");
    expect(
      await Promise.all([
        end("run-1", `${item.id}-0`),
        end("run-2", item.dispatch),
        end("run-2", null),
        end("run-2", "no id"),
      ]),
    ).toEqual([false, false, false, false]);
    expect(await rowOf({ made: item })).toMatchObject({ status: "pending" });
  });
});
