import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  markDispatched,
  selectOverdue,
  selectUndispatched,
  selectUnsent,
  supersedeDispatches,
} from "@/lib/features/work/sql/waiting";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  NOTHING,
  nameOf,
  newBystanders,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
} from "@/tests/support/queue-rows";

// Waiting items: unsent, sent to the engine, or lost there.

emptyQueues();

const SENT = { dispatched_at: inMinutes(-60), run_id: "run-1", event_ref: "event-1" };
const ids = (rows: { itemId: string }[]) => rows.map(({ itemId }) => itemId);

/** Items of one job in each state; the first may be sent. */
async function everyState(columns: Columns = {}): Promise<Item> {
  const item = await newItemOf(await newJobOf(await newOwner()), columns);
  await newItemOf(item.job, { ...columns, status: "processing" });
  await newItemOf(item.job, { ...columns, is_held: true });
  await newItemOf(item.job, { ...columns, status: "cancelled" });
  return item;
}

describe("items not sent to the engine", () => {
  it("are the job's items that wait for nothing else, oldest first", async () => {
    const item = await everyState({ dispatch_seq: 3 });
    await newItemOf(item.job, SENT);
    const older = await newItemOf(item.job, { created_at: inMinutes(-90) });
    await newBystanders(await everyState());
    expect(await selectUndispatched(item.job.id, 10)).toEqual([
      {
        itemId: older.id,
        jobType: older.jobType,
        jobId: item.job.id,
        userId: item.job.owner.id,
        dispatch: `${older.id}-0`,
      },
      {
        itemId: item.id,
        jobType: item.jobType,
        jobId: item.job.id,
        userId: item.job.owner.id,
        dispatch: `${item.id}-3`,
      },
    ]);
    expect(ids(await selectUndispatched(item.job.id, 1))).toEqual([older.id]);
  });

  it("are sent again for one user or everybody when they are overdue by the given time", async () => {
    const item = await everyState();
    await newItemOf(item.job, SENT);
    const young = await newItemOf(item.job, { updated_at: inMinutes(-5), created_at: inMinutes(-50) });
    const other = await newItemOf(await newJobOf(await newOwner()), { created_at: inMinutes(-40) });
    const mine = item.job.owner.id;
    expect(ids(await selectUnsent(mine, 600, 10))).toEqual([item.id]);
    expect(ids(await selectUnsent(mine, 60, 10))).toEqual([item.id, young.id]);
    expect(ids(await selectUnsent(null, 60, 10))).toEqual([item.id, young.id, other.id]);
    expect(ids(await selectUnsent(null, 60, 1))).toEqual([item.id]);
  });

  it("are marked as sent with the engine's ids, unless dispatched again or marked before", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()));
    const later = await newItemOf(item.job, { dispatch_seq: 1 });
    const before = await newItemOf(item.job, SENT);
    await newItemOf(item.job);
    const sent = [item, later, before].map(({ id }) => ({ itemId: id, dispatch: `${id}-0`, eventRef: "event-2" }));
    const { changed } = await changesBy(() => markDispatched(sent));
    expect(changed).toEqual({ [nameOf(item)]: { dispatched_at: 0, event_ref: "event-2" } });
    // The dispatch must belong to the item.
    const crossed = [{ itemId: randomUUID(), dispatch: later.dispatch, eventRef: undefined }];
    expect((await changesBy(() => markDispatched(crossed))).changed).toEqual(NOTHING);
  });
});

describe("items with overdue runs", () => {
  it("are those sent to the engine that are due, with their ids in the engine", async () => {
    const item = await everyState(SENT);
    await query("UPDATE processing_queue SET updated_at = $1 WHERE status = 'processing'", [inMinutes(-60)]);
    await newItemOf(item.job);
    const suspects = await selectOverdue(item.job.owner.id, 60, 7200, 10);
    expect(suspects).toEqual([{ itemId: item.id, runId: "run-1", eventRef: "event-1", isLongOverdue: false }]);
    expect(await selectOverdue(item.job.owner.id, 60, 600, 10)).toMatchObject([{ isLongOverdue: true }]);
  });

  it.each(["dispatched_at", "not_before", "updated_at"])(
    "are not those whose %s is within the grace period",
    async (column) => {
      const item = await newItemOf(await newJobOf(await newOwner()), {
        ...SENT,
        not_before: inMinutes(-60),
        [column]: inMinutes(-5),
      });
      const mine = item.job.owner.id;
      expect(ids(await selectOverdue(mine, 60, 600, 10))).toEqual([item.id]);
      expect(ids(await selectOverdue(mine, 600, 600, 10))).toEqual([]);
      // Without a grace period all sent items are selected, none of them long overdue.
      expect(await selectOverdue(mine, null, 60, 10)).toMatchObject([{ itemId: item.id, isLongOverdue: false }]);
    },
  );

  it("are one user's or everybody's, oldest first", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), SENT);
    const other = await newItemOf(await newJobOf(await newOwner()), { ...SENT, created_at: inMinutes(-90) });
    expect(ids(await selectOverdue(item.job.owner.id, 60, 600, 10))).toEqual([item.id]);
    expect(ids(await selectOverdue(null, 60, 600, 10))).toEqual([other.id, item.id]);
    expect(ids(await selectOverdue(null, 60, 600, 1))).toEqual([other.id]);
  });

  describe("wait for their turn", () => {
    const overdue = (item: Item, grace: number | null = 60) => selectOverdue(item.job.owner.id, grace, 600, 10);

    it("while another of the user's items is in progress, unless asked without a grace period", async () => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(item.job, { status: "processing" }), 5);
      expect(ids(await overdue(item))).toEqual([]);
      expect(ids(await overdue(item, null))).toEqual([item.id]);
    });

    it.each<[string, number, Columns]>([
      ["its lease has run out", -1, {}],
      ["only another kind of lease is held", 5, { kind: "publishing" }],
      ["the lease is of another piece", 5, { subject: randomUUID() }],
      ["the lease is another's", 5, { token: randomUUID() }],
    ])("but not when %s", async (_what, minutes, lease) => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(item.job, { status: "processing" }), minutes, lease);
      expect(ids(await overdue(item))).toEqual([item.id]);
    });

    it("but not for other people's items", async () => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(await newJobOf(await newOwner()), { status: "processing" }), 5);
      expect(ids(await overdue(item))).toEqual([item.id]);
    });
  });
});

describe("items lost by the engine", () => {
  const back = { dispatch_seq: 1, dispatched_at: null, run_id: null, event_ref: null };

  it("alone are marked as unsent", async () => {
    const item = await everyState(SENT);
    const second = await newItemOf(item.job, { ...SENT, created_at: inMinutes(-50) });
    const unsent = await newItemOf(item.job);
    // Other sent items, and one with the id of the second.
    await newBystanders(item, SENT);
    await newItemOf(await newJobOf(await newOwner(), { job_type: CONTENT }), { id: second.id });
    const { answer, changed } = await changesBy(() =>
      supersedeDispatches(item.job.owner.id, [second.id, unsent.id], 10),
    );
    expect([answer, changed]).toEqual([1, { [nameOf(second)]: back }]);
  });

  it("are one user's or everybody's, up to the limit, oldest first", async () => {
    const item = await everyState(SENT);
    const second = await newItemOf(item.job, { ...SENT, created_at: inMinutes(-90) });
    await newItemOf(item.job);
    const other = await newItemOf(await newJobOf(await newOwner()), SENT);
    const first = await changesBy(() => supersedeDispatches(item.job.owner.id, "all", 1));
    expect(first).toEqual({ answer: 1, changed: { [nameOf(second)]: back } });
    const rest = await changesBy(() => supersedeDispatches(item.job.owner.id, "all", 10));
    expect(rest).toEqual({ answer: 1, changed: { [nameOf(item)]: back } });
    expect(await supersedeDispatches(item.job.owner.id, [other.id], 10)).toBe(0);
    expect(await supersedeDispatches(null, [item.id], 10)).toBe(0);
    expect(await supersedeDispatches(null, "all", 10)).toBe(1);
  });

  it("are skipped while locked", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), SENT);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await supersedeDispatches(item.job.owner.id, "all", 10)).toBe(0);
    });
  });
});
