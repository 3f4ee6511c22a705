import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { sendEvents } from "@/lib/events/send";
import { type Attempt, selectHeldGates } from "@/lib/features/work/sql/gate";
import { claimItem } from "@/lib/features/work/sql/items";
import {
  beginAttempt,
  RecordedFailure,
  recordFailure,
  recordSuccess,
  releaseHeldItems,
} from "@/lib/features/work/writes/gate";
import { makePaidCall } from "@/lib/features/work/writes/run";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { afterChange, emptyQueues, inMinutes, newGateOf, newItemOf, runOf } from "@/tests/support/queue-rows";
import { atWork, failureOf, gateOf, newItem, rowOf } from "@/tests/support/queue-runs";

// What an engine run does around a paid call: the new row and gate, and the run's next step.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

emptyQueues();
beforeEach(() => void jest.mocked(sendEvents).mockReset().mockResolvedValue({ ids: [], endedAbsence: false }));

describe("before a paid call", () => {
  it("counts the call if the gate is open", async () => {
    const at = await atWork();
    expect(await beginAttempt(at)).toEqual({ epoch: 0, isProbe: false });
    expect(await rowOf(at)).toMatchObject({ status: "processing", is_try_open: true });
  });

  it("lets one item probe once the wait is over, while the others wait five seconds more", async () => {
    const at = await atWork({ epoch: 2, closed_until: inMinutes(-1) });
    expect(await beginAttempt(at)).toEqual({ epoch: 2, isProbe: true });
    const second = await newItemOf(at.made.job);
    const item = await claimItem(runOf(second));
    const other = {
      item: item ?? at.item,
      ref: { ...at.ref, itemId: second.id, token: item?.token ?? "" },
      made: second,
    };
    expect(await beginAttempt(other)).toEqual({ next: "wait", waitSeconds: 5 });
    expect(await rowOf(other)).toMatchObject({
      status: "pending",
      waited_seconds: 0,
      pause: 5,
      retry_count: 0,
      error: "Pending until another item has found out whether the AI provider answers.",
    });
  });

  it("waits until the gate opens, and up to five seconds more", async () => {
    const at = await atWork({ closed_until: inMinutes(10) });
    const outcome = await beginAttempt(at);
    const { waitSeconds } = outcome as { waitSeconds: number };
    expect(outcome).toEqual({ next: "wait", waitSeconds: expect.any(Number) });
    expect(waitSeconds).toBeGreaterThan(560);
    expect(waitSeconds).toBeLessThanOrEqual(605);
    expect(await rowOf(at)).toMatchObject({ waited_seconds: waitSeconds, error: expect.stringContaining("limiting") });
  });

  it("waits five seconds if the gate opens meanwhile", async () => {
    const at = await atWork({ closed_until: inMinutes(-1) });
    const open = "UPDATE provider_gates SET closed_until = NULL WHERE user_id = $1";
    expect(await afterChange(open, at.item.userId, () => beginAttempt(at))).toEqual({ next: "wait", waitSeconds: 5 });
  });

  it("checks a stale claim again in a second", async () => {
    const at = await atWork();
    const stale = { ...at, ref: { ...at.ref, token: randomUUID() } };
    expect(await beginAttempt(stale)).toEqual({ next: "wait", waitSeconds: 1 });
  });

  it("holds the item if the gate is held", async () => {
    const at = await atWork({ held_error: "The key was refused." });
    expect(await beginAttempt(at)).toEqual({ next: "end", as: "held" });
    expect(await rowOf(at)).toMatchObject({
      status: "pending",
      is_held: true,
      error: "The key was refused.",
      pause: null,
    });
  });
});

describe("a failed call", () => {
  const limit = (retryAfter?: number) =>
    new AppError("AI_RATE_LIMITED", retryAfter === undefined ? {} : { retryAfter });
  const probe: Attempt = { epoch: 4, isProbe: true };

  it.each([
    [undefined, 1],
    [600, 600],
  ])("closes the gate and waits after a limit with a retry-after of %s", async (retryAfter, least) => {
    const at = await atWork();
    const outcome = (await recordFailure(at, undefined, limit(retryAfter))) as { waitSeconds: number };
    expect(outcome).toEqual({ next: "wait", waitSeconds: expect.any(Number) });
    expect(outcome.waitSeconds).toBeGreaterThanOrEqual(least);
    expect(outcome.waitSeconds).toBeLessThanOrEqual(least * 1.1 + 1);
    expect(await gateOf(at)).toMatchObject({ closed: true, level: 1 });
    expect(await rowOf(at)).toMatchObject({ retry_count: 0, waited_seconds: outcome.waitSeconds });
  });

  it("closes the gate once more unless it began before the last closing", async () => {
    const at = await atWork({ epoch: 4, level: 1, closed_since: inMinutes(-1) });
    await recordFailure(at, probe, limit());
    expect(await gateOf(at)).toMatchObject({ epoch: 5, level: 2 });
    const late = await atWork({ epoch: 4, level: 1, closed_since: inMinutes(-1) });
    await recordFailure(late, { epoch: 3, isProbe: false }, limit());
    expect(await gateOf(late)).toMatchObject({ epoch: 4, level: 1 });
    const unknown = await atWork({ epoch: 0, level: 1, closed_since: inMinutes(-1) });
    await recordFailure(unknown, undefined, limit());
    expect(await gateOf(unknown)).toMatchObject({ epoch: 1, level: 2 });
  });

  it("holds the gate and the item after a refused key", async () => {
    const at = await atWork();
    expect(await recordFailure(at, undefined, new AppError("INVALID_API_KEY"))).toEqual({ next: "end", as: "held" });
    expect(await gateOf(at)).toMatchObject({ held_error: expect.stringContaining("key"), has_key: true });
    expect(await rowOf(at)).toMatchObject({ status: "pending", is_held: true, pause: null });
  });

  it.each<[string, unknown, number, string]>([
    ["a first failure", new AppError("AI_PROVIDER_ERROR"), 5, "AI_PROVIDER_ERROR"],
    [
      "a retry-after with a fraction of a second",
      new AppError("AI_PROVIDER_ERROR", { retryAfter: 41.2 }),
      42,
      "AI_PROVIDER_ERROR",
    ],
    ["an unexpected error", new Error("no room on the disk"), 5, "INTERNAL"],
  ])("is retried later, at a time passed to the engine: %s", async (_what, error, pause, type) => {
    const at = await atWork();
    const failure = await failureOf(recordFailure(at, undefined, error));
    expect(failure).toBeInstanceOf(RecordedFailure);
    expect(failure).toMatchObject({ type, retryAfter: pause });
    expect(await rowOf(at)).toMatchObject({ status: "pending", retry_count: 1, pause, error: failure?.message });
  });

  it("is retried after a longer pause the second time, and fails for good the last time", async () => {
    const again = await atWork(undefined, { retry_count: 1 });
    expect(await failureOf(recordFailure(again, undefined, new AppError("AI_PROVIDER_ERROR")))).toMatchObject({
      retryAfter: 20,
    });
    const last = await atWork(undefined, { retry_count: 3 });
    const failure = await failureOf(
      recordFailure(last, undefined, new AppError("AI_PROVIDER_ERROR", { retryAfter: 9 })),
    );
    expect([failure?.type, failure?.retryAfter]).toEqual(["AI_PROVIDER_ERROR", undefined]);
    expect(await rowOf(last)).toMatchObject({ status: "failed" });
  });

  it("fails at once if retrying cannot help", async () => {
    const at = await atWork();
    const failure = await failureOf(recordFailure(at, undefined, new AppError("TOO_COMPLEX", { retryAfter: 9 })));
    expect([failure?.type, failure?.retryAfter]).toEqual(["TOO_COMPLEX", undefined]);
    expect(await rowOf(at)).toMatchObject({ status: "failed", retry_count: 0, pause: null });
  });

  describe("with a limit that is longer than the item's day of waiting", () => {
    const DAY = 86_400;
    const MONTH = 30 * DAY;
    const UNTIL = /limiting your requests until \d{1,2} [A-Z][a-z]+, \d\d:\d\d UTC\.$/;
    const withGate = async ({ made }: Awaited<ReturnType<typeof atWork>>) =>
      (
        await query<{ seconds: number }>(
          "SELECT extract(epoch FROM closed_until - now())::float8 AS seconds FROM provider_gates WHERE user_id = $1",
          [made.job.owner.id],
        )
      )[0]?.seconds ?? 0;

    it.each([
      [0, MONTH, DAY],
      [80_000, MONTH, 6_400],
      [80_000, 7_000, 6_400],
    ])("waits for what is left of it: %d seconds waited, %d told", async (waited, told, rest) => {
      const at = await atWork(undefined, { waited_seconds: waited });
      expect(await recordFailure(at, undefined, limit(told))).toEqual({ next: "wait", waitSeconds: rest });
      expect(await rowOf(at)).toMatchObject({
        status: "pending",
        waited_seconds: DAY,
        pause: rest,
        error: expect.stringMatching(UNTIL),
      });
      const closed = await withGate(at);
      expect(closed).toBeLessThanOrEqual(rest);
      expect(closed).toBeGreaterThan(rest - 10);
    });

    it("is shown on the items that wait behind it as well", async () => {
      const at = await atWork();
      await recordFailure(at, undefined, limit(MONTH));
      const second = await newItemOf(at.made.job);
      const item = await claimItem(runOf(second));
      if (!item) throw new Error("not claimed");
      const other = { item, ref: { ...at.ref, itemId: second.id, token: item.token }, made: second };
      expect(await beginAttempt(other)).toMatchObject({ next: "wait" });
      expect(await rowOf(other)).toMatchObject({ error: expect.stringMatching(UNTIL) });
    });

    it("fails after that day, says until when, and leaves the gate to the others soon", async () => {
      const at = await atWork(undefined, { waited_seconds: DAY });
      const failure = await failureOf(recordFailure(at, undefined, limit(MONTH)));
      expect(failure).toMatchObject({ type: "AI_RATE_LIMITED", message: expect.stringMatching(UNTIL) });
      expect(await rowOf(at)).toMatchObject({ status: "failed" });
      expect(await withGate(at)).toBeLessThanOrEqual(330);
    });

    it("is not waited out, but the probe of another item is", async () => {
      const gate = { closed_until: inMinutes(-1), probe_item: randomUUID(), probe_until: inMinutes(1) };
      const at = await atWork(gate, { waited_seconds: DAY });
      expect(await beginAttempt(at)).toEqual({ next: "wait", waitSeconds: 5 });
      expect(await rowOf(at)).toMatchObject({ status: "pending", waited_seconds: DAY });
    });
  });

  it("opens the gate if the provider declined the probe, which shows that it answers", async () => {
    const gate = { epoch: 4, closed_until: inMinutes(-1), probe_item: randomUUID(), probe_until: inMinutes(1) };
    const at = await atWork(gate);
    expect((await failureOf(recordFailure(at, probe, new AppError("AI_DECLINED"))))?.type).toBe("AI_DECLINED");
    expect(await rowOf(at)).toMatchObject({ status: "failed", retry_count: 0 });
    expect(await gateOf(at)).toMatchObject({ closed: false });
  });

  it.each(["AI_TOO_LARGE", "AI_DECLINED"] as const)("fails that item alone if it is %s", async (type) => {
    const at = await atWork();
    expect((await failureOf(recordFailure(at, { epoch: 0, isProbe: false }, new AppError(type))))?.type).toBe(type);
    expect(await rowOf(at)).toMatchObject({ status: "failed", retry_count: 0 });
    expect(await gateOf(at)).toBeUndefined();
  });

  it("holds the gate for the key and the model that the call used", async () => {
    const at = await atWork();
    await recordFailure({ ...at, access: "as it was" }, undefined, new AppError("AI_ACCESS_DENIED"));
    expect(await selectHeldGates(10)).toEqual([{ userId: at.item.userId, key: "as it was" }]);
  });

  it("shows the provider's sentence in the item's row, and does not give it to the engine", async () => {
    const details = { detail: "The provider says: “No.”" };
    const at = await atWork();
    const failure = await failureOf(recordFailure(at, undefined, new AppError("AI_DECLINED", { details })));
    expect(failure?.message).not.toContain("“No.”");
    expect(await rowOf(at)).toMatchObject({ error: `${failure?.message} The provider says: “No.”` });
    const held = await atWork();
    await recordFailure(held, undefined, new AppError("AI_ACCESS_DENIED", { details }));
    expect(await gateOf(held)).toMatchObject({ held_error: expect.stringContaining("“No.”") });
  });

  it("is cancelled with its job", async () => {
    const at = await atWork();
    await query("UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1", [at.made.job.id]);
    expect(await recordFailure(at, undefined, new AppError("AI_PROVIDER_ERROR"))).toEqual({
      next: "end",
      as: "cancelled",
    });
  });

  it("changes nothing with a stale claim, and the run checks again", async () => {
    const at = await atWork();
    const stale = { ...at, ref: { ...at.ref, token: randomUUID() } };
    for (const type of ["AI_PROVIDER_ERROR", "INVALID_API_KEY"] as const) {
      expect(await recordFailure(stale, undefined, new AppError(type))).toEqual({ next: "wait", waitSeconds: 1 });
    }
    expect(await rowOf(at)).toMatchObject({ status: "processing", error: null });
  });

  it("leaves the probe to the next item if the call was the probe", async () => {
    const gate = { epoch: 4, closed_until: inMinutes(-1), probe_item: randomUUID(), probe_until: inMinutes(1) };
    const at = await atWork(gate);
    await failureOf(recordFailure(at, { epoch: 4, isProbe: false }, new AppError("AI_PROVIDER_ERROR")));
    expect((await gateOf(at))?.probe_item).toBe(gate.probe_item);
    const probing = await atWork(gate);
    await failureOf(recordFailure(probing, probe, new AppError("AI_PROVIDER_ERROR")));
    expect((await gateOf(probing))?.probe_item).toBeNull();
  });
});

describe("a successful call", () => {
  it("opens the gate and sends the held items if it was the probe", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    const held = await newItemOf(at.made.job, { is_held: true, error: "Why." });
    await recordSuccess(at.item.userId, { epoch: 4, isProbe: false });
    expect(await gateOf(at)).toMatchObject({ closed: true });
    await recordSuccess(at.item.userId, { epoch: 4, isProbe: true });
    expect(await gateOf(at)).toMatchObject({ closed: false });
    expect(jest.mocked(sendEvents).mock.calls).toEqual([[[expect.objectContaining({ id: `item-${held.id}-1` })]]]);
  });

  it("opens the gate even if the engine is unreachable", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    await newItemOf(at.made.job, { is_held: true });
    jest.mocked(sendEvents).mockRejectedValue(new Error("connection refused"));
    await recordSuccess(at.item.userId, { epoch: 4, isProbe: true });
    expect(await gateOf(at)).toMatchObject({ closed: false });
  });

  it("is counted before it is made, and opens the gate after its result is saved", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    const seen: unknown[] = [];
    const outcome = await makePaidCall(
      at,
      async () => {
        seen.push((await rowOf(at))?.is_try_open);
        return "a text";
      },
      async (answer) => {
        seen.push(answer, (await gateOf(at))?.closed);
        return { next: "finish" };
      },
    );
    expect([outcome, seen, (await gateOf(at))?.closed]).toEqual([{ next: "finish" }, [true, "a text", true], false]);
  });

  it("is not made while the gate is closed", async () => {
    const at = await atWork({ closed_until: inMinutes(10) });
    const call = jest.fn();
    expect(await makePaidCall(at, call, async () => ({ next: "finish" }))).toMatchObject({ next: "wait" });
    expect(call).not.toHaveBeenCalled();
  });
});

describe("releasing held items for a user", () => {
  it("sends them with the unsent items, and sends nothing if none was held", async () => {
    const item = await newItem({ is_held: true });
    await newItemOf(item.job, { updated_at: new Date() });
    const mine = item.job.owner.id;
    expect([await releaseHeldItems(mine), jest.mocked(sendEvents).mock.calls[0]?.[0]]).toEqual([
      1,
      [expect.anything(), expect.anything()],
    ]);
    jest.mocked(sendEvents).mockClear();
    await newItemOf(item.job);
    expect([await releaseHeldItems(mine), jest.mocked(sendEvents).mock.calls]).toEqual([0, []]);
  });

  it("is retried after a deadlock", async () => {
    const { id, job } = await newItem({ is_held: true });
    await newGateOf(job.owner, { held_error: "No." });
    const other = await holdTransaction("SELECT 1 FROM provider_gates WHERE user_id = $1 FOR UPDATE", [job.owner.id]);
    const asked = releaseHeldItems(job.owner.id);
    await waitForLock();
    // PostgreSQL ends the one that has waited for a second; on a busy machine that may be the other one.
    await other.also("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [id]).catch(() => undefined);
    await other.releaseLock();
    expect(await asked).toBe(1);
  });
});
