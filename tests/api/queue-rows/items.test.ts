import { createHash, randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import { MAX_WAIT_SECONDS } from "@/lib/features/jobs/rules";
import {
  claimItem,
  closeTry,
  completeItem,
  endItem,
  findItemOfRun,
  freeLostItems,
  lockItem,
  putItemBack,
  readItem,
  type Setback,
} from "@/lib/features/jobs/sql/items";
import { query } from "@/tests/support/db";
import {
  type Columns,
  changesBy,
  heldOf,
  type Item,
  inMinutes,
  leaseOf,
  nameOf,
  newBystanders,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// Each statement on a queue item: what it changes, all of it, and that it leaves every other row alone.

beforeAll(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM leases"));

/** An item with others in the same state around it; one that is processed holds its piece for five minutes more. */
async function newItem(columns: Columns = {}, job: Columns = {}, leaseMinutes = 5): Promise<Item> {
  const item = await newItemOf(await newJobOf(await newOwner(), job), columns);
  await newBystanders(item, columns);
  if (columns.status === "processing") await newLeaseOf(item, leaseMinutes);
  return item;
}

const AT_WORK = { status: "processing", run_id: "run-1", started_at: inMinutes(-30) };
const NOTHING = {};

/** The token that a run claims an item with. */
const tokenOf = (runId: string, retries = 0) => {
  const hash = createHash("md5").update(`${runId}/${retries}`).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

describe("claiming an item", () => {
  it("takes it and its piece, and forgets what it waited for", async () => {
    const item = await newItem(
      { error: "The provider was away.", not_before: inMinutes(-1), retry_count: 2 },
      {
        status: "pending",
        started_at: null,
      },
    );
    const token = tokenOf("run-1", 2);
    const { answer, changed } = await changesBy(() => claimItem(runOf(item)));
    expect(answer).toEqual({
      id: item.id,
      jobId: item.job.id,
      userId: item.job.owner.id,
      contentPieceId: item.piece,
      baseTextVersion: null,
      retryCount: 2,
      token,
    });
    expect(changed).toEqual({
      [nameOf(item)]: {
        status: "processing",
        claim_token: token,
        run_id: "run-1",
        error: null,
        not_before: null,
        started_at: 0,
        updated_at: 0,
      },
      [nameOf(item.job)]: { status: "processing", started_at: 0, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "made",
    });
    const [lease] = await query(
      "SELECT user_id, content_piece_id, chat_session_id, token FROM leases WHERE subject = $1",
      [item.piece],
    );
    expect(lease).toEqual({ user_id: item.job.owner.id, content_piece_id: item.piece, chat_session_id: null, token });
  });

  it("keeps when the item and its job were begun, and the version that its text was begun from", async () => {
    const item = await newItem({ started_at: inMinutes(-30), base_text_version: 4 });
    const { answer, changed } = await changesBy(() => claimItem(runOf(item)));
    expect(answer?.baseTextVersion).toBe(4);
    expect(changed).toEqual({
      [nameOf(item)]: { status: "processing", claim_token: tokenOf("run-1"), run_id: "run-1", updated_at: 0 },
      [nameOf(item.job)]: { revision: 1, updated_at: 0 },
      [leaseOf(item)]: "made",
    });
  });

  it("goes on with what this run holds, and renews its lease", async () => {
    const item = await newItem({ ...AT_WORK, claim_token: tokenOf("run-1") }, {}, 1);
    const { answer, changed } = await changesBy(() => claimItem(runOf(item)));
    expect(answer).toMatchObject({ id: item.id, token: item.token });
    expect(changed).toEqual({
      [nameOf(item)]: { updated_at: 0 },
      [nameOf(item.job)]: { revision: 1, updated_at: 0 },
      [leaseOf(item)]: { until: 5 },
    });
  });

  it.each<[string, Columns, Columns?, { dispatch?: string; runId?: string }?]>([
    ["of an older dispatch", { dispatch_seq: 1 }, {}, { dispatch: "0" }],
    ["whose job is cancelled", {}, { cancel_requested_at: inMinutes(-1) }],
    ["that the person has to do something for", { is_held: true }],
    ["whose time has not come", { not_before: inMinutes(1) }],
    ["that another run holds", { ...AT_WORK, claim_token: tokenOf("run-1") }, {}, { runId: "run-2" }],
    ["that this run held before it lost it", { ...AT_WORK, claim_token: tokenOf("run-1"), retry_count: 1 }],
    ["whose call is under way", { ...AT_WORK, claim_token: tokenOf("run-1"), is_try_open: true }],
    ["that has ended", { status: "failed" }],
  ])("does not take one %s", async (_what, columns, job = {}, other = {}) => {
    const item = await newItem(columns, job);
    const run = { ...runOf(item), ...other, ...(other.dispatch ? { dispatch: `${item.id}-${other.dispatch}` } : {}) };
    expect(await changesBy(() => claimItem(run))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("does not take one whose piece somebody is at work on, or whose piece is gone", async () => {
    const item = await newItem();
    await newLeaseOf(item, 1, { token: randomUUID() });
    const orphan = await newItemOf(item.job, { content_piece_id: randomUUID() });
    for (const one of [item, orphan]) {
      expect(await changesBy(() => claimItem(runOf(one)))).toEqual({ answer: undefined, changed: NOTHING });
    }
  });

  it("leaves the end of a job that has ended as it is", async () => {
    const item = await newItem({}, { status: "failed", completed_at: inMinutes(-10) });
    const { changed } = await changesBy(() => claimItem(runOf(item)));
    expect(changed).not.toHaveProperty([nameOf(item.job)]);
  });
});

describe("an item that could not be claimed", () => {
  it("is read as it is", async () => {
    const item = await newItem({
      status: "processing",
      error: "Why it waits.",
      is_try_open: true,
      not_before: inMinutes(3),
    });
    await newLeaseOf(item, 60, { kind: "publishing" });
    const read = await readItem(runOf(item));
    expect(read).toEqual({
      status: "processing",
      isCurrent: true,
      isHeld: false,
      isTryOpen: true,
      isOrphan: false,
      cancelRequested: false,
      error: "Why it waits.",
      waitSeconds: expect.any(Number),
      leaseSeconds: expect.any(Number),
    });
    expect(Math.round((read?.waitSeconds ?? 0) / 60)).toBe(3);
    expect(Math.round((read?.leaseSeconds ?? 0) / 60)).toBe(5);
  });

  it("is read with its job's cancelling, its piece that is gone, and nothing to wait for", async () => {
    const item = await newItem({ is_held: true }, { cancel_requested_at: inMinutes(-1) });
    await query("DELETE FROM content_pieces WHERE id = $1", [item.piece]);
    const run = { ...runOf(item), dispatch: `${item.id}-7` };
    expect(await readItem(run)).toEqual({
      status: "pending",
      isCurrent: false,
      isHeld: true,
      isTryOpen: false,
      isOrphan: true,
      cancelRequested: true,
      error: null,
      waitSeconds: 0,
      leaseSeconds: 0,
    });
    expect(await readItem({ ...run, itemId: randomUUID() })).toBeUndefined();
  });

  it("waits no less than nothing for what is over", async () => {
    const item = await newItem({ ...AT_WORK, not_before: inMinutes(-3) }, {}, -2);
    expect(await readItem(runOf(item))).toMatchObject({ waitSeconds: 0, leaseSeconds: 0 });
  });
});

describe("what only the holder of an item may do", () => {
  const acts: [string, (held: ReturnType<typeof heldOf>) => Promise<unknown>][] = [
    ["settling a call", (held) => closeTry(prisma, held, 1)],
    ["locking it", (held) => lockItem(prisma, held)],
    ["completing it", (held) => completeItem(prisma, held, {})],
  ];

  it.each(acts)("%s: nothing comes of it by another token, or when it is at work no more", async (_what, act) => {
    const item = await newItem(AT_WORK);
    const waiting = await newItem();
    for (const held of [{ ...heldOf(item), token: randomUUID() }, heldOf(waiting)]) {
      expect(await changesBy(() => act(held))).toEqual({ answer: false, changed: NOTHING });
    }
  });

  it("settles a call: the first answer's version stays", async () => {
    const item = await newItem({ ...AT_WORK, is_try_open: true });
    const close = (version: number) => changesBy(() => closeTry(prisma, heldOf(item), version));
    const first = { [nameOf(item)]: { is_try_open: false, base_text_version: 3, updated_at: 0 } };
    expect(await close(3)).toEqual({ answer: true, changed: first });
    await query("UPDATE processing_queue SET is_try_open = true, updated_at = $2 WHERE id = $1", [
      item.id,
      inMinutes(-60),
    ]);
    const second = { [nameOf(item)]: { is_try_open: false, updated_at: 0 } };
    const again = await close(5);
    expect(again.answer).toBe(true);
    expect(again.changed[nameOf(item)]).toEqual(second[nameOf(item)]);
  });

  it("locks it only together with the writing lease on its piece", async () => {
    const item = await newItem(AT_WORK);
    expect(await lockItem(prisma, heldOf(item))).toBe(true);
    await query("DELETE FROM leases");
    await newLeaseOf(item, 5, { kind: "publishing" });
    expect(await lockItem(prisma, heldOf(item))).toBe(false);
    await newLeaseOf(item, 5, { subject: randomUUID() });
    expect(await lockItem(prisma, heldOf(item))).toBe(false);
    await newLeaseOf(item, 5, { token: randomUUID() });
    expect(await lockItem(prisma, heldOf(item))).toBe(false);
  });

  it("keeps item and lease locked until the transaction ends", async () => {
    const item = await newItem(AT_WORK);
    await prisma.$transaction(async (db) => {
      expect(await lockItem(db, heldOf(item))).toBe(true);
      const free = (table: string, column: string, value: string) =>
        query(`SELECT 1 FROM ${table} WHERE ${column} = '${value}' FOR UPDATE SKIP LOCKED`);
      expect(await free("processing_queue", "claim_token", item.token)).toEqual([]);
      expect(await free("leases", "subject", item.piece)).toEqual([]);
    });
  });

  it("completes it, with what it cost, and lets its piece go", async () => {
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

  it("completes it without a note and for nothing where nothing is said, and leaves another's lease on its piece", async () => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5, tokens_out: 7, note: "Old." });
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    const { changed } = await changesBy(() => completeItem(prisma, heldOf(item), {}));
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
  const almost = { waited_seconds: MAX_WAIT_SECONDS - 600 };
  const late = { waited_seconds: MAX_WAIT_SECONDS - 599 };

  it.each<[string, Setback["kind"], Columns, Columns, string, Columns, Columns]>([
    ["waits for its next one", "retry", {}, {}, "pending", { retry_count: 1, not_before: 10 }, seen],
    ["fails when its retries are used up", "retry", last, {}, "failed", { completed_at: 0 }, counted("failed_items")],
    [
      "waits for the provider, at no try's cost",
      "wait",
      almost,
      {},
      "pending",
      { waited_seconds: MAX_WAIT_SECONDS, not_before: 10 },
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
    // At work: a neighbour whose lease runs.
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
