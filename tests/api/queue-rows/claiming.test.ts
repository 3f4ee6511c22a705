import { createHash, randomUUID } from "node:crypto";
import { Prisma } from "@/lib/db/prisma";
import { claimItem, giveBackKept } from "@/lib/features/work/sql/items";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  afterClaim,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  leaseOf,
  NOTHING,
  nameOf,
  newCancelledJob,
  newItemAmongOthers,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  newWaitOf,
  runOf,
  waitOf,
} from "@/tests/support/queue-rows";

// Claiming an item for a call: everything that the statement changes, and what it says about an item that it cannot claim.

emptyQueues();
beforeEach(newCancelledJob);
beforeEach(async () => newWaitOf(await newOwner(), { not_before: inMinutes(-1) }));

const claim = (item: Item, { runId = "run-1", sends = item.sends } = {}) =>
  claimItem(
    { ...runOf(item, runId), sends },
    ({ pieceId, userId }) => Prisma.sql`json_build_object('piece', ${pieceId}, 'user', ${userId})`,
  );

/** The token that a run claims an item with after so many failed attempts. */
const tokenOf = (runId: string, attempts: number) =>
  createHash("md5")
    .update(`${runId}/${attempts}`)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

type Case = { item?: Columns; job?: Columns; wait?: Columns; lease?: number; runId?: string; sends?: number };

async function newCase({ item: columns, job, wait, lease }: Case): Promise<Item> {
  const item = await newItemAmongOthers(columns, job, lease);
  if (wait) await newWaitOf(item.job.owner, wait);
  await newItemOf(item.job, { status: "completed" });
  return item;
}

it("claims an item and its piece, starts its job, and reads the context", async () => {
  const item = await newCase({
    item: { error: "The provider was away.", not_before: inMinutes(-1), retry_count: 2 },
    job: { status: "pending", started_at: null },
  });
  const token = tokenOf("run-1", 2);
  const { answer, changed } = await changesBy(() => claim(item));
  expect(answer?.claim).toEqual({
    id: item.id,
    jobId: item.job.id,
    userId: item.job.owner.id,
    contentPieceId: item.piece,
    baseTextVersion: null,
    retryCount: 2,
    token,
    begunAt: expect.stringMatching(/^\d{4}-/),
    isTaker: false,
    probedAt: null,
  });
  expect(answer?.context).toEqual({ piece: item.piece, user: item.job.owner.id });
  expect(changed).toEqual({
    [nameOf(item)]: {
      status: "processing",
      claim_token: token,
      claimed_at: 0,
      is_try_open: true,
      run_id: "run-1",
      error: null,
      not_before: null,
      started_at: 0,
      updated_at: 0,
    },
    [nameOf(item.job)]: { status: "processing", started_at: 0, revision: 1, updated_at: 0 },
    [leaseOf(item)]: "made",
  });
  const lease = await query("SELECT user_id, content_piece_id, token FROM leases WHERE subject = $1", [item.piece]);
  expect(lease).toEqual([{ user_id: item.job.owner.id, content_piece_id: item.piece, token }]);
});

const BETWEEN = { ...AT_WORK, claim_token: null, run_id: "run-0", base_text_version: 4 };
const LOST = { ...AT_WORK, run_id: "run-0" };
const PROBED = { probed_at: inMinutes(-9), sends: 3 };
const counted = (attempts: number) => ({ retry_count: attempts, claim_token: tokenOf("run-1", attempts) });
const limitedUntil = (minutes: number, taker: number | null) => ({
  wait: { not_before: inMinutes(minutes), taker_until: taker && inMinutes(taker) },
});
const TURN = { turn: { taker_until: 1 } };

it.each<[string, Case & { turn?: Columns }, Columns, Columns]>([
  ["between two calls", { item: BETWEEN, lease: -1 }, {}, { baseTextVersion: 4 }],
  ["whose claim ran out, as an attempt", { item: LOST, lease: -1 }, counted(1), { retryCount: 1 }],
  ["lost with its last try left", { item: { ...LOST, retry_count: 2 }, lease: -1 }, counted(3), {}],
  ["without a limit", { wait: { level: 2, taker_until: inMinutes(1) } }, {}, {}],
  ["whose limit has passed", { ...limitedUntil(-1, null), ...TURN }, {}, { isTaker: true }],
  ["when the last turn has run out", { ...limitedUntil(-9, -1), ...TURN }, {}, { isTaker: true }],
  ["for its probe", { item: PROBED }, { probed_at: null }, { probedAt: expect.any(String) }],
  ["for an event before its probe", { item: PROBED, sends: 2 }, { probed_at: null }, {}],
])("claims an item %s", async (_what, made, columns, claimed) => {
  const item = await newCase(made);
  const { answer, changed } = await changesBy(() => claim(item, made));
  expect(answer?.claim).toMatchObject({ isTaker: false, probedAt: null, ...claimed });
  const claimedNow = {
    claim_token: tokenOf("run-1", 0),
    run_id: "run-1",
    claimed_at: 0,
    is_try_open: true,
    updated_at: 0,
  };
  const taken = { ...claimedNow, ...columns };
  const began = made.item?.status ? {} : { status: "processing", started_at: 0 };
  expect(changed).toEqual({
    [nameOf(item)]: { ...taken, ...began },
    [nameOf(item.job)]: { revision: 1, updated_at: 0 },
    [leaseOf(item)]: made.lease ? { until: 5, token: taken.claim_token } : "made",
    ...(made.turn && { [waitOf(item.job.owner)]: made.turn }),
  });
});

it("keeps the end of a job that has ended", async () => {
  const item = await newCase({ job: { status: "failed", completed_at: inMinutes(-10) } });
  expect((await changesBy(() => claim(item))).changed).not.toHaveProperty([nameOf(item.job)]);
});

const SEEN = {
  ...{ status: "pending", error: null, isOwn: false, isAtWork: false, isKept: false },
  ...{
    isSpent: false,
    isOrphan: false,
    isCancelled: false,
    isHeld: false,
    leaseSeconds: 0,
    waitSeconds: 0,
    limitSeconds: null,
    liveItems: 0,
  },
};
const WORKING = { status: "processing", isAtWork: true, isOwn: true, leaseSeconds: 300 };
const KEPT = { ...AT_WORK, claim_token: tokenOf("run-1", 1), retry_count: 1 };
const SPENT = { item: { ...AT_WORK, retry_count: 3 }, lease: -1 };
const LATER = { not_before: inMinutes(2), run_id: "run-1", retry_count: 3 };

it.each<[string, Case, Partial<Record<keyof typeof SEEN, unknown>>]>([
  ["that has ended", { item: { status: "failed", error: "Why." } }, { status: "failed", error: "Why." }],
  ["that this run is at work on", { item: AT_WORK }, WORKING],
  ["that another run is at work on", { item: AT_WORK, runId: "run-2" }, { ...WORKING, isOwn: false }],
  ["that the release before keeps between two calls", { item: KEPT }, { ...WORKING, isKept: true }],
  ["that the release before is at work on", { item: { ...KEPT, is_try_open: true } }, WORKING],
  ["that was lost with its last try", SPENT, { status: "processing", isOwn: true, isSpent: true }],
  ["of a cancelled job", { job: { cancel_requested_at: inMinutes(-1) } }, { isCancelled: true }],
  ["of a user with a refused key", { wait: { held_reason: "Why." } }, { isHeld: true }],
  ["of a user who has paused", { wait: { paused_at: inMinutes(-1) } }, { isHeld: true }],
  ["in its last try that is not due", { item: LATER }, { waitSeconds: 120, isOwn: true }],
  ["whose user is limited", limitedUntil(2, null), { limitSeconds: 120, liveItems: 3 }],
  ["while another takes the turn", limitedUntil(-2, 1), { limitSeconds: 0, liveItems: 3 }],
])("does not claim an item %s, and says so", async (_what, made, seen) => {
  const item = await newCase(made);
  const { answer, changed } = await changesBy(() => claim(item, made));
  expect(changed).toEqual(NOTHING);
  const { waitSeconds = 0, leaseSeconds = 0, limitSeconds = null } = answer?.seen ?? {};
  expect(answer).toEqual({
    seen: { ...SEEN, ...seen, ...{ waitSeconds, leaseSeconds, limitSeconds } },
    claim: null,
    context: null,
  });
  const times = [waitSeconds, leaseSeconds, limitSeconds].map((seconds) => seconds && Math.round(seconds / 60) * 60);
  expect(times).toEqual([seen.waitSeconds ?? 0, seen.leaseSeconds ?? 0, seen.limitSeconds ?? null]);
});

it("does not claim an item whose piece is used by a click or gone, or one that is gone itself", async () => {
  // It does not take the turn either.
  const item = await newCase({ wait: { not_before: inMinutes(-1) } });
  await newLeaseOf(item, 1, { token: randomUUID() });
  const orphan = await newItemOf(item.job, { content_piece_id: randomUUID() });
  const gone = { ...item, id: randomUUID() };
  const { answer, changed } = await changesBy(() => Promise.all([claim(item), claim(orphan), claim(gone)]));
  expect(changed).toEqual(NOTHING);
  expect(answer).toMatchObject([
    ...[
      { claim: null, seen: { isAtWork: false, isOrphan: false } },
      { claim: null, seen: { isOrphan: true } },
    ],
    undefined,
  ]);
  expect(answer[0]?.seen.leaseSeconds).toBeGreaterThan(50);
});

it("gives back what the release before keeps between two calls of the run, and nothing else", async () => {
  const item = await newCase({ item: KEPT });
  const others = [await newCase({ item: { ...KEPT, is_try_open: true } }), await newCase({ item: AT_WORK })];
  const { changed } = await changesBy(() => Promise.all([item, ...others].map((one) => giveBackKept(runOf(one)))));
  expect(changed).toEqual({ [nameOf(item)]: { claim_token: null, updated_at: 0 }, [leaseOf(item)]: "gone" });
});

describe("of two claims at once", () => {
  it("one gets the item, also when a call of the engine is repeated", async () => {
    const item = await newCase({ item: { run_id: "run-1" } });
    const claimed = { ...item, token: tokenOf("run-1", 0) };
    expect((await afterClaim(claimed, () => claim(item)))?.claim).toBeNull();
  });

  it("one gets the turn at a provider whose limit has passed", async () => {
    const item = await newCase({ wait: { not_before: inMinutes(-1) } });
    const take = "UPDATE provider_waits SET taker_until = now() + interval '90 seconds' WHERE user_id = $1";
    const second = await afterChange(take, item.job.owner.id, () => claim(item));
    expect(second).toMatchObject({ claim: null, seen: { limitSeconds: 0 } });
  });

  it("none gets an item that ends meanwhile", async () => {
    const item = await newItemOf(await newJobOf((await newCase({})).job.owner, { job_type: "content_generation" }));
    const cancel = "UPDATE processing_queue SET status = 'cancelled', completed_at = now() WHERE id = $1";
    expect(await afterChange(cancel, item.id, () => claim(item))).toMatchObject({ claim: null });
  });
});
