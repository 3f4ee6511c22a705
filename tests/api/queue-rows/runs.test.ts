import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { sendEvents } from "@/lib/events/send";
import { claimItem } from "@/lib/features/jobs/sql/items";
import { askAgain, beginTry, Settled, type Try, tryFailed, tryWorked } from "@/lib/features/jobs/writes/gate";
import { type AtWork, endsItem, endWithRun, finishItem, letGo, payFor, withItem } from "@/lib/features/jobs/writes/run";
import { hold, query, waitingForLock } from "@/tests/support/db";
import {
  afterChange,
  type Columns,
  changesBy,
  type Item,
  inMinutes,
  leaseOf,
  nameOf,
  newGateOf,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// What a run of the engine does with its item: what becomes of the row, and what the run is to do then.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

beforeAll(() => query("DELETE FROM processing_jobs"));
beforeEach(async () => {
  jest.mocked(sendEvents).mockReset().mockResolvedValue({ ids: [], endedAbsence: false });
  await query("DELETE FROM provider_gates");
});
afterEach(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM leases"));
afterAll(() => query("DELETE FROM provider_gates"));

const newItem = async (columns: Columns = {}, job: Columns = {}) =>
  newItemOf(await newJobOf(await newOwner(), job), columns);

/** An item that a run has just claimed. */
async function atWork(gate?: Columns, columns: Columns = {}, job: Columns = {}): Promise<AtWork & { made: Item }> {
  const made = await newItem(columns, job);
  if (gate) await newGateOf(made.job.owner, gate);
  const item = await claimItem(runOf(made));
  if (!item) throw new Error("not claimed");
  return { item, held: { itemId: made.id, jobType: made.jobType, token: item.token }, made };
}

const rowOf = async ({ made }: { made: Item }) =>
  (
    await query<Columns>(
      `SELECT status::text, retry_count, waited_seconds, is_held, is_try_open, error,
         round(extract(epoch FROM not_before - updated_at))::int AS pause FROM processing_queue WHERE id = $1`,
      [made.id],
    )
  )[0];
const gateOf = async ({ made }: { made: Item }) =>
  (
    await query<Columns>(
      `SELECT epoch, level, closed_until IS NOT NULL AS closed, probe_item, held_error, held_key IS NOT NULL AS has_key
       FROM provider_gates WHERE user_id = $1`,
      [made.job.owner.id],
    )
  )[0];
/** The failure that a run ends or comes back with. */
const failureOf = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );

describe("before a paid call", () => {
  it("the call is counted where the gate is open", async () => {
    const at = await atWork();
    expect(await beginTry(at)).toEqual({ epoch: 0, isProbe: false });
    expect(await rowOf(at)).toMatchObject({ status: "processing", is_try_open: true });
  });

  it("one item tries where the wait is over, and the others come a little later", async () => {
    const at = await atWork({ epoch: 2, closed_until: inMinutes(-1) });
    expect(await beginTry(at)).toEqual({ epoch: 2, isProbe: true });
    const second = await newItemOf(at.made.job);
    const item = await claimItem(runOf(second));
    const other = {
      item: item ?? at.item,
      held: { ...at.held, itemId: second.id, token: item?.token ?? "" },
      made: second,
    };
    expect(await beginTry(other)).toEqual({ next: "wait", waitSeconds: 5 });
    expect(await rowOf(other)).toMatchObject({
      status: "pending",
      waited_seconds: 5,
      pause: 5,
      retry_count: 0,
      error: "Waiting for another item to find out whether the AI provider answers.",
    });
  });

  it("the item waits as long as the gate is closed, and a little longer", async () => {
    const at = await atWork({ closed_until: inMinutes(10) });
    const outcome = await beginTry(at);
    const { waitSeconds } = outcome as { waitSeconds: number };
    expect(outcome).toEqual({ next: "wait", waitSeconds: expect.any(Number) });
    expect(waitSeconds).toBeGreaterThan(560);
    expect(waitSeconds).toBeLessThanOrEqual(605);
    expect(await rowOf(at)).toMatchObject({ waited_seconds: waitSeconds, error: expect.stringContaining("limiting") });
  });

  it("the item waits five seconds where the gate opens meanwhile", async () => {
    const at = await atWork({ closed_until: inMinutes(-1) });
    const open = "UPDATE provider_gates SET closed_until = NULL WHERE user_id = $1";
    expect(await afterChange(open, at.item.userId, () => beginTry(at))).toEqual({ next: "wait", waitSeconds: 5 });
  });

  it("the run looks again at a stale claim", async () => {
    const at = await atWork();
    const stale = { ...at, held: { ...at.held, token: randomUUID() } };
    expect(await beginTry(stale)).toEqual({ next: "wait", waitSeconds: 1 });
  });

  it("the item is held where the gate is", async () => {
    const at = await atWork({ held_error: "The key was refused." });
    expect(await beginTry(at)).toEqual({ next: "end", as: "held" });
    expect(await rowOf(at)).toMatchObject({
      status: "pending",
      is_held: true,
      error: "The key was refused.",
      pause: null,
    });
  });
});

describe("a call that failed", () => {
  const limit = (retryAfter?: number) =>
    new AppError("AI_RATE_LIMITED", retryAfter === undefined ? {} : { retryAfter });
  const probe: Try = { epoch: 4, isProbe: true };

  it.each([
    [undefined, 1],
    [600, 600],
  ])("by a limit of %s seconds closes the gate and waits", async (told, least) => {
    const at = await atWork();
    const outcome = (await tryFailed(at, undefined, limit(told))) as { waitSeconds: number };
    expect(outcome).toEqual({ next: "wait", waitSeconds: expect.any(Number) });
    expect(outcome.waitSeconds).toBeGreaterThanOrEqual(least);
    expect(outcome.waitSeconds).toBeLessThanOrEqual(least * 1.1 + 1);
    expect(await gateOf(at)).toMatchObject({ closed: true, level: 1 });
    expect(await rowOf(at)).toMatchObject({ retry_count: 0, waited_seconds: outcome.waitSeconds });
  });

  it("by a limit counts as a closing of the time it was made in", async () => {
    const at = await atWork({ epoch: 4, level: 1, closed_since: inMinutes(-1) });
    await tryFailed(at, probe, limit());
    expect(await gateOf(at)).toMatchObject({ epoch: 5, level: 2 });
    const late = await atWork({ epoch: 4, level: 1, closed_since: inMinutes(-1) });
    await tryFailed(late, { epoch: 3, isProbe: false }, limit());
    expect(await gateOf(late)).toMatchObject({ epoch: 4, level: 1 });
    const unknown = await atWork({ epoch: 0, level: 1, closed_since: inMinutes(-1) });
    await tryFailed(unknown, undefined, limit());
    expect(await gateOf(unknown)).toMatchObject({ epoch: 1, level: 2 });
  });

  it("by a refused key holds the gate and the item", async () => {
    const at = await atWork();
    expect(await tryFailed(at, undefined, new AppError("INVALID_API_KEY"))).toEqual({ next: "end", as: "held" });
    expect(await gateOf(at)).toMatchObject({ held_error: expect.stringContaining("key"), has_key: true });
    expect(await rowOf(at)).toMatchObject({ status: "pending", is_held: true, pause: null });
  });

  it.each<[string, unknown, number, string]>([
    ["for its first time", new AppError("AI_PROVIDER_ERROR"), 5, "AI_PROVIDER_ERROR"],
    [
      "with a time to come back, in part of a second",
      new AppError("AI_PROVIDER_ERROR", { retryAfter: 41.2 }),
      42,
      "AI_PROVIDER_ERROR",
    ],
    ["in a way that nobody expected", new Error("no room on the disk"), 5, "INTERNAL"],
  ])("%s is tried again later, at a time the engine knows", async (_what, error, pause, type) => {
    const at = await atWork();
    const failure = await failureOf(tryFailed(at, undefined, error));
    expect(failure).toBeInstanceOf(Settled);
    expect(failure).toMatchObject({ type, retryAfter: pause });
    expect(await rowOf(at)).toMatchObject({ status: "pending", retry_count: 1, pause, error: failure?.message });
  });

  it("again is tried again later still, and the last time fails for good", async () => {
    const again = await atWork(undefined, { retry_count: 1 });
    expect(await failureOf(tryFailed(again, undefined, new AppError("AI_PROVIDER_ERROR")))).toMatchObject({
      retryAfter: 20,
    });
    const last = await atWork(undefined, { retry_count: 3 });
    const failure = await failureOf(tryFailed(last, undefined, new AppError("AI_PROVIDER_ERROR", { retryAfter: 9 })));
    expect([failure?.type, failure?.retryAfter]).toEqual(["AI_PROVIDER_ERROR", undefined]);
    expect(await rowOf(last)).toMatchObject({ status: "failed" });
  });

  it("where nothing can help fails at once", async () => {
    const at = await atWork();
    const failure = await failureOf(tryFailed(at, undefined, new AppError("TOO_COMPLEX", { retryAfter: 9 })));
    expect([failure?.type, failure?.retryAfter]).toEqual(["TOO_COMPLEX", undefined]);
    expect(await rowOf(at)).toMatchObject({ status: "failed", retry_count: 0, pause: null });
  });

  it("by a limit past the day of waiting fails with its sentence", async () => {
    const at = await atWork(undefined, { waited_seconds: 86_000 });
    const failure = await failureOf(tryFailed(at, undefined, limit(600)));
    expect(failure).toMatchObject({ type: "AI_RATE_LIMITED", message: expect.stringContaining("limiting") });
  });

  it("in a cancelled job ends with it", async () => {
    const at = await atWork();
    await query("UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1", [at.made.job.id]);
    expect(await tryFailed(at, undefined, new AppError("AI_PROVIDER_ERROR"))).toEqual({ next: "end", as: "cancelled" });
  });

  it("under a stale claim changes nothing, and the run looks again", async () => {
    const at = await atWork();
    const stale = { ...at, held: { ...at.held, token: randomUUID() } };
    for (const type of ["AI_PROVIDER_ERROR", "INVALID_API_KEY"] as const) {
      expect(await tryFailed(stale, undefined, new AppError(type))).toEqual({ next: "wait", waitSeconds: 1 });
    }
    expect(await rowOf(at)).toMatchObject({ status: "processing", error: null });
  });

  it("leaves the gate to the next item that tries, where it was the one that tried", async () => {
    const gate = { epoch: 4, closed_until: inMinutes(-1), probe_item: randomUUID(), probe_until: inMinutes(1) };
    const at = await atWork(gate);
    await failureOf(tryFailed(at, { epoch: 4, isProbe: false }, new AppError("AI_PROVIDER_ERROR")));
    expect((await gateOf(at))?.probe_item).toBe(gate.probe_item);
    const tried = await atWork(gate);
    await failureOf(tryFailed(tried, probe, new AppError("AI_PROVIDER_ERROR")));
    expect((await gateOf(tried))?.probe_item).toBeNull();
  });
});

describe("a call that came to something", () => {
  it("opens the gate for all where it was the one that tried, and sends what was held", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    const held = await newItemOf(at.made.job, { is_held: true, error: "Why." });
    await tryWorked(at.item.userId, { epoch: 4, isProbe: false });
    expect(await gateOf(at)).toMatchObject({ closed: true });
    await tryWorked(at.item.userId, { epoch: 4, isProbe: true });
    expect(await gateOf(at)).toMatchObject({ closed: false });
    expect(jest.mocked(sendEvents).mock.calls).toEqual([[[expect.objectContaining({ id: `item-${held.id}-1` })]]]);
  });

  it("counts all the same while the engine is away", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    await newItemOf(at.made.job, { is_held: true });
    jest.mocked(sendEvents).mockRejectedValue(new Error("connection refused"));
    await tryWorked(at.item.userId, { epoch: 4, isProbe: true });
    expect(await gateOf(at)).toMatchObject({ closed: false });
  });

  it("is paid for once it was counted, and tells the others after it was kept", async () => {
    const at = await atWork({ epoch: 4, closed_until: inMinutes(-1) });
    const seen: unknown[] = [];
    const outcome = await payFor(
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

  it("is not paid for where the gate is closed", async () => {
    const at = await atWork({ closed_until: inMinutes(10) });
    const call = jest.fn();
    expect(await payFor(at, call, async () => ({ next: "finish" }))).toMatchObject({ next: "wait" });
    expect(call).not.toHaveBeenCalled();
  });
});

describe("asking again after the person did something", () => {
  it("sends what was held, and nothing where nothing was", async () => {
    const item = await newItem({ is_held: true });
    await newItemOf(item.job, { updated_at: new Date() });
    const mine = item.job.owner.id;
    expect([await askAgain(mine), jest.mocked(sendEvents).mock.calls[0]?.[0]]).toEqual([
      1,
      [expect.anything(), expect.anything()],
    ]);
    jest.mocked(sendEvents).mockClear();
    await newItemOf(item.job);
    expect([await askAgain(mine), jest.mocked(sendEvents).mock.calls]).toEqual([0, []]);
  });

  it("is done again where it has lost a deadlock", async () => {
    const { id, job } = await newItem({ is_held: true });
    await newGateOf(job.owner, { held_error: "No." });
    const other = await hold("SELECT 1 FROM provider_gates WHERE user_id = $1 FOR UPDATE", [job.owner.id]);
    const asked = askAgain(job.owner.id);
    await waitingForLock();
    await other.also("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [id]);
    await other.letGo();
    expect(await asked).toBe(1);
  });
});

describe("a step of an item's work", () => {
  const step = (item: Item, work: (at: AtWork) => Promise<{ next: "finish" }>) =>
    withItem("a step", OUTLINE, { ...runOf(item), runId: "run-1" }, work);

  it("is done with the item claimed", async () => {
    const item = await newItem();
    const work = jest.fn(async () => ({ next: "finish" }) as const);
    expect(await step(item, work)).toEqual({ next: "finish" });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Columns, Columns, number | null, unknown]>([
    [
      "waits for an item that waits",
      { not_before: inMinutes(5) },
      {},
      null,
      { next: "wait", waitSeconds: expect.any(Number) },
    ],
    [
      "cancels what waits in a cancelled job",
      {},
      { cancel_requested_at: inMinutes(-1) },
      null,
      { next: "end", as: "cancelled" },
    ],
    [
      "frees what a dead run held, and takes it up",
      { status: "processing", run_id: "run-0" },
      {},
      -1,
      { next: "finish" },
    ],
  ])("%s", async (_what, columns, job, lease, outcome) => {
    const item = await newItem(columns, job);
    if (lease !== null) await newLeaseOf(item, lease);
    expect(await step(item, async () => ({ next: "finish" }))).toEqual(outcome);
  });

  it("looks again in a second at what a dead run held and somebody has locked", async () => {
    const item = await newItem({ status: "processing", run_id: "run-0" });
    const lock = await hold("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [item.id]);
    expect(await step(item, async () => ({ next: "finish" }))).toEqual({ next: "wait", waitSeconds: 1 });
    await lock.letGo();
  });

  it("that fails before it has paid puts the item back, if a person would meet the failure", async () => {
    const item = await newItem();
    const failure = await failureOf(step(item, () => Promise.reject(new AppError("AI_PROVIDER_ERROR"))));
    expect(failure).toBeInstanceOf(Settled);
    expect(await rowOf({ made: item })).toMatchObject({ status: "pending", retry_count: 1 });
  });

  it("that fails in a way nobody expected, or is settled, leaves the row to the engine's next try", async () => {
    for (const error of [new Error("connection refused"), new Settled("AI_PROVIDER_ERROR")]) {
      const item = await newItem();
      expect(await failureOf(step(item, () => Promise.reject(error)))).toBe(error);
      expect(await rowOf({ made: item })).toMatchObject({ status: "processing", retry_count: 0 });
    }
  });
});

describe("the end of an item's work", () => {
  it("is written with what was made, and nothing of it by a stale claim", async () => {
    const at = await atWork();
    const write = jest.fn(async () => "A word.");
    const stale = { ...at.held, token: randomUUID() };
    expect(await finishItem(stale, { tokensIn: 3, tokensOut: 4 }, write)).toBe(false);
    expect(write).not.toHaveBeenCalled();
    const { answer, changed } = await changesBy(() => finishItem(at.held, { tokensIn: 3, tokensOut: 4 }, write));
    expect(answer).toBe(true);
    expect(changed[nameOf(at.made)]).toMatchObject({
      status: "completed",
      note: "A word.",
      tokens_in: 3,
      tokens_out: 4,
    });
  });

  it("is the end of its run; one whose claim is stale looks again", async () => {
    const at = await atWork(undefined, { tokens_in: 5, tokens_out: 7 });
    const stale = { ...at, held: { ...at.held, token: randomUUID() } };
    expect(await endsItem(stale, async () => null)).toEqual({ next: "wait", waitSeconds: 1 });
    const { answer, changed } = await changesBy(() => endsItem(at, async () => null));
    expect(answer).toEqual({ next: "end", as: "completed" });
    expect(changed[nameOf(at.made)]).toEqual({
      status: "completed",
      claim_token: null,
      updated_at: 0,
      completed_at: 0,
    });
  });

  it("lets the piece go where the item is another's by then", async () => {
    const at = await atWork();
    const { answer, changed } = await changesBy(() => letGo(at));
    expect(answer).toEqual({ next: "wait", waitSeconds: 1 });
    expect(changed).toEqual({ [leaseOf(at.made)]: "gone" });
  });
});

describe("a run that the engine ended by itself", () => {
  it.each([
    ["failed", "failed", "The work stopped before it was done. Try again."],
    ["cancelled", "cancelled", "Its run was cancelled in the job engine."],
  ] as const)("takes its item along: %s", async (as, status, error) => {
    const item = await newItem({ run_id: "run-1" });
    const unknown = await newItem({ dispatch_seq: 3 });
    expect(await endWithRun({ runId: "run-1", dispatch: null }, as)).toBe(true);
    expect(await endWithRun({ runId: "run-2", dispatch: unknown.dispatch }, as)).toBe(true);
    for (const made of [item, unknown]) expect(await rowOf({ made })).toMatchObject({ status, error });
  });

  it("leaves an item that was handed over again, or has another run, or is not known", async () => {
    const item = await newItem({ run_id: "run-1", dispatch_seq: 1 });
    const end = (runId: string, dispatch: string | null) => endWithRun({ runId, dispatch }, "cancelled");
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
