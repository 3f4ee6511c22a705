import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  abandonProbe,
  closeGate,
  holdGate,
  openAttempt,
  openGate,
  openProbe,
  readGate,
  releaseHold,
  selectHeldGates,
} from "@/lib/features/work/sql/gate";
import { query } from "@/tests/support/db";
import {
  type Columns,
  changesBy,
  claimRefOf,
  emptyQueues,
  inMinutes,
  NOTHING,
  nameOf,
  newBystanders,
  newGateOf,
  newItemOf,
  newJobOf,
  newOwner,
  type Owner,
} from "@/tests/support/queue-rows";

// The gate between a user's items and the provider in each state; another user's gate never changes.

emptyQueues();

const AT_WORK = { status: "processing" };
const clock = async () => Number((await query<{ now: Date }>("SELECT now()"))[0]?.now);
/** Another user's gate in all states at once, to catch statements that forget the owner. */
const stranger = (columns: Columns = {}) => newOwner().then((other) => newGateOf(other, columns));
const gateOf = ({ id }: Owner) => `gate ${id}`;

async function itemAtWork(gate?: Columns) {
  const owner = await newOwner();
  const item = await newItemOf(await newJobOf(owner), AT_WORK);
  await newBystanders(item, AT_WORK);
  if (gate) await newGateOf(owner, gate);
  return item;
}

describe("a call at an open gate", () => {
  it.each<[string, Columns | undefined, number]>([
    ["that was never closed", undefined, 0],
    ["that is open again", { epoch: 7, opened_at: inMinutes(-1) }, 7],
  ])("%s opens an attempt first", async (_what, gate, epoch) => {
    const item = await itemAtWork(gate);
    await stranger({ epoch: 3, closed_until: inMinutes(5), held_error: "Why." });
    const { answer, changed } = await changesBy(() => openAttempt(claimRefOf(item)));
    expect(answer).toEqual({ epoch, isProbe: false });
    expect(changed).toEqual({ [nameOf(item)]: { is_try_open: true, updated_at: 0 } });
  });

  it.each<[string, Columns]>([
    ["is closed", { closed_until: inMinutes(5) }],
    ["allows a single attempt", { closed_until: inMinutes(-5) }],
    ["is held", { held_error: "Why." }],
  ])("is refused when the gate %s", async (_what, gate) => {
    const item = await itemAtWork(gate);
    expect(await changesBy(() => openAttempt(claimRefOf(item)))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("is refused with a stale token", async () => {
    const item = await itemAtWork();
    const stale = { ...claimRefOf(item), token: randomUUID() };
    expect(await changesBy(() => openAttempt(stale))).toEqual({ answer: undefined, changed: NOTHING });
  });
});

describe("the probing item", () => {
  const due = { epoch: 4, closed_until: inMinutes(-1) };

  it("opens an attempt, and has the gate to itself for 90 seconds", async () => {
    const item = await itemAtWork(due);
    await stranger(due);
    const { answer, changed } = await changesBy(() => openProbe(claimRefOf(item)));
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
    ["another one's time is over", { probe_item: randomUUID(), probe_until: inMinutes(-1) }],
    ["another one has no deadline", { probe_item: randomUUID() }],
  ])("probes when %s", async (_what, probe) => {
    const item = await itemAtWork({ ...due, ...probe });
    expect((await openProbe(claimRefOf(item)))?.isProbe).toBe(true);
  });

  it("can probe again", async () => {
    const item = await itemAtWork(due);
    await query("UPDATE provider_gates SET probe_item = $1, probe_until = $2", [item.id, inMinutes(1)]);
    expect((await openProbe(claimRefOf(item)))?.isProbe).toBe(true);
  });

  it.each<[string, Columns]>([
    ["another one probes", { ...due, probe_item: randomUUID(), probe_until: inMinutes(1) }],
    ["the wait is not over", { closed_until: inMinutes(1) }],
    ["the gate is held", { ...due, held_error: "Why." }],
    ["the gate is open", {}],
  ])("does not probe while %s", async (_what, gate) => {
    const item = await itemAtWork(gate);
    expect(await changesBy(() => openProbe(claimRefOf(item)))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("does not probe with a stale token", async () => {
    const item = await itemAtWork(due);
    const stale = { ...claimRefOf(item), token: randomUUID() };
    expect(await changesBy(() => openProbe(stale))).toEqual({ answer: undefined, changed: NOTHING });
  });
});

describe("the wait of an item at a gate", () => {
  it.each<[string, Columns | undefined, Awaited<ReturnType<typeof readGate>>]>([
    ["nothing without a gate", undefined, undefined],
    ["nothing at an open gate", { opened_at: inMinutes(-1) }, undefined],
    ["for the user at a held gate", { held_error: "Why." }, { heldError: "Why.", limitedUntil: null, waitSeconds: 0 }],
    [
      "nothing when the probe's time is over",
      { closed_until: inMinutes(-2) },
      { heldError: null, limitedUntil: null, waitSeconds: 0 },
    ],
  ])("is %s", async (_what, gate, expected) => {
    const owner = await newOwner();
    if (gate) await newGateOf(owner, gate);
    await stranger({ closed_until: inMinutes(9), held_error: "Another's." });
    expect(await readGate(owner.id)).toEqual(expected);
  });

  it("is the rest of the gate's closed time", async () => {
    const owner = await newOwner();
    await newGateOf(owner, { closed_until: inMinutes(2) });
    const seconds = (await readGate(owner.id))?.waitSeconds ?? 0;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(120);
  });
});

describe("a provider's limit", () => {
  const FIRST = { level: 1, closed_since: 0, epoch: 1 };
  /** The changed columns of the gate after a limit and the seconds to wait, without jitter. */
  async function closed(gate: Columns | undefined, limit: Partial<Parameters<typeof closeGate>[1]> = {}) {
    const owner = await newOwner();
    if (gate) await newGateOf(owner, gate);
    await stranger({ epoch: 5 });
    const close = () =>
      closeGate(owner.id, { retryAfter: 0, atMost: 86_400, limitedFor: null, epoch: 0, jitter: 0, ...limit });
    const before = await clock();
    const {
      answer: { waitSeconds: seconds, limitedUntil },
      changed,
    } = await changesBy(close);
    const after = await clock();
    expect(Object.keys(changed)).toEqual([gateOf(owner)]);
    const [stored] = await query<{ closed_until: Date }>("SELECT closed_until FROM provider_gates WHERE user_id = $1", [
      owner.id,
    ]);
    return {
      seconds,
      limitedUntil,
      changed: changed[gateOf(owner)],
      until: Number(stored?.closed_until),
      before,
      after,
    };
  }

  /** Exactly this long from a time during the statement; rounding to milliseconds may add a second to the result. */
  function expectWait({ seconds, until, before, after }: Awaited<ReturnType<typeof closed>>, wait: number) {
    expect(until - wait * 1000).toBeGreaterThanOrEqual(before - 1);
    expect(until - wait * 1000).toBeLessThanOrEqual(after + 1);
    expect([wait, wait + 1]).toContain(seconds);
  }
  const again = { epoch: 0, level: 3, closed_since: inMinutes(-10), closed_until: inMinutes(-1) };

  it("closes it for a second if it is the first and has no retry-after", async () => {
    const first = await closed(undefined);
    expectWait(first, 1);
    expect(first.changed).toBe("made");
    const [gate] = await query(
      "SELECT epoch, level, closed_since IS NOT NULL AS since FROM provider_gates WHERE epoch = 1",
    );
    expect(gate).toEqual({ epoch: 1, level: 1, since: true });
  });

  it.each<[string, Columns | undefined, number, number]>([
    ["the first limit", undefined, 100, 100],
    ["a later limit", again, 100, 100],
    ["a longer backoff than requested", again, 5, 8],
  ])("waits for at least retryAfter: %s", async (_what, gate, retryAfter, least) => {
    expectWait(await closed(gate, { retryAfter }), least);
  });

  it("adds at most a tenth of jitter", async () => {
    for (const gate of [undefined, again]) {
      expectWait(await closed(gate, { retryAfter: 1000, jitter: 1 }), 1100);
    }
  });

  it.each<[string, number, number, number]>([
    ["eight seconds after three", 3, -10, 8],
    ["five minutes at most", 40, -59, 300],
    ["half an hour at most after an hour of limits", 40, -61, 1800],
  ])("doubles: %s", async (_what, level, since, expected) => {
    const result = await closed({ ...again, level, closed_since: inMinutes(since) });
    expectWait(result, expected);
    const { changed } = result;
    expect(changed).toMatchObject({ level: level + 1, epoch: 1 });
    expect(changed).not.toHaveProperty("closed_since");
  });

  it.each([
    ["the first limit", undefined],
    ["a later limit", again],
  ])("ends no later than asked for, and keeps the end of a longer limit: %s", async (_what, gate) => {
    const month = 30 * 86_400;
    const closing = await closed(gate, { retryAfter: month, atMost: 3_600, limitedFor: month, jitter: 1 });
    expectWait(closing, 3_600);
    expect(Number(closing.limitedUntil) - month * 1000).toBeGreaterThanOrEqual(closing.before - 1);
    expect(Number(closing.limitedUntil) - month * 1000).toBeLessThanOrEqual(closing.after + 1);
  });

  it("keeps the later end of two limits, and none that has passed", async () => {
    const gate = { ...again, limited_until: inMinutes(60) };
    expect((await closed(gate, { limitedFor: 1_800 })).changed).not.toHaveProperty("limited_until");
    expect((await closed({ ...again, limited_until: inMinutes(-1) })).limitedUntil).toBeNull();
  });

  it("ends the probe and the quiet time before it", async () => {
    const gate = { ...again, probe_item: randomUUID(), probe_until: inMinutes(1), opened_at: inMinutes(-2) };
    const { changed } = await closed(gate, { retryAfter: 600 });
    expect(changed).toEqual({
      closed_until: 10,
      level: 4,
      epoch: 1,
      probe_item: null,
      probe_until: null,
      opened_at: null,
    });
  });

  it("of a call begun before the last closing is no further closing, but may extend the wait", async () => {
    const gate = {
      ...again,
      epoch: 6,
      closed_until: inMinutes(5),
      probe_item: randomUUID(),
      probe_until: inMinutes(1),
    };
    expect((await closed(gate, { epoch: 5, retryAfter: 600 })).changed).toEqual({ closed_until: 10 });
    const { seconds, changed } = await closed({ ...gate, opened_at: inMinutes(-1) }, { epoch: 5, retryAfter: 0 });
    expect(Math.round(seconds / 60)).toBe(5);
    expect(changed).toEqual({ opened_at: null });
    expectWait(await closed({ ...gate, level: 20, closed_until: null, opened_at: inMinutes(-1) }, { epoch: 5 }), 1);
  });

  it("counts as the first after ten quiet minutes", async () => {
    const quiet = { ...again, level: 9, closed_until: null, opened_at: inMinutes(-10.5) };
    const first = await closed(quiet);
    expectWait(first, 1);
    expect(first.changed).toEqual({ ...FIRST, closed_until: expect.any(Number), opened_at: null });
    const { changed } = await closed({ ...quiet, opened_at: inMinutes(-9.5) });
    expect(changed).toMatchObject({ level: 10, epoch: 1 });
    expect(changed).not.toHaveProperty("closed_since");
  });

  it("counts as the first if the gate was only held before", async () => {
    expect((await closed({ epoch: 0, level: 9 })).changed).toMatchObject(FIRST);
  });
});

describe("the result of a probe", () => {
  const tried = {
    epoch: 4,
    level: 9,
    closed_until: inMinutes(-1),
    probe_item: randomUUID(),
    probe_until: inMinutes(1),
  };

  it("opens the gate and halves its backoff level", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    await stranger(tried);
    const { changed } = await changesBy(() => openGate(owner.id, { epoch: 4, isProbe: true }));
    expect(changed).toEqual({
      [gateOf(owner)]: { closed_until: null, probe_item: null, probe_until: null, opened_at: 0, level: 4 },
    });
  });

  it("leaves the probe to the next item if it says nothing about limits", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    await stranger(tried);
    const { changed } = await changesBy(() => abandonProbe(owner.id, { epoch: 4, isProbe: true }));
    expect(changed).toEqual({ [gateOf(owner)]: { probe_item: null, probe_until: null } });
  });

  it("is ignored when the gate was closed since", async () => {
    const owner = await newOwner();
    await newGateOf(owner, tried);
    const stale = { epoch: 3, isProbe: true };
    expect((await changesBy(() => openGate(owner.id, stale))).changed).toEqual(NOTHING);
    expect((await changesBy(() => abandonProbe(owner.id, stale))).changed).toEqual(NOTHING);
  });
});

describe("a gate that is held for the user", () => {
  const why = { error: "The key was refused.", key: "a fingerprint" };

  it("is created if there is none", async () => {
    const owner = await newOwner();
    expect((await changesBy(() => holdGate(owner.id, why))).changed).toEqual({ [gateOf(owner)]: "made" });
    expect(await readGate(owner.id)).toEqual({ heldError: why.error, limitedUntil: null, waitSeconds: 0 });
    expect(await selectHeldGates(100)).toEqual([{ userId: owner.id, key: why.key }]);
  });

  it("is held from any state", async () => {
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

  it("is released by the user: their held items wait for new runs, and one of them probes", async () => {
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
    expect((await selectHeldGates(100)).map(({ userId }) => userId)).toEqual([other.job.owner.id]);
    expect(await changesBy(() => releaseHold(prisma, item.job.owner.id))).toEqual({ answer: 0, changed: NOTHING });
  });

  it("is listed with those of others, but without open ones", async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    await newGateOf(first, { held_error: "Why." });
    await newGateOf(second, { held_error: "Why.", held_key: "key" });
    await stranger({ held_key: "key" });
    const seen = await selectHeldGates(100);
    expect(new Map(seen.map(({ userId, key }) => [userId, key]))).toEqual(
      new Map([
        [first.id, ""],
        [second.id, "key"],
      ]),
    );
    expect(seen).toHaveLength(2);
    expect(await selectHeldGates(1)).toHaveLength(1);
  });
});
