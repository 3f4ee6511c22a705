import { randomUUID } from "node:crypto";
import { parkItem } from "@/lib/features/work/sql/items";
import {
  endLimit,
  extendTurn,
  hold,
  type LimitState,
  noteLimit,
  passTurn,
  pause,
  release,
  restartLimitDay,
  resume,
  selectHeld,
} from "@/lib/features/work/sql/waits";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  type Columns,
  changesBy,
  emptyQueues,
  inMinutes,
  NOTHING,
  nameOf,
  newItemAmongOthers,
  newItemOf,
  newJobOf,
  newOwner,
  newWaitOf,
  type Owner,
  waitOf,
} from "@/tests/support/queue-rows";

// What a user's items wait for together; another user's row never changes.

emptyQueues();
beforeEach(async () =>
  newWaitOf(await newOwner(), { not_before: inMinutes(-1), taker_until: inMinutes(1), held_reason: "No." }),
);

const DAY = 86_400;
const MONTH = 30 * DAY;

async function ownerWith(wait?: Columns): Promise<Owner> {
  const owner = await newOwner();
  if (wait) await newWaitOf(owner, wait);
  return owner;
}

/** The changes to the user's row alone. */
async function changesOf<T>(owner: Owner, act: () => Promise<T>): Promise<{ answer: T; changed: unknown }> {
  const { answer, changed } = await changesBy(act);
  expect(Object.keys(changed).filter((name) => name !== waitOf(owner))).toEqual([]);
  return { answer, changed: changed[waitOf(owner)] ?? NOTHING };
}

const moment = (minutes: number) => inMinutes(minutes).toISOString();

describe("a call that the provider limited", () => {
  /** Limited before: three times in a row, at last a minute ago. */
  const again = { level: 3, limited_since: inMinutes(-5), limited_at: inMinutes(-1) };
  const often = { ...again, level: 40 };
  const quiet = { level: 9, limited_at: inMinutes(-10.5) };
  const due = inMinutes(-1);
  const since = (hours: number) => ({ ...again, limited_since: inMinutes(-60 * hours) });
  const first = { level: 1, limited_since: 0, limited_at: 0, not_before: 0 };
  const raised = { level: 4, limited_at: 0, not_before: expect.any(Number) };
  const tenth = { level: 10, limited_since: 0, limited_at: 0, not_before: 5 };
  const forMonth = { ...raised, limited_until: MONTH / 60 };

  it.each<[string, Columns | undefined, { begun?: number; told?: number }, number, unknown]>([
    ["waits for a second the first time", undefined, {}, 1, "made"],
    ["waits as long as the provider says", undefined, { told: 200 }, 200, "made"],
    ["waits for a day at most", undefined, { told: MONTH }, DAY, "made"],
    ["begins at a second after a hold", { held_reason: "Why." }, {}, 1, first],
    ["waits twice as long each time", again, {}, 8, raised],
    ["waits longer if the provider says so", again, { told: 100 }, 100, raised],
    ["waits no shorter than the back-off", again, { told: 5 }, 8, raised],
    ["waits for five minutes at most", { ...often, limited_since: inMinutes(-59) }, {}, 300, { ...raised, level: 41 }],
    ["waits for half an hour later", { ...often, limited_since: inMinutes(-61) }, {}, 1800, { ...raised, level: 41 }],
    ["waits no longer than its day", since(23), { told: MONTH }, 3600, forMonth],
    ["waits for another day after it", since(25), { told: MONTH }, DAY, forMonth],
    ["keeps a longer wait", { ...again, not_before: inMinutes(5) }, {}, 300, { level: 4, limited_at: 0 }],
    ["ends the turn", { ...again, taker_until: inMinutes(1) }, {}, 8, { ...raised, taker_until: null }],
    ["raises nothing if it is older", { ...again, taker_until: inMinutes(1) }, { begun: -9 }, 0, { not_before: 0 }],
    ["extends the wait even then", { ...again, not_before: due }, { begun: -9, told: 300 }, 300, { not_before: 5 }],
    ["starts over after ten quiet minutes", quiet, {}, 1, first],
    ["goes on after less", { ...quiet, limited_at: inMinutes(-9.5) }, {}, 300, tenth],
    ["goes on while a limit lasts", { ...quiet, not_before: due }, {}, 300, tenth],
  ])("%s", async (_what, wait, { begun = 0, told = 0 }, waitSeconds, change) => {
    const owner = await ownerWith(wait);
    await newItemOf(await newJobOf(owner));
    await newItemOf(await newJobOf(owner, { job_type: "content_generation" }), { status: "failed" });
    await newItemOf(await newJobOf(await newOwner()));
    const limited = { userId: owner.id, begunAt: moment(begun), toldSeconds: told };
    const { answer, changed } = await changesOf(owner, () => noteLimit(limited));
    expect(answer.waitSeconds).toBeLessThan(waitSeconds + 0.1);
    expect(answer.waitSeconds).toBeGreaterThan(waitSeconds * 0.8 - 0.1);
    expect(changed).toEqual(change);
    expect(answer.liveItems).toBe(1);
  });

  it("notes a first limit whole", async () => {
    const owner = await ownerWith();
    await noteLimit({ userId: owner.id, begunAt: moment(0), toldSeconds: 0 });
    expect(await query("SELECT * FROM provider_waits WHERE user_id = $1", [owner.id])).toMatchObject([
      {
        level: 1,
        limited_since: expect.any(Date),
        limited_at: expect.any(Date),
        limited_until: null,
        taker_until: null,
      },
    ]);
  });

  it.each<[string, Columns | undefined, number, number | null]>([
    ["no end of a limit of five minutes", undefined, 300, null],
    ["the end of a longer one", undefined, 330, 5.5],
    ["the end of a longer one again", again, 330, 5.5],
    ["a later end that it knows", { ...again, limited_until: inMinutes(60) }, 1800, 60],
    ["no end that has passed", { ...again, limited_until: inMinutes(-1) }, 0, null],
  ])("tells %s", async (_what, wait, toldSeconds, minutes) => {
    const owner = await ownerWith(wait);
    const { limitedUntil } = await noteLimit({ userId: owner.id, begunAt: moment(0), toldSeconds });
    const left = limitedUntil && Math.round((limitedUntil.getTime() - Date.now()) / 30_000) / 2;
    expect(left).toBe(minutes);
  });

  it("is the last one after a day without a success, which can begin anew", async () => {
    const isOver = async (minutes: number) => {
      const owner = await ownerWith({ ...again, limited_since: inMinutes(minutes) });
      const note = (): Promise<LimitState> => noteLimit({ userId: owner.id, begunAt: moment(0), toldSeconds: 0 });
      const first = await note();
      expect((await changesOf(owner, () => restartLimitDay(owner.id))).changed).toEqual({ limited_since: 0 });
      return [first.isOver, (await note()).isOver];
    };
    expect([await isOver(-1439), await isOver(-1441)]).toEqual([
      [false, false],
      [true, false],
    ]);
  });
});

describe("a turn", () => {
  const turn = {
    ...{ level: 5, not_before: inMinutes(-1), limited_since: inMinutes(-9), limited_at: inMinutes(-2) },
    ...{ limited_until: inMinutes(9), taker_until: inMinutes(0.4) },
  };
  const acts = { extendTurn, endLimit, passTurn };

  it.each<[keyof typeof acts, Columns]>([
    ["extendTurn", { taker_until: 1 }],
    ["endLimit", { not_before: null, taker_until: null, limited_since: null, limited_until: null, level: 2 }],
    ["passTurn", { taker_until: null }],
  ])("is used by its taker alone: %s", async (name, change) => {
    const act = async (wait: Columns, begun = -1) => {
      const owner = await ownerWith(wait);
      return (await changesOf(owner, () => acts[name]({ userId: owner.id, begunAt: moment(begun) }))).changed;
    };
    expect(await act(turn)).toEqual(change);
    expect(await act({ ...turn, limited_at: null })).toEqual(change);
    expect([await act(turn, -9), await act({ ...turn, taker_until: null })]).toEqual([NOTHING, NOTHING]);
  });
});

describe("a hold", () => {
  const why = { reason: "The key was refused.", key: "a fingerprint" };
  const held = { held_reason: why.reason, held_key: why.key };

  it("begins with and without a row, and ends a limit's wait", async () => {
    const owner = await ownerWith();
    expect((await changesOf(owner, () => hold(owner.id, why))).changed).toBe("made");
    const limits = {
      level: 2,
      not_before: inMinutes(5),
      taker_until: inMinutes(1),
      held_reason: "Before.",
      held_key: "b",
    };
    const limited = await ownerWith(limits);
    const { changed } = await changesOf(limited, () => hold(limited.id, why));
    expect(changed).toEqual({ ...held, not_before: null, taker_until: null });
  });

  it("is listed with its key, up to a limit, and ends for its user alone; a pause stays", async () => {
    const owner = await ownerWith({ ...held, paused_at: inMinutes(-1), taker_until: inMinutes(1) });
    await ownerWith({ paused_at: inMinutes(-1) });
    const keys = async (limit: number) =>
      (await selectHeld(limit)).map(({ userId, key }) => (userId === owner.id ? key : `?${key}`));
    expect((await keys(9)).sort()).toEqual(["?", why.key]);
    expect(await keys(1)).toHaveLength(1);
    const { answer, changed } = await changesOf(owner, () => release(owner.id));
    expect([answer, changed]).toEqual([true, { held_reason: null, held_key: null, not_before: 0, taker_until: null }]);
    expect(await changesOf(owner, () => release(owner.id))).toEqual({ answer: false, changed: NOTHING });
  });
});

it("a pause begins with and without a row, keeps its first moment, and ends for its user alone", async () => {
  const owner = await ownerWith();
  const other = await ownerWith({ paused_at: inMinutes(-3), held_reason: "Why." });
  expect((await changesOf(owner, () => pause(owner.id))).changed).toBe("made");
  expect(await changesOf(other, () => pause(other.id))).toMatchObject({ changed: NOTHING });
  expect((await changesOf(other, () => resume(other.id))).changed).toEqual({ paused_at: null });
  expect((await changesOf(other, () => pause(other.id))).changed).toEqual({ paused_at: 0 });
});

it.each([
  ["an earlier limit is that much younger", -7, -4],
  ["a limit of that time begins now", -2, 0],
])("after a pause of three minutes %s", async (_what, since, limited_since) => {
  const owner = await ownerWith({ paused_at: inMinutes(-3), limited_since: inMinutes(since) });
  expect((await changesOf(owner, () => resume(owner.id))).changed).toEqual({ paused_at: null, limited_since });
  expect((await changesOf(owner, () => resume(owner.id))).changed).toEqual(NOTHING);
});

describe("a held item's run", () => {
  const SENT = { sent_at: inMinutes(-60), run_id: "run-1" };

  it.each<[string, Columns | null, Columns, boolean]>([
    ["ends while the user has to act", { held_reason: "Why." }, {}, true],
    ["ends while the user has paused", { paused_at: inMinutes(-1) }, {}, true],
    ["does not end after the hold", { not_before: inMinutes(5) }, {}, false],
    ["does not end without a hold", null, {}, false],
    ["leaves an ended item alone", { held_reason: "Why." }, { status: "failed" }, false],
    ["leaves an item at work alone", { held_reason: "Why." }, AT_WORK, false],
  ])("%s", async (_what, wait, columns, isParked) => {
    const item = await newItemAmongOthers({ ...SENT, ...columns });
    if (wait) await newWaitOf(item.job.owner, wait);
    const { answer, changed } = await changesBy(() => parkItem({ itemId: item.id, jobType: item.jobType }));
    expect(answer).toBe(isParked);
    expect(changed).toEqual(isParked ? { [nameOf(item)]: { sent_at: null, run_id: null } } : NOTHING);
  });

  it("does not end when the hold ends at that moment", async () => {
    const item = await newItemAmongOthers(SENT);
    await newWaitOf(item.job.owner, { held_reason: "Why." });
    const park = () => parkItem({ itemId: item.id, jobType: item.jobType });
    const end = "UPDATE provider_waits SET held_reason = NULL WHERE user_id = $1";
    expect(await afterChange(end, item.job.owner.id, park)).toBe(false);
    expect(await parkItem({ itemId: randomUUID(), jobType: item.jobType })).toBe(false);
  });
});
