import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  closeGate,
  holdGate,
  leaveProbe,
  openGate,
  openProbe,
  openTry,
  readGate,
  releaseHold,
  selectHeld,
} from "@/lib/features/jobs/sql/gate";
import { query } from "@/tests/support/db";
import {
  type Columns,
  changesBy,
  heldOf,
  inMinutes,
  nameOf,
  newBystanders,
  newGateOf,
  newItemOf,
  newJobOf,
  newOwner,
  type Owner,
} from "@/tests/support/queue-rows";

// The gate between a person's items and the provider, state by state; another person's gate is never moved.

beforeAll(() => query("DELETE FROM processing_jobs"));
beforeEach(() => query("DELETE FROM provider_gates"));
afterEach(() => query("DELETE FROM processing_jobs"));
afterAll(() => query("DELETE FROM provider_gates"));

const NOTHING = {};
const AT_WORK = { status: "processing" };
const clock = async () => Number((await query<{ now: Date }>("SELECT now()"))[0]?.now);
/** Whose gate is in every state at once, so that a statement that forgets whose it is meets something. */
const stranger = (columns: Columns = {}) => newOwner().then((other) => newGateOf(other, columns));
const gateOf = ({ id }: Owner) => `gate ${id}`;

async function itemAtWork(gate?: Columns) {
  const owner = await newOwner();
  const item = await newItemOf(await newJobOf(owner), AT_WORK);
  await newBystanders(item, AT_WORK);
  if (gate) await newGateOf(owner, gate);
  return item;
}

describe("a call before an open gate", () => {
  it.each<[string, Columns | undefined, number]>([
    ["that was never closed", undefined, 0],
    ["that is open again", { epoch: 7, opened_at: inMinutes(-1) }, 7],
  ])("%s is counted first", async (_what, gate, epoch) => {
    const item = await itemAtWork(gate);
    await stranger({ epoch: 3, closed_until: inMinutes(5), held_error: "Why." });
    const { answer, changed } = await changesBy(() => openTry(heldOf(item)));
    expect(answer).toEqual({ epoch, isProbe: false });
    expect(changed).toEqual({ [nameOf(item)]: { is_try_open: true, updated_at: 0 } });
  });

  it.each<[string, Columns]>([
    ["is closed", { closed_until: inMinutes(5) }],
    ["may be tried by one", { closed_until: inMinutes(-5) }],
    ["is held", { held_error: "Why." }],
  ])("is not made when the gate %s", async (_what, gate) => {
    const item = await itemAtWork(gate);
    expect(await changesBy(() => openTry(heldOf(item)))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("is not made by a stale token", async () => {
    const item = await itemAtWork();
    const stale = { ...heldOf(item), token: randomUUID() };
    expect(await changesBy(() => openTry(stale))).toEqual({ answer: undefined, changed: NOTHING });
  });
});

describe("the one item that tries", () => {
  const due = { epoch: 4, closed_until: inMinutes(-1) };

  it("is counted, and has the gate to itself for a minute and a half", async () => {
    const item = await itemAtWork(due);
    await stranger(due);
    const { answer, changed } = await changesBy(() => openProbe(heldOf(item)));
    expect(answer).toEqual({ epoch: 4, isProbe: true });
    expect(changed).toEqual({
      [nameOf(item)]: { is_try_open: true, updated_at: 0 },
      [gateOf(item.job.owner)]: { probe_item: item.id, probe_until: expect.any(Number) },
    });
    const [gate] = await query<{ seconds: number }>(
      "SELECT extract(epoch FROM probe_until - now())::float8 AS seconds FROM provider_gates WHERE user_id = $1",
      [item.job.owner.id],
    );
    expect(gate?.seconds).toBeLessThanOrEqual(90);
    expect(gate?.seconds).toBeGreaterThan(60);
  });

  it.each<[string, Columns]>([
    ["another took so long that its time is over", { probe_item: randomUUID(), probe_until: inMinutes(-1) }],
    ["another left", { probe_item: randomUUID() }],
  ])("tries when %s", async (_what, probe) => {
    const item = await itemAtWork({ ...due, ...probe });
    expect((await openProbe(heldOf(item)))?.isProbe).toBe(true);
  });

  it("tries again as itself", async () => {
    const item = await itemAtWork(due);
    await query("UPDATE provider_gates SET probe_item = $1, probe_until = $2", [item.id, inMinutes(1)]);
    expect((await openProbe(heldOf(item)))?.isProbe).toBe(true);
  });

  it.each<[string, Columns]>([
    ["another tries", { ...due, probe_item: randomUUID(), probe_until: inMinutes(1) }],
    ["the wait is not over", { closed_until: inMinutes(1) }],
    ["the gate is held", { ...due, held_error: "Why." }],
    ["the gate is open", {}],
  ])("does not try while %s", async (_what, gate) => {
    const item = await itemAtWork(gate);
    expect(await changesBy(() => openProbe(heldOf(item)))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("does not try by a stale token", async () => {
    const item = await itemAtWork(due);
    const stale = { ...heldOf(item), token: randomUUID() };
    expect(await changesBy(() => openProbe(stale))).toEqual({ answer: undefined, changed: NOTHING });
  });
});

describe("what an item before a gate waits for", () => {
  it.each<[string, Columns | undefined, Awaited<ReturnType<typeof readGate>>]>([
    ["nothing, when there is none", undefined, undefined],
    ["nothing, when it is open", { opened_at: inMinutes(-1) }, undefined],
    ["the person, when it is held", { held_error: "Why." }, { heldError: "Why.", waitSeconds: 0 }],
    [
      "the item that tries, when its time is over",
      { closed_until: inMinutes(-2) },
      { heldError: null, waitSeconds: 0 },
    ],
  ])("is %s", async (_what, gate, expected) => {
    const owner = await newOwner();
    if (gate) await newGateOf(owner, gate);
    await stranger({ closed_until: inMinutes(9), held_error: "Another's." });
    expect(await readGate(owner.id)).toEqual(expected);
  });

  it("is the rest of the time it was told", async () => {
    const owner = await newOwner();
    await newGateOf(owner, { closed_until: inMinutes(2) });
    const seconds = (await readGate(owner.id))?.waitSeconds ?? 0;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(120);
  });
});

describe("a provider's limit", () => {
  const FIRST = { level: 1, closed_since: 0, epoch: 1 };
  /** What the gate's columns are after a limit, and the seconds to wait, without chance. */
  async function closed(gate: Columns | undefined, limit: { told?: number; epoch?: number; jitter?: number } = {}) {
    const owner = await newOwner();
    if (gate) await newGateOf(owner, gate);
    await stranger({ epoch: 5 });
    const close = () => closeGate(owner.id, { told: 0, epoch: 0, jitter: 0, ...limit });
    const before = await clock();
    const { answer: seconds, changed } = await changesBy(close);
    const after = await clock();
    expect(Object.keys(changed)).toEqual([gateOf(owner)]);
    const [stored] = await query<{ closed_until: Date }>("SELECT closed_until FROM provider_gates WHERE user_id = $1", [
      owner.id,
    ]);
    return { seconds, changed: changed[gateOf(owner)], until: Number(stored?.closed_until), before, after };
  }

  /** Exactly so long, from a moment while the statement ran; rows keep milliseconds, so the answer may be a second more. */
  function expectWait({ seconds, until, before, after }: Awaited<ReturnType<typeof closed>>, wait: number) {
    expect(until - wait * 1000).toBeGreaterThanOrEqual(before - 1);
    expect(until - wait * 1000).toBeLessThanOrEqual(after + 1);
    expect([wait, wait + 1]).toContain(seconds);
  }
  const again = { epoch: 0, level: 3, closed_since: inMinutes(-10), closed_until: inMinutes(-1) };

  it("closes it for a second when it is the first one and says nothing", async () => {
    const first = await closed(undefined);
    expectWait(first, 1);
    expect(first.changed).toBe("made");
    const [gate] = await query(
      "SELECT epoch, level, closed_since IS NOT NULL AS since FROM provider_gates WHERE epoch = 1",
    );
    expect(gate).toEqual({ epoch: 1, level: 1, since: true });
  });

  it.each<[string, Columns | undefined, number, number]>([
    ["the first one", undefined, 100, 100],
    ["a later one", again, 100, 100],
    ["where more is due than was told", again, 5, 8],
  ])("is waited for as told, at least: %s", async (_what, gate, told, least) => {
    expectWait(await closed(gate, { told }), least);
  });

  it("adds a tenth at most by chance", async () => {
    for (const gate of [undefined, again]) {
      expectWait(await closed(gate, { told: 1000, jitter: 1 }), 1100);
    }
  });

  it.each<[string, number, number, number]>([
    ["eight seconds after three", 3, -10, 8],
    ["five minutes at most", 40, -59, 300],
    ["half an hour at most when it has gone on for an hour", 40, -61, 1800],
  ])("doubles: %s", async (_what, level, since, expected) => {
    const result = await closed({ ...again, level, closed_since: inMinutes(since) });
    expectWait(result, expected);
    const { changed } = result;
    expect(changed).toMatchObject({ level: level + 1, epoch: 1 });
    expect(changed).not.toHaveProperty("closed_since");
  });

  it("ends the try that found it out, and the quiet before it", async () => {
    const gate = { ...again, probe_item: randomUUID(), probe_until: inMinutes(1), opened_at: inMinutes(-2) };
    const { changed } = await closed(gate, { told: 600 });
    expect(changed).toEqual({
      closed_until: 10,
      level: 4,
      epoch: 1,
      probe_item: null,
      probe_until: null,
      opened_at: null,
    });
  });

  it("of a call that was under way at an earlier closing is no other closing; a longer wait counts", async () => {
    const gate = {
      ...again,
      epoch: 6,
      closed_until: inMinutes(5),
      probe_item: randomUUID(),
      probe_until: inMinutes(1),
    };
    expect((await closed(gate, { epoch: 5, told: 600 })).changed).toEqual({ closed_until: 10 });
    const { seconds, changed } = await closed({ ...gate, opened_at: inMinutes(-1) }, { epoch: 5, told: 0 });
    expect(Math.round(seconds / 60)).toBe(5);
    expect(changed).toEqual({ opened_at: null });
    expectWait(await closed({ ...gate, level: 20, closed_until: null, opened_at: inMinutes(-1) }, { epoch: 5 }), 1);
  });

  it("after ten quiet minutes is a first one", async () => {
    const quiet = { ...again, level: 9, closed_until: null, opened_at: inMinutes(-10.5) };
    const first = await closed(quiet);
    expectWait(first, 1);
    expect(first.changed).toEqual({ ...FIRST, closed_until: expect.any(Number), opened_at: null });
    const { changed } = await closed({ ...quiet, opened_at: inMinutes(-9.5) });
    expect(changed).toMatchObject({ level: 10, epoch: 1 });
    expect(changed).not.toHaveProperty("closed_since");
  });

  it("before which a gate was only held is a first one", async () => {
    expect((await closed({ epoch: 0, level: 9 })).changed).toMatchObject(FIRST);
  });
});

describe("what a try found out", () => {
  const tried = {
    epoch: 4,
    level: 9,
    closed_until: inMinutes(-1),
    probe_item: randomUUID(),
    probe_until: inMinutes(1),
  };

  it("opens the gate, and halves what is remembered of its limits", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    await stranger(tried);
    const { changed } = await changesBy(() => openGate(owner.id, { epoch: 4, isProbe: true }));
    expect(changed).toEqual({
      [gateOf(owner)]: { closed_until: null, probe_item: null, probe_until: null, opened_at: 0, level: 4 },
    });
  });

  it("leaves the try to the next item where it says nothing of limits", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    await stranger(tried);
    const { changed } = await changesBy(() => leaveProbe(owner.id, { epoch: 4, isProbe: true }));
    expect(changed).toEqual({ [gateOf(owner)]: { probe_item: null, probe_until: null } });
  });

  it("says nothing of a gate that was closed since", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    const stale = { epoch: 3, isProbe: true };
    expect((await changesBy(() => openGate(owner.id, stale))).changed).toEqual(NOTHING);
    expect((await changesBy(() => leaveProbe(owner.id, stale))).changed).toEqual(NOTHING);
  });
});

describe("a gate that is held for the person", () => {
  const why = { error: "The key was refused.", key: "a fingerprint" };

  it("is held from the first call on", async () => {
    const owner = await newOwner();
    expect((await changesBy(() => holdGate(owner.id, why))).changed).toEqual({ [gateOf(owner)]: "made" });
    expect(await readGate(owner.id)).toEqual({ heldError: why.error, waitSeconds: 0 });
    expect(await selectHeld(100)).toEqual([{ userId: owner.id, key: why.key }]);
  });

  it("is held whatever it was before", async () => {
    const owner = await newOwner();
    const gate = {
      epoch: 4,
      level: 2,
      closed_until: inMinutes(5),
      probe_item: randomUUID(),
      probe_until: inMinutes(1),
    };
    await newGateOf(owner, { ...gate, held_error: "Before.", held_key: "before" });
    await stranger(gate);
    const { changed } = await changesBy(() => holdGate(owner.id, why));
    expect(changed).toEqual({
      [gateOf(owner)]: {
        held_error: why.error,
        held_key: why.key,
        closed_until: null,
        probe_item: null,
        probe_until: null,
        epoch: 5,
      },
    });
  });

  it("is released by the person: their held items wait for other runs, and one of them tries", async () => {
    const held = { is_held: true, error: "Why.", run_id: "run-1", event_ref: "event-1", dispatched_at: inMinutes(-9) };
    const item = await newItemOf(await newJobOf(await newOwner()), held);
    const second = await newItemOf(item.job, held);
    await newItemOf(item.job, { run_id: "run-2", dispatched_at: inMinutes(-9) });
    await newItemOf(item.job, { status: "failed" });
    const other = await newItemOf(await newJobOf(await newOwner()), held);
    for (const { owner } of [item.job, other.job]) await newGateOf(owner, { held_error: "Why.", held_key: "key" });
    const { answer, changed } = await changesBy(() => releaseHold(prisma, item.job.owner.id));
    expect(answer).toBe(2);
    const waits = {
      is_held: false,
      error: null,
      run_id: null,
      event_ref: null,
      dispatch_seq: 1,
      dispatched_at: null,
      updated_at: 0,
    };
    expect(changed).toEqual({
      [nameOf(item)]: waits,
      [nameOf(second)]: waits,
      [nameOf(item.job)]: { revision: 1 },
      [gateOf(item.job.owner)]: { held_error: null, held_key: null, closed_until: 0 },
    });
    expect((await selectHeld(100)).map(({ userId }) => userId)).toEqual([other.job.owner.id]);
    expect(await changesBy(() => releaseHold(prisma, item.job.owner.id))).toEqual({ answer: 0, changed: NOTHING });
  });

  it("is listed with those of others, and none that is open", async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    await newGateOf(first, { held_error: "Why." });
    await newGateOf(second, { held_error: "Why.", held_key: "key" });
    await stranger({ held_key: "key" });
    const seen = await selectHeld(100);
    expect(new Map(seen.map(({ userId, key }) => [userId, key]))).toEqual(
      new Map([
        [first.id, ""],
        [second.id, "key"],
      ]),
    );
    expect(seen).toHaveLength(2);
    expect(await selectHeld(1)).toHaveLength(1);
  });
});
