import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  markDispatched,
  selectSuspects,
  selectUndispatched,
  selectUnsent,
  takeBack,
} from "@/lib/features/jobs/sql/waiting";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  changesBy,
  type Item,
  inMinutes,
  nameOf,
  newBystanders,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
} from "@/tests/support/queue-rows";

// What waits: to be handed to the engine, in its hands, or lost there.

beforeAll(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM processing_jobs"));
afterEach(() => query("DELETE FROM leases"));

const NOTHING = {};
const SENT = { dispatched_at: inMinutes(-60), run_id: "run-1", event_ref: "event-1" };
const ids = (rows: { itemId: string }[]) => rows.map(({ itemId }) => itemId);

/** Items of one job in each state: the first may be handed over. */
async function everyState(columns: Columns = {}): Promise<Item> {
  const item = await newItemOf(await newJobOf(await newOwner()), columns);
  await newItemOf(item.job, { ...columns, status: "processing" });
  await newItemOf(item.job, { ...columns, is_held: true });
  await newItemOf(item.job, { ...columns, status: "cancelled" });
  return item;
}

describe("items that were not handed to the engine", () => {
  it("are those of the job that wait for nothing else, oldest first", async () => {
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

  it("are sent again, one person's or everybody's, when they were to be sent so long ago", async () => {
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

  it("are noted as sent with the engine's own ids, unless they were handed over again or noted before", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()));
    const later = await newItemOf(item.job, { dispatch_seq: 1 });
    const before = await newItemOf(item.job, SENT);
    await newItemOf(item.job);
    const sent = [item, later, before].map(({ id }) => ({ itemId: id, dispatch: `${id}-0`, eventRef: "event-2" }));
    const { changed } = await changesBy(() => markDispatched(sent));
    expect(changed).toEqual({ [nameOf(item)]: { dispatched_at: 0, event_ref: "event-2" } });
    // The name of its dispatch alone does not make another item of it.
    const crossed = [{ itemId: randomUUID(), dispatch: later.dispatch, eventRef: undefined }];
    expect((await changesBy(() => markDispatched(crossed))).changed).toEqual(NOTHING);
  });
});

describe("items whose runs should have come", () => {
  it("are those in the engine's hands that are due, with what the engine knows them by", async () => {
    const item = await everyState(SENT);
    await query("UPDATE processing_queue SET updated_at = $1 WHERE status = 'processing'", [inMinutes(-60)]);
    await newItemOf(item.job);
    const suspects = await selectSuspects(item.job.owner.id, 60, 7200, 10);
    expect(suspects).toEqual([{ itemId: item.id, runId: "run-1", eventRef: "event-1", isLongOverdue: false }]);
    expect(await selectSuspects(item.job.owner.id, 60, 600, 10)).toMatchObject([{ isLongOverdue: true }]);
  });

  it.each(["dispatched_at", "not_before", "updated_at"])(
    "are not those whose %s is younger than the grace",
    async (column) => {
      const item = await newItemOf(await newJobOf(await newOwner()), {
        ...SENT,
        not_before: inMinutes(-60),
        [column]: inMinutes(-5),
      });
      const mine = item.job.owner.id;
      expect(ids(await selectSuspects(mine, 60, 600, 10))).toEqual([item.id]);
      expect(ids(await selectSuspects(mine, 600, 600, 10))).toEqual([]);
      // Asked without a grace, what is in the engine's hands is all there is, and none of it overdue.
      expect(await selectSuspects(mine, null, 60, 10)).toMatchObject([{ itemId: item.id, isLongOverdue: false }]);
    },
  );

  it("are one person's or everybody's, oldest first", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), SENT);
    const other = await newItemOf(await newJobOf(await newOwner()), { ...SENT, created_at: inMinutes(-90) });
    expect(ids(await selectSuspects(item.job.owner.id, 60, 600, 10))).toEqual([item.id]);
    expect(ids(await selectSuspects(null, 60, 600, 10))).toEqual([other.id, item.id]);
    expect(ids(await selectSuspects(null, 60, 600, 1))).toEqual([other.id]);
  });

  describe("wait for their turn", () => {
    const asked = (item: Item, grace: number | null = 60) => selectSuspects(item.job.owner.id, grace, 600, 10);

    it("while another of the person's is worked on, and are asked about without a grace", async () => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(item.job, { status: "processing" }), 5);
      expect(ids(await asked(item))).toEqual([]);
      expect(ids(await asked(item, null))).toEqual([item.id]);
    });

    it.each<[string, number, Columns]>([
      ["its lease has run out", -1, {}],
      ["only another kind of lease is held", 5, { kind: "publishing" }],
      ["the lease is of another piece", 5, { subject: randomUUID() }],
      ["the lease is another's", 5, { token: randomUUID() }],
    ])("no longer when %s", async (_what, minutes, lease) => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(item.job, { status: "processing" }), minutes, lease);
      expect(ids(await asked(item))).toEqual([item.id]);
    });

    it("for nobody else's work", async () => {
      const item = await newItemOf(await newJobOf(await newOwner()), SENT);
      await newLeaseOf(await newItemOf(await newJobOf(await newOwner()), { status: "processing" }), 5);
      expect(ids(await asked(item))).toEqual([item.id]);
    });
  });
});

describe("items that the engine has lost", () => {
  const back = { dispatch_seq: 1, dispatched_at: null, run_id: null, event_ref: null };

  it("are taken out of its hands, these alone", async () => {
    const item = await everyState(SENT);
    const second = await newItemOf(item.job, { ...SENT, created_at: inMinutes(-50) });
    const unsent = await newItemOf(item.job);
    // Others in the engine's hands, and one of the very id of the second that is not.
    await newBystanders(item, SENT);
    await newItemOf(await newJobOf(await newOwner(), { job_type: CONTENT }), { id: second.id });
    const { answer, changed } = await changesBy(() => takeBack(item.job.owner.id, [second.id, unsent.id], 10));
    expect([answer, changed]).toEqual([[second.dispatch], { [nameOf(second)]: back }]);
  });

  it("are one person's, or all that wait there, as many as are asked for, oldest first", async () => {
    const item = await everyState(SENT);
    const second = await newItemOf(item.job, { ...SENT, created_at: inMinutes(-90) });
    await newItemOf(item.job);
    const other = await newItemOf(await newJobOf(await newOwner()), SENT);
    const first = await changesBy(() => takeBack(item.job.owner.id, "all", 1));
    expect(first).toEqual({ answer: [second.dispatch], changed: { [nameOf(second)]: back } });
    const rest = await changesBy(() => takeBack(item.job.owner.id, "all", 10));
    expect(rest).toEqual({ answer: [item.dispatch], changed: { [nameOf(item)]: back } });
    expect(await takeBack(item.job.owner.id, [other.id], 10)).toEqual([]);
    expect(await takeBack(null, [item.id], 10)).toEqual([]);
    expect(await takeBack(null, "all", 10)).toEqual([other.dispatch]);
  });

  it("are left to the one who has them locked", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), SENT);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await takeBack(item.job.owner.id, "all", 10)).toEqual([]);
    });
  });
});
