import { randomUUID } from "node:crypto";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import {
  type AttemptFailure,
  completeItem,
  endItem,
  failAttempt,
  findItemOfRun,
  reclaimExpiredItems,
} from "@/lib/features/work/sql/items";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  CONTENT,
  type Columns,
  changesBy,
  claimRefOf,
  emptyQueues,
  inMinutes,
  leaseOf,
  NOTHING,
  nameOf,
  newCancelledJob,
  newItemAmongOthers as newItem,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// How an item ends or waits again: everything that each statement changes, and that it leaves other rows alone.

emptyQueues();
beforeEach(newCancelledJob);

describe("an item whose work is done", () => {
  it("is completed with its cost, and releases its piece", async () => {
    const item = await newItem({
      ...AT_WORK,
      tokens_in: 5,
      tokens_out: 7,
      error: "An earlier try.",
      is_try_open: true,
      note: "Old.",
    });
    await newLeaseOf(item, 5, { kind: "publishing" });
    await newLeaseOf(item, 5, { subject: randomUUID() });
    const { answer, changed } = await changesBy(() =>
      completeItem(prisma, claimRefOf(item), {
        note: "A word.",
        tokensIn: 10,
        tokensOut: 20,
        tokensCached: 4,
        tokensReasoning: 3,
      }),
    );
    expect(answer).toBe(true);
    expect(changed).toEqual({
      [nameOf(item)]: {
        status: "completed",
        claim_token: null,
        is_try_open: false,
        error: null,
        note: "A word.",
        tokens_in: 15,
        tokens_out: 27,
        tokens_cached: 4,
        tokens_reasoning: 3,
        updated_at: 0,
        completed_at: 0,
      },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "gone",
    });
  });

  it("is completed without a note, and leaves another holder's lease on its piece", async () => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5, tokens_out: 7, note: "Old." });
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    const nothing = { ...NO_TOKENS, note: null };
    const { changed } = await changesBy(() => completeItem(prisma, claimRefOf(item), nothing));
    expect(changed).toEqual({
      [nameOf(item)]: { status: "completed", claim_token: null, note: null, updated_at: 0, completed_at: 0 },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
    });
  });
});

describe("a failed attempt", () => {
  const setBack = (kind: AttemptFailure["kind"]): AttemptFailure => ({ kind, error: "Why.", delaySeconds: 600 });
  const free = { claim_token: null, is_try_open: false, error: "Why.", updated_at: 0 };
  const counted = (column: string) => ({ [column]: 1, revision: 1, updated_at: 0 });
  const seen = { revision: 1, updated_at: 0 };
  const cancels = { cancel_requested_at: inMinutes(-1) };
  const last = { retry_count: 3 };
  const day = 24 * 3600;
  const almost = { waited_seconds: day - 600 };
  const late = { waited_seconds: day };

  it.each<[string, AttemptFailure["kind"], Columns, Columns, string, Columns, Columns]>([
    ["waits for the next one", "retry", {}, {}, "pending", { retry_count: 1, not_before: 10 }, seen],
    ["fails when its retries are used up", "retry", last, {}, "failed", { completed_at: 0 }, counted("failed_items")],
    [
      "waits for the provider without using up a retry",
      "wait",
      almost,
      {},
      "pending",
      { waited_seconds: day, not_before: 10 },
      seen,
    ],
    [
      "waits for the provider even without a retry left",
      "wait",
      last,
      {},
      "pending",
      { waited_seconds: 600, not_before: 10 },
      seen,
    ],
    ["fails when it has waited for a day", "wait", late, {}, "failed", { completed_at: 0 }, counted("failed_items")],
    [
      "looks again without a retry or a wait left",
      "defer",
      { ...last, ...late },
      {},
      "pending",
      { not_before: 10 },
      seen,
    ],
    ["waits for the user", "hold", last, {}, "pending", { is_held: true }, seen],
    ["fails when nothing can help", "stop", {}, {}, "failed", { completed_at: 0 }, counted("failed_items")],
    [
      "is cancelled instead of a retry",
      "retry",
      {},
      cancels,
      "cancelled",
      { retry_count: 1, completed_at: 0 },
      counted("cancelled_items"),
    ],
    [
      "is cancelled instead of a wait",
      "wait",
      {},
      cancels,
      "cancelled",
      { waited_seconds: 600, completed_at: 0 },
      counted("cancelled_items"),
    ],
    [
      "is cancelled instead of being held",
      "hold",
      {},
      cancels,
      "cancelled",
      { completed_at: 0 },
      counted("cancelled_items"),
    ],
    [
      "still fails when its job is cancelled",
      "stop",
      {},
      cancels,
      "failed",
      { completed_at: 0 },
      counted("failed_items"),
    ],
  ])("%s (%s)", async (_what, kind, columns, job, status, change, ofJob) => {
    const item = await newItem({ ...AT_WORK, is_try_open: true, max_retries: 3, ...columns }, job);
    const { answer, changed } = await changesBy(() => failAttempt(claimRefOf(item), setBack(kind)));
    expect(answer).toBe(status);
    expect(changed).toEqual({
      [nameOf(item)]: { ...free, status, ...change },
      [nameOf(item.job)]: ofJob,
      [leaseOf(item)]: "gone",
    });
  });

  it("adds what was paid for an answer that could not be used", async () => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5 });
    const tokens = { tokensIn: 10, tokensOut: 20, tokensCached: 4, tokensReasoning: 3 };
    const { changed } = await changesBy(() => failAttempt(claimRefOf(item), { ...setBack("retry"), tokens }));
    const columns = { tokens_in: 15, tokens_out: 20, tokens_cached: 4, tokens_reasoning: 3 };
    expect(changed[nameOf(item)]).toMatchObject(columns);
  });

  it("does nothing with a stale token", async () => {
    const item = await newItem(AT_WORK);
    const stale = { ...claimRefOf(item), token: randomUUID() };
    expect(await changesBy(() => failAttempt(stale, setBack("retry")))).toEqual({
      answer: undefined,
      changed: NOTHING,
    });
  });

  it("is cancelled with a job that is being cancelled", async () => {
    const item = await newItem(AT_WORK);
    const cancel = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
    const requeue = () => failAttempt(claimRefOf(item), setBack("retry"));
    expect(await afterChange(cancel, item.job.id, requeue)).toBe("cancelled");
  });

  it("clears an earlier wait when it ends or is held", async () => {
    for (const kind of ["hold", "stop"] as const) {
      const item = await newItem({ ...AT_WORK, not_before: inMinutes(-5) });
      const { changed } = await changesBy(() => failAttempt(claimRefOf(item), setBack(kind)));
      expect(changed[nameOf(item)]).toMatchObject({ not_before: null });
    }
  });
});

describe("an item that ends from outside", () => {
  const ended = { claim_token: null, is_try_open: false, updated_at: 0, completed_at: 0 };

  it("fails with its run, and releases its piece", async () => {
    const item = await newItem(AT_WORK);
    await newLeaseOf(item, 5, { kind: "publishing" });
    const { answer, changed } = await changesBy(() => endItem(runOf(item), "giveUp", "It stopped."));
    expect(answer).toBe(true);
    expect(changed).toEqual({
      [nameOf(item)]: { status: "failed", claim_token: null, error: "It stopped.", updated_at: 0, completed_at: 0 },
      [nameOf(item.job)]: { failed_items: 1, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "gone",
    });
  });

  it("is cancelled during a call, which keeps the piece until its result is saved", async () => {
    const item = await newItem({ ...AT_WORK, is_try_open: true, error: "An earlier try." });
    const { changed } = await changesBy(() => endItem(runOf(item), "cancel", null));
    expect(changed).toEqual({
      [nameOf(item)]: { ...ended, status: "cancelled" },
      [nameOf(item.job)]: { cancelled_items: 1, revision: 1, updated_at: 0 },
    });
  });

  it("is cancelled while it waits or is held, and leaves the piece to its holder", async () => {
    const item = await newItem({ is_held: true, not_before: inMinutes(5) });
    await newLeaseOf(item, 5, { token: randomUUID() });
    const { changed } = await changesBy(() => endItem(runOf(item), "cancel", "Why."));
    expect(changed).toEqual({
      [nameOf(item)]: {
        status: "cancelled",
        is_held: false,
        not_before: null,
        error: "Why.",
        updated_at: 0,
        completed_at: 0,
      },
      [nameOf(item.job)]: { cancelled_items: 1, revision: 1, updated_at: 0 },
    });
  });

  it("leaves a lease on its piece that another holder took since", async () => {
    const item = await newItem(AT_WORK);
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    await newLeaseOf(item, 5, { subject: randomUUID() });
    const { changed } = await changesBy(() => endItem(runOf(item), "cancel", null));
    expect(Object.keys(changed).sort()).toEqual([nameOf(item), nameOf(item.job)].sort());
  });

  it.each<[string, Columns, Partial<ReturnType<typeof runOf>>]>([
    ["by a run that does not hold it", AT_WORK, { runId: "run-2" }],
    ["by an older dispatch", AT_WORK, { dispatch: "of another" }],
    ["when it has ended", { status: "failed", run_id: "run-1" }, {}],
  ])("does not end %s", async (_what, columns, other) => {
    const item = await newItem(columns);
    const run = { ...runOf(item), ...other };
    expect(await changesBy(() => endItem(run, "cancel", "Why."))).toEqual({ answer: false, changed: NOTHING });
  });
});

it("does not end an item from outside that another run is claiming", async () => {
  const item = await newItem();
  const take = "UPDATE processing_queue SET run_id = 'run-2' WHERE id = $1";
  expect(await afterChange(take, item.id, () => endItem(runOf(item), "cancel", "Why."))).toBe(false);
});

describe("the item of a run", () => {
  it("is found by its run, or by its dispatch if it has no run yet, while it is live", async () => {
    const item = await newItem({ run_id: randomUUID(), dispatch_seq: 4 });
    const [row] = await query<{ run_id: string }>(
      "UPDATE processing_queue SET run_id = $2 WHERE id = $1 AND job_type = $3 RETURNING run_id",
      [item.id, randomUUID(), OUTLINE],
    );
    const runId = row?.run_id ?? "";
    const found = { itemId: item.id, jobType: OUTLINE, dispatch: `${item.id}-4` };
    expect(await findItemOfRun(runId, null)).toEqual({ ...found, runId });
    const alone = await newItemOf(item.job);
    expect(await findItemOfRun("unknown", alone.id)).toMatchObject({ itemId: alone.id, runId: "unknown" });
    expect(await findItemOfRun("unknown", null)).toBeUndefined();
    expect(await findItemOfRun("unknown", randomUUID())).toBeUndefined();
    const over = await newItemOf(item.job, { status: "failed", run_id: "over" });
    expect(await findItemOfRun("over", over.id)).toBeUndefined();
  });
});

describe("items whose holder has died", () => {
  const lost = "The work stopped before it was done.";

  it.each<[string, Columns, Columns, Columns, Columns]>([
    ["wait again, with one retry less", {}, {}, { status: "pending", retry_count: 1 }, {}],
    [
      "fail when their retries are used up",
      { retry_count: 3 },
      {},
      { status: "failed", completed_at: 0 },
      { failed_items: 1 },
    ],
    [
      "are cancelled with their job",
      {},
      { cancel_requested_at: inMinutes(-1) },
      { status: "cancelled", retry_count: 1, completed_at: 0 },
      { cancelled_items: 1 },
    ],
  ])("%s", async (_what, columns, job, change, ofJob) => {
    const item = await newItemOf(await newJobOf(await newOwner(), job), {
      ...AT_WORK,
      max_retries: 3,
      is_try_open: true,
      not_before: inMinutes(-5),
      ...columns,
    });
    await newLeaseOf(item, -1);
    // An item with the same id, and one in progress with a live lease.
    await newItemOf(await newJobOf(item.job.owner, { job_type: CONTENT }), { id: item.id });
    const neighbour = await newItemOf(item.job, AT_WORK);
    await newLeaseOf(neighbour, 1);
    const { answer, changed } = await changesBy(() => reclaimExpiredItems(item.job.owner.id));
    expect(answer).toBe(1);
    expect(changed).toEqual({
      [nameOf(item)]: {
        claim_token: null,
        is_try_open: false,
        error: lost,
        not_before: null,
        updated_at: 0,
        ...change,
      },
      [nameOf(item.job)]: { ...ofJob, revision: 1, updated_at: 0 },
    });
  });

  it.each<[string, Columns]>([
    ["of another kind", { kind: "publishing" }],
    ["of another piece", { subject: randomUUID() }],
    ["of another holder", { token: randomUUID() }],
  ])("are judged by their own lease, not by a live one %s", async (_what, lease) => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    await newLeaseOf(item, 5, lease);
    expect(await reclaimExpiredItems(item.job.owner.id)).toBe(1);
  });

  it("are freed for one user, for all, or one by one; waiting and ended items are left alone", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    const second = await newItemOf(item.job, AT_WORK);
    await newItemOf(item.job);
    await newItemOf(item.job, { status: "cancelled" });
    const stranger = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    const freed = async (act: () => Promise<number>) => {
      const { answer, changed } = await changesBy(act);
      return [answer, ...Object.keys(changed).sort()];
    };
    expect(await freed(() => reclaimExpiredItems(null, item.id))).toEqual([1, nameOf(item), nameOf(item.job)].sort());
    expect(await freed(() => reclaimExpiredItems(item.job.owner.id, stranger.id))).toEqual([0]);
    expect(await freed(() => reclaimExpiredItems(item.job.owner.id))).toEqual([
      1,
      ...[nameOf(second), nameOf(item.job)].sort(),
    ]);
    expect(await freed(() => reclaimExpiredItems(null))).toEqual([
      1,
      ...[nameOf(stranger), nameOf(stranger.job)].sort(),
    ]);
    expect(await reclaimExpiredItems(null)).toBe(0);
  });

  it("are skipped while locked", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await reclaimExpiredItems(item.job.owner.id)).toBe(0);
    });
  });
});
