import { randomUUID } from "node:crypto";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import { completeItem, type GivenBack, giveBack, lockClaim } from "@/lib/features/work/sql/items";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  type Columns,
  changesBy,
  claimRefOf,
  emptyQueues,
  type Item,
  inMinutes,
  leaseOf,
  NOTHING,
  nameOf,
  newCancelledJob,
  newItemAmongOthers as newItem,
  newLeaseOf,
} from "@/tests/support/queue-rows";

// How a claim ends: everything that each statement changes, and that it leaves other rows alone.

emptyQueues();
beforeEach(newCancelledJob);

const TOKENS = { tokensIn: 10, tokensOut: 20, tokensCached: 4, tokensReasoning: 3 };
const PAID = { tokens_in: 15, tokens_out: 20, tokens_cached: 4, tokens_reasoning: 3 };
const giveItBack = (item: Item, as: GivenBack["as"], rest: Partial<GivenBack> = {}) =>
  giveBack(prisma, claimRefOf(item), { as, error: "Why.", delaySeconds: 600, ...rest });

describe("a claim that is given back", () => {
  const cancels = { cancel_requested_at: inMinutes(-1) };
  const last = { retry_count: 3 };
  const waits = { status: "pending", not_before: 10 };
  const fails = { status: "failed", completed_at: 0 };
  const isCancelled = { status: "cancelled", completed_at: 0 };

  it.each<[string, GivenBack["as"], Columns, Columns, Columns, Columns]>([
    ["goes on", "more", last, {}, {}, {}],
    ["is cancelled instead of going on", "more", {}, cancels, isCancelled, { cancelled_items: 1 }],
    ["waits for its next attempt", "retry", {}, {}, { ...waits, retry_count: 1 }, {}],
    ["waits for its last attempt", "retry", { retry_count: 2 }, {}, { ...waits, retry_count: 3 }, {}],
    ["fails when its attempts are used up", "retry", last, {}, fails, { failed_items: 1 }],
    [
      "is cancelled instead of a retry",
      "retry",
      {},
      cancels,
      { ...isCancelled, retry_count: 1 },
      { cancelled_items: 1 },
    ],
    ["fails rather than being cancelled when none is left", "retry", last, cancels, fails, { failed_items: 1 }],
    ["waits without an attempt counted", "wait", last, {}, waits, {}],
    ["is cancelled instead of a wait", "wait", last, cancels, isCancelled, { cancelled_items: 1 }],
    ["fails when nothing can help", "stop", {}, {}, fails, { failed_items: 1 }],
    ["fails when nothing can help, in a cancelled job", "stop", {}, cancels, fails, { failed_items: 1 }],
  ])("%s (%s)", async (_what, as, columns, job, change, counted) => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5, ...columns }, job);
    await newLeaseOf(item, 5, { kind: "publishing" });
    const { answer, changed } = await changesBy(() => giveItBack(item, as, { tokens: TOKENS, baseTextVersion: 3 }));
    expect(answer).toBe(change.status ?? "processing");
    expect(changed).toEqual({
      [nameOf(item)]: { claim_token: null, error: "Why.", base_text_version: 3, updated_at: 0, ...PAID, ...change },
      [leaseOf(item)]: "gone",
      [nameOf(item.job)]: { ...counted, revision: 1, updated_at: 0 },
    });
  });

  it("keeps the version of its first answer, forgets an earlier error and wait, and leaves a later holder's lease", async () => {
    const before = { base_text_version: 2, error: "Before.", not_before: inMinutes(-5), is_try_open: true };
    const item = await newItem({ ...AT_WORK, ...before });
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    const { changed } = await changesBy(() => giveBack(prisma, claimRefOf(item), { as: "more", baseTextVersion: 5 }));
    const given = { claim_token: null, is_try_open: false, error: null, not_before: null, updated_at: 0 };
    expect(changed).toEqual({ [nameOf(item)]: given, [nameOf(item.job)]: { revision: 1, updated_at: 0 } });
  });

  it("changes nothing with a stale token", async () => {
    const item = await newItem(AT_WORK);
    const stale = { ...item, token: randomUUID() };
    expect(await changesBy(() => giveItBack(stale, "retry"))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it.each(["more", "wait"] as const)("is cancelled with a job that is cancelled at that moment (%s)", async (as) => {
    const item = await newItem(AT_WORK);
    const cancel = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
    expect(await afterChange(cancel, item.job.id, () => giveItBack(item, as))).toBe("cancelled");
  });

  it("ends its job with its last item", async () => {
    const item = await newItem(AT_WORK, { total_items: 1 });
    const { changed } = await changesBy(() => giveItBack(item, "stop"));
    expect(changed[nameOf(item.job)]).toMatchObject({ status: "failed", failed_items: 1, completed_at: 0 });
  });
});

describe("an item whose work is done", () => {
  it("is completed with its note and its cost, and releases its piece", async () => {
    const item = await newItem({
      ...AT_WORK,
      tokens_in: 5,
      error: "An earlier try.",
      note: "Old.",
      not_before: inMinutes(-5),
    });
    await newLeaseOf(item, 5, { subject: randomUUID() });
    const { changed } = await changesBy(() => completeItem(prisma, claimRefOf(item), { note: "A word.", ...TOKENS }));
    const done = { status: "completed", claim_token: null, error: null, note: "A word.", not_before: null, ...PAID };
    expect(changed).toEqual({
      [nameOf(item)]: { ...done, updated_at: 0, completed_at: 0 },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "gone",
    });
  });

  it("is left alone with a stale token", async () => {
    const stale = { ...claimRefOf(await newItem(AT_WORK)), token: randomUUID() };
    const complete = () => completeItem(prisma, stale, { note: null, ...NO_TOKENS });
    expect((await changesBy(complete)).changed).toEqual(NOTHING);
  });
});

describe("a claim that is locked", () => {
  it.each<[string, Columns | null, boolean]>([
    ["with the lease on its piece", {}, true],
    ["without one", null, false],
    ["with a lease of another kind", { kind: "publishing" }, false],
    ["with a lease on another piece", { subject: randomUUID() }, false],
    ["with another holder's lease", { token: randomUUID() }, false],
  ])("%s: %s", async (_what, lease, isHeld) => {
    const item = await newItem(AT_WORK);
    await query("DELETE FROM leases");
    if (lease) await newLeaseOf(item, 5, lease);
    expect(await lockClaim(prisma, claimRefOf(item))).toBe(isHeld);
    expect(await lockClaim(prisma, { ...claimRefOf(item), token: randomUUID() })).toBe(false);
  });

  it("keeps item and lease locked until the transaction ends", async () => {
    const item = await newItem(AT_WORK);
    await prisma.$transaction(async (db) => {
      expect(await lockClaim(db, claimRefOf(item))).toBe(true);
      const free = (table: string, column: string, value: string) =>
        query(`SELECT 1 FROM ${table} WHERE ${column} = '${value}' FOR UPDATE SKIP LOCKED`);
      expect(await free("processing_queue", "claim_token", item.token)).toEqual([]);
      expect(await free("leases", "subject", item.piece)).toEqual([]);
    });
  });
});
