import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  completeItem,
  endItem,
  findItemOfRun,
  freeLostItems,
  putItemBack,
  type Setback,
} from "@/lib/features/jobs/sql/items";
import { query } from "@/tests/support/db";
import {
  afterChange,
  CONTENT,
  type Columns,
  changesBy,
  heldOf,
  inMinutes,
  leaseOf,
  nameOf,
  newItemAmongOthers as newItem,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// How an item ends or waits again: what each statement changes, all of it, and that it leaves every other row alone.

beforeAll(() => query("DELETE FROM processing_jobs"));
// Somebody's job that is being cancelled: it is read before the others.
beforeEach(async () => void (await newJobOf(await newOwner(), { cancel_requested_at: inMinutes(-1) })));
afterEach(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM leases"));

const AT_WORK = { status: "processing", run_id: "run-1", started_at: inMinutes(-30) };
const NOTHING = {};

describe("an item whose work is done", () => {
  it("is completed, with what it cost, and lets its piece go", async () => {
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
      completeItem(prisma, heldOf(item), { note: "A word.", tokensIn: 10, tokensOut: 20 }),
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
        updated_at: 0,
        completed_at: 0,
      },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "gone",
    });
  });

  it("is completed without a note, and leaves another's lease on its piece", async () => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5, tokens_out: 7, note: "Old." });
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    const nothing = { note: null, tokensIn: 0, tokensOut: 0 };
    const { changed } = await changesBy(() => completeItem(prisma, heldOf(item), nothing));
    expect(changed).toEqual({
      [nameOf(item)]: { status: "completed", claim_token: null, note: null, updated_at: 0, completed_at: 0 },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
    });
  });
});

describe("a try that failed", () => {
  const setBack = (kind: Setback["kind"]): Setback => ({ kind, error: "Why.", delaySeconds: 600 });
  const free = { claim_token: null, is_try_open: false, error: "Why.", updated_at: 0 };
  const counted = (column: string) => ({ [column]: 1, revision: 1, updated_at: 0 });
  const seen = { revision: 1, updated_at: 0 };
  const cancels = { cancel_requested_at: inMinutes(-1) };
  const last = { retry_count: 3 };
  const day = 24 * 3600;
  const almost = { waited_seconds: day - 600 };
  const late = { waited_seconds: day - 599 };

  it.each<[string, Setback["kind"], Columns, Columns, string, Columns, Columns]>([
    ["waits for its next one", "retry", {}, {}, "pending", { retry_count: 1, not_before: 10 }, seen],
    ["fails when its retries are used up", "retry", last, {}, "failed", { completed_at: 0 }, counted("failed_items")],
    [
      "waits for the provider, at no try's cost",
      "wait",
      almost,
      {},
      "pending",
      { waited_seconds: day, not_before: 10 },
      seen,
    ],
    ["also without a try left", "wait", last, {}, "pending", { waited_seconds: 600, not_before: 10 }, seen],
    [
      "fails when it would wait more than a day",
      "wait",
      late,
      {},
      "failed",
      { completed_at: 0 },
      counted("failed_items"),
    ],
    ["waits for the person", "hold", last, {}, "pending", { is_held: true }, seen],
    ["fails where nothing can help", "stop", {}, {}, "failed", { completed_at: 0 }, counted("failed_items")],
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
      "fails all the same when its job is cancelled",
      "stop",
      {},
      cancels,
      "failed",
      { completed_at: 0 },
      counted("failed_items"),
    ],
  ])("%s (%s)", async (_what, kind, columns, job, status, change, ofJob) => {
    const item = await newItem({ ...AT_WORK, is_try_open: true, max_retries: 3, ...columns }, job);
    const { answer, changed } = await changesBy(() => putItemBack(heldOf(item), setBack(kind)));
    expect(answer).toBe(status);
    expect(changed).toEqual({
      [nameOf(item)]: { ...free, status, ...change },
      [nameOf(item.job)]: ofJob,
      [leaseOf(item)]: "gone",
    });
  });

  it("is nobody's by a stale token", async () => {
    const item = await newItem(AT_WORK);
    const stale = { ...heldOf(item), token: randomUUID() };
    expect(await changesBy(() => putItemBack(stale, setBack("retry")))).toEqual({
      answer: undefined,
      changed: NOTHING,
    });
  });

  it("is cancelled with a job whose cancelling is under way", async () => {
    const item = await newItem(AT_WORK);
    const cancel = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
    const putBack = () => putItemBack(heldOf(item), setBack("retry"));
    expect(await afterChange(cancel, item.job.id, putBack)).toBe("cancelled");
  });

  it("forgets an earlier wait when it ends or is held", async () => {
    for (const kind of ["hold", "stop"] as const) {
      const item = await newItem({ ...AT_WORK, not_before: inMinutes(-5) });
      const { changed } = await changesBy(() => putItemBack(heldOf(item), setBack(kind)));
      expect(changed[nameOf(item)]).toMatchObject({ not_before: null });
    }
  });
});

describe("an item that ends from outside", () => {
  const ended = { claim_token: null, is_try_open: false, updated_at: 0, completed_at: 0 };

  it("fails when its run did, and its piece is free", async () => {
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

  it("is cancelled while a call is under way, which keeps the piece until its answer is kept", async () => {
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

  it("leaves a lease of its piece that another took since", async () => {
    const item = await newItem(AT_WORK);
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    await newLeaseOf(item, 5, { subject: randomUUID() });
    const { changed } = await changesBy(() => endItem(runOf(item), "cancel", null));
    expect(Object.keys(changed).sort()).toEqual([nameOf(item), nameOf(item.job)].sort());
  });

  it.each<[string, Columns, Partial<ReturnType<typeof runOf>>]>([
    ["by a run that does not have it", AT_WORK, { runId: "run-2" }],
    ["by an older dispatch", AT_WORK, { dispatch: "of another" }],
    ["when it has ended", { status: "failed", run_id: "run-1" }, {}],
  ])("does not end %s", async (_what, columns, other) => {
    const item = await newItem(columns);
    const run = { ...runOf(item), ...other };
    expect(await changesBy(() => endItem(run, "cancel", "Why."))).toEqual({ answer: false, changed: NOTHING });
  });
});

it("does not end an item from outside that another run takes at this moment", async () => {
  const item = await newItem();
  const take = "UPDATE processing_queue SET run_id = 'run-2' WHERE id = $1";
  expect(await afterChange(take, item.id, () => endItem(runOf(item), "cancel", "Why."))).toBe(false);
});

describe("the item of a run", () => {
  it("is found by the run, or by the dispatch where the run is not known yet, while it is live", async () => {
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
    ["wait again, at the cost of a try", {}, {}, { status: "pending", retry_count: 1 }, {}],
    [
      "fail when their tries are used up",
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
    // One of its very id, and at work a neighbour whose lease runs.
    await newItemOf(await newJobOf(item.job.owner, { job_type: CONTENT }), { id: item.id });
    const neighbour = await newItemOf(item.job, AT_WORK);
    await newLeaseOf(neighbour, 1);
    const { answer, changed } = await changesBy(() => freeLostItems(item.job.owner.id));
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
  ])("are known by their own lease: a live one %s says nothing of them", async (_what, lease) => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    await newLeaseOf(item, 5, lease);
    expect(await freeLostItems(item.job.owner.id)).toBe(1);
  });

  it("are freed for one person, for all, or one by one; what waits or has ended is left alone", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    const second = await newItemOf(item.job, AT_WORK);
    await newItemOf(item.job);
    await newItemOf(item.job, { status: "cancelled" });
    const stranger = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    const freed = async (act: () => Promise<number>) => {
      const { answer, changed } = await changesBy(act);
      return [answer, ...Object.keys(changed).sort()];
    };
    expect(await freed(() => freeLostItems(null, item.id))).toEqual([1, nameOf(item), nameOf(item.job)].sort());
    expect(await freed(() => freeLostItems(item.job.owner.id, stranger.id))).toEqual([0]);
    expect(await freed(() => freeLostItems(item.job.owner.id))).toEqual([
      1,
      ...[nameOf(second), nameOf(item.job)].sort(),
    ]);
    expect(await freed(() => freeLostItems(null))).toEqual([1, ...[nameOf(stranger), nameOf(stranger.job)].sort()]);
    expect(await freeLostItems(null)).toBe(0);
  });

  it("are left to the one who has them locked", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await freeLostItems(item.job.owner.id)).toBe(0);
    });
  });
});
