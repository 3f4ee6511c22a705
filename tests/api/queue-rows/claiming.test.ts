import { createHash, randomUUID } from "node:crypto";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import { claimItem, completeItem, isUnwanted, lockItem, readItem } from "@/lib/features/work/sql/items";
import { settleAttempt } from "@/lib/features/work/sql/shared";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
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
  runOf,
} from "@/tests/support/queue-rows";

// Claiming and holding an item: everything that each statement changes, and that it leaves other rows alone.

emptyQueues();
beforeEach(newCancelledJob);

/** The token that a run claims an item with. */
const claimTokenOf = (runId: string, retries = 0) => {
  const hash = createHash("md5").update(`${runId}/${retries}`).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

describe("claiming an item", () => {
  it("takes it and its piece, and clears what it waited for", async () => {
    const item = await newItem(
      { error: "The provider was away.", not_before: inMinutes(-1), retry_count: 2 },
      {
        status: "pending",
        started_at: null,
      },
    );
    const token = claimTokenOf("run-1", 2);
    const { answer, changed } = await changesBy(() => claimItem(runOf(item)));
    expect(answer).toEqual({
      id: item.id,
      jobId: item.job.id,
      userId: item.job.owner.id,
      contentPieceId: item.piece,
      baseTextVersion: null,
      retryCount: 2,
      waitedSeconds: 0,
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

  it("keeps the start times of item and job, and the version that its text is based on", async () => {
    const item = await newItem({ started_at: inMinutes(-30), base_text_version: 4 });
    const { answer, changed } = await changesBy(() => claimItem(runOf(item)));
    expect(answer?.baseTextVersion).toBe(4);
    expect(changed).toEqual({
      [nameOf(item)]: { status: "processing", claim_token: claimTokenOf("run-1"), run_id: "run-1", updated_at: 0 },
      [nameOf(item.job)]: { revision: 1, updated_at: 0 },
      [leaseOf(item)]: "made",
    });
  });

  it("continues this run's claim and renews its lease", async () => {
    const item = await newItem({ ...AT_WORK, claim_token: claimTokenOf("run-1") }, {}, 1);
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
    ["whose job is being cancelled", {}, { cancel_requested_at: inMinutes(-1) }],
    ["that is held", { is_held: true }],
    ["that is not due yet", { not_before: inMinutes(1) }],
    ["that another run holds", { ...AT_WORK, claim_token: claimTokenOf("run-1") }, {}, { runId: "run-2" }],
    ["that this run has lost", { ...AT_WORK, claim_token: claimTokenOf("run-1"), retry_count: 1 }],
    ["with a call in progress", { ...AT_WORK, claim_token: claimTokenOf("run-1"), is_try_open: true }],
    ["that has ended", { status: "failed" }],
  ])("does not claim an item %s", async (_what, columns, job = {}, other = {}) => {
    const item = await newItem(columns, job);
    const run = { ...runOf(item), ...other, ...(other.dispatch ? { dispatch: `${item.id}-${other.dispatch}` } : {}) };
    expect(await changesBy(() => claimItem(run))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it("claims no item whose piece is leased or gone", async () => {
    const item = await newItem();
    await newLeaseOf(item, 1, { token: randomUUID() });
    const orphan = await newItemOf(item.job, { content_piece_id: randomUUID() });
    for (const one of [item, orphan]) {
      expect(await changesBy(() => claimItem(runOf(one)))).toEqual({ answer: undefined, changed: NOTHING });
    }
  });

  it("claims no item that a concurrent transaction locks or ends", async () => {
    const [held, ended] = [await newItem(), await newItem()];
    const hold = "UPDATE processing_queue SET is_held = true WHERE id = $1";
    expect(await afterChange(hold, held.id, () => claimItem(runOf(held)))).toBeUndefined();
    const cancel = "UPDATE processing_queue SET status = 'cancelled', completed_at = now() WHERE id = $1";
    expect(await afterChange(cancel, ended.id, () => claimItem(runOf(ended)))).toBeUndefined();
  });

  it("keeps the end time of a job that has ended", async () => {
    const item = await newItem({}, { status: "failed", completed_at: inMinutes(-10) });
    const { changed } = await changesBy(() => claimItem(runOf(item)));
    expect(changed).not.toHaveProperty([nameOf(item.job)]);
  });
});

describe("an item that could not be claimed", () => {
  it("is read unchanged", async () => {
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

  it("is read with its job's cancellation, its missing piece and nothing to wait for", async () => {
    const item = await newItem({ is_held: true }, { cancel_requested_at: inMinutes(-1) });
    await query("DELETE FROM content_pieces WHERE id = $1", [item.piece]);
    await newLeaseOf(item, 60, { kind: "publishing" });
    await newLeaseOf(item, 60, { subject: randomUUID() });
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

  it("never has a negative wait", async () => {
    const item = await newItem({ ...AT_WORK, not_before: inMinutes(-3) }, {}, -2);
    expect(await readItem(runOf(item))).toMatchObject({ waitSeconds: 0, leaseSeconds: 0 });
  });
});

describe("operations reserved to an item's holder", () => {
  const acts: [string, (held: ReturnType<typeof claimRefOf>) => Promise<unknown>][] = [
    ["settling a call", (held) => settleAttempt(prisma, held, 1)],
    ["locking it", (held) => lockItem(prisma, held)],
    ["completing it", (held) => completeItem(prisma, held, { ...NO_TOKENS, note: null })],
  ];

  it.each(acts)(
    "%s: does nothing with another token, or once the item is no longer in progress",
    async (_what, act) => {
      const item = await newItem(AT_WORK);
      const waiting = await newItem();
      for (const held of [{ ...claimRefOf(item), token: randomUUID() }, claimRefOf(waiting)]) {
        expect(await changesBy(() => act(held))).toEqual({ answer: false, changed: NOTHING });
      }
    },
  );

  it("settle a call and keep the first response's version", async () => {
    const item = await newItem({ ...AT_WORK, is_try_open: true });
    const close = (version: number) => changesBy(() => settleAttempt(prisma, claimRefOf(item), version));
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

  it("lock it only together with the writing lease on its piece", async () => {
    const item = await newItem(AT_WORK);
    expect(await lockItem(prisma, claimRefOf(item))).toBe(true);
    await query("DELETE FROM leases");
    await newLeaseOf(item, 5, { kind: "publishing" });
    expect(await lockItem(prisma, claimRefOf(item))).toBe(false);
    await newLeaseOf(item, 5, { subject: randomUUID() });
    expect(await lockItem(prisma, claimRefOf(item))).toBe(false);
    await newLeaseOf(item, 5, { token: randomUUID() });
    expect(await lockItem(prisma, claimRefOf(item))).toBe(false);
  });

  it("keep item and lease locked until the transaction ends", async () => {
    const item = await newItem(AT_WORK);
    await prisma.$transaction(async (db) => {
      expect(await lockItem(db, claimRefOf(item))).toBe(true);
      const free = (table: string, column: string, value: string) =>
        query(`SELECT 1 FROM ${table} WHERE ${column} = '${value}' FOR UPDATE SKIP LOCKED`);
      expect(await free("processing_queue", "claim_token", item.token)).toEqual([]);
      expect(await free("leases", "subject", item.piece)).toEqual([]);
    });
  });
});

describe("a run that begins", () => {
  const newOne = async (columns: Columns) => runOf(await newItemOf(await newJobOf(await newOwner()), columns));

  it.each<[string, Columns]>([
    ["waits", {}],
    ["is held", { is_held: true }],
    ["is done", { status: "completed", run_id: "run-0" }],
    ["was cancelled when a run had begun, which it repeats", { status: "cancelled", run_id: "run-0" }],
  ])("is wanted while its item %s", async (_what, columns) => {
    expect(await isUnwanted(await newOne(columns))).toBe(false);
  });

  it("is for nothing once its item was cancelled before, dispatched again, or deleted", async () => {
    expect(await isUnwanted(await newOne({ status: "cancelled" }))).toBe(true);
    const again = await newOne({ dispatch_seq: 2 });
    expect(await isUnwanted({ ...again, dispatch: `${again.itemId}-1` })).toBe(true);
    expect(await isUnwanted({ ...again, itemId: randomUUID() })).toBe(true);
  });
});
