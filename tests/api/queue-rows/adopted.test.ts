import { randomUUID } from "node:crypto";
import { Prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { resumePublishing } from "@/lib/features/publishing/steps";
import { isBusyBefore, isLeftToAdopt } from "@/lib/features/work/sql/adopted";
import { selectChunkedJob, selectChunkItems } from "@/lib/features/work/sql/chunks";
import { adoptJobs, workOnJob } from "@/lib/features/work/writes/chunks";
import { CANCELLING, newPublishingJob, open, PUBLISHING } from "@/tests/support/chunk-rows";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { insert } from "@/tests/support/factories";
import { type Columns, emptyQueues, inMinutes, newJobOf, newOwner, type Owner } from "@/tests/support/queue-rows";

// Publishing jobs of the release before, in tables of their own, and how they become rows of the queues.

emptyQueues();
const empty = () => query("DELETE FROM publishing_jobs");
beforeEach(empty);
afterAll(empty);

const LIVE = { status: "processing", started_at: inMinutes(-30) };
const OVER = { ...LIVE, status: "completed", completed_at: inMinutes(-9) };
const POST = { post_id: "7", permalink: "/7", site_status: "future", site_date: "2051-02-03T04:05:06Z" };
const SAID = { error: "Old.", error_type: "OLD", detail: "Why.", category_id: "3" };
const ITEMS: Columns[] = [
  { status: "pending" },
  { status: "processing", ...SAID },
  { status: "completed", ...POST },
  { status: "completed", is_unchanged: true, ...POST },
  { status: "completed" },
  { status: "failed", ...SAID, post_id: "8" },
  { status: "failed" },
  { status: "cancelled" },
];

/** A job of the release before with its items; returns its id. */
async function newOldJob(owner: Owner, columns: Columns = LIVE, items: Columns[] = ITEMS): Promise<string> {
  const row = {
    user_id: owner.id,
    project_id: owner.projectId,
    verb: "update_all",
    created_at: inMinutes(-60),
    ...columns,
  };
  const id = await insert<string>(`publishing_jobs ${values(row)}`, Object.values(row));
  for (const [position, item] of items.entries()) {
    const piece = { job_id: id, position, content_piece_id: randomUUID(), title: `Piece ${position}`, ...item };
    await query(`INSERT INTO publishing_items ${values(piece)}`, Object.values(piece));
  }
  return id;
}

function values(row: Columns): string {
  const names = Object.keys(row);
  return `(${names.join(", ")}) VALUES (${names.map((_, place) => `$${place + 1}`).join(", ")})`;
}

const leftOver = async () => (await query<{ id: string }>("SELECT id FROM publishing_jobs")).map(({ id }) => id);
const hold = (id: string, { id: userId }: Owner, minutes: number) =>
  query("INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, gen_random_uuid(), $3)", [
    ...[id, userId, inMinutes(minutes)],
  ]);

it("takes over a job with its items, of which those that were at work wait again", async () => {
  const owner = await newOwner();
  const waits = { ...SAID, tries: 3, not_before: inMinutes(1) };
  const { category_id: _, detail: __, ...why } = waits;
  const id = await newOldJob(owner, { ...LIVE, ...why });
  expect(await adoptJobs()).toBe(1);
  const facts = Prisma.sql`json_agg(extract(epoch FROM now() - q.created_at)::int / 60 ORDER BY q.position)`;
  expect(await selectChunkedJob(PUBLISHING, { id, userId: owner.id }, facts)).toMatchObject({
    ...{
      id,
      projectId: owner.projectId,
      input: { verb: "update_all" },
      status: "processing",
      facts: Array(8).fill(60),
    },
    ...{ tries: 3, waitSeconds: expect.closeTo(59, -1), error: "Old.", errorType: "OLD" },
    ...{ cancelRequestedAt: null, startedAt: LIVE.started_at, completedAt: null },
    ...{ createdAt: expect.any(Date), totalItems: 8, completedItems: 3, failedItems: 2, cancelledItems: 1 },
  });
  const said = { categoryId: "3", type: "OLD", detail: "Why." };
  const post = { wpPostId: "7", wpPermalink: "/7", wpPostStatus: "future", wpPostDate: "2051-02-03T04:05:06+00:00" };
  const done = { isWritten: true };
  expect(
    (await selectChunkItems(PUBLISHING, id, { limit: 9 })).map(({ status, error, result }) => [status, error, result]),
  ).toEqual([
    ["pending", null, { title: "Piece 0" }],
    ["pending", "Old.", { title: "Piece 1", ...said }],
    ["completed", null, { title: "Piece 2", ...post, ...done }],
    ["completed", null, { title: "Piece 3", ...post }],
    ["completed", null, { title: "Piece 4", ...done }],
    ["failed", "Old.", { title: "Piece 5", ...said, wpPostId: "8", ...done }],
    ["failed", null, { title: "Piece 6" }],
    ["cancelled", null, { title: "Piece 7" }],
  ]);
  const rows = await query("SELECT user_id, completed_at FROM publishing_queue ORDER BY position");
  const ends = [null, null, ...Array(6).fill(expect.any(Date))];
  expect(rows).toEqual(ends.map((completed_at) => ({ user_id: owner.id, completed_at })));
  expect([await leftOver(), await query("SELECT FROM publishing_items"), await adoptJobs()]).toEqual([[], [], 0]);
});

it("takes over one that has ended, and its end is that of its items", async () => {
  const owner = await newOwner();
  const id = await newOldJob(owner, OVER, [{ status: "completed" }]);
  const empty = await newOldJob(owner, { ...OVER, status: "cancelled" }, []);
  // A live job of the project does not matter.
  await newPublishingJob(owner);
  expect(await adoptJobs()).toBe(2);
  const job = await selectChunkedJob(PUBLISHING, { id, userId: owner.id });
  const [item] = await query("SELECT completed_at, created_at FROM publishing_queue");
  expect(job).toMatchObject({ status: "completed", completedAt: OVER.completed_at, totalItems: 1 });
  expect(item).toEqual({ completed_at: OVER.completed_at, created_at: job?.createdAt });
  expect(await selectChunkedJob(PUBLISHING, { id: empty, userId: null })).toMatchObject({
    totalItems: 0,
    failedItems: 0,
  });
});

describe("a job that has not ended", () => {
  it.each<[string, Columns, string[], string[], string]>([
    [
      "is cancelled if it was being cancelled",
      CANCELLING,
      ["processing", "failed"],
      ["cancelled", "failed"],
      "cancelled",
    ],
    ["ends if all of it has", {}, ["completed", "failed"], ["completed", "failed"], "completed"],
    ["ends without items", {}, [], [], "cancelled"],
  ])("%s", async (_what, columns, before, after, status) => {
    const items = before.map((each) => ({ status: each }));
    const id = await newOldJob(await newOwner(), { ...LIVE, ...columns }, items);
    const other = await newOldJob(await newOwner(), LIVE, [{ status: "pending" }]);
    const here = await newPublishingJob(await newOwner(), CANCELLING);
    await adoptJobs();
    expect(await query("SELECT revision::int FROM processing_jobs WHERE id = $1", [here.id])).toEqual([
      { revision: 0 },
    ]);
    const job = await selectChunkedJob(PUBLISHING, { id, userId: null });
    expect(job).toMatchObject({ status, cancelRequestedAt: columns.cancel_requested_at ?? null });
    expect(job).toMatchObject({
      completedAt: expect.any(Date),
      cancelledItems: after.filter((each) => each === "cancelled").length,
    });
    expect((await selectChunkItems(PUBLISHING, id, { limit: 9 })).map((item) => item.status)).toEqual(after);
    const waits = { status: "processing", cancelledItems: 0 };
    expect(await selectChunkedJob(PUBLISHING, { id: other, userId: null })).toMatchObject(waits);
    expect(await selectChunkItems(PUBLISHING, other, { limit: 9 })).toMatchObject([{ status: "pending" }]);
  });

  it("is found by its id, and keeps its own project busy", async () => {
    const owner = await newOwner();
    await newOldJob(owner, OVER);
    await newOldJob(await newOwner());
    expect([await isLeftToAdopt(randomUUID()), await isBusyBefore(owner.projectId)]).toEqual([false, false]);
    const id = await newOldJob(owner);
    expect([await isLeftToAdopt(id), await isBusyBefore(owner.projectId)]).toEqual([true, true]);
  });

  it("stays while the release before works on it", async () => {
    const owner = await newOwner();
    const id = await newOldJob(owner);
    await hold(id, owner, 1);
    await newOldJob(await newOwner());
    expect([await adoptJobs(), await leftOver()]).toEqual([1, [id]]);
    await query("UPDATE leases SET until = now() - interval '1 second'");
    expect(await adoptJobs()).toBe(1);
  });

  it("stays while another one of its project is live here", async () => {
    const owner = await newOwner();
    const id = await newOldJob(owner);
    const live = await newPublishingJob(owner);
    await newPublishingJob(await newOwner());
    await newJobOf(owner, { topic_id: null });
    expect([await adoptJobs(), await leftOver()]).toEqual([0, [id]]);
    await query("UPDATE processing_jobs SET status = 'failed', completed_at = now() WHERE id = $1", [live.id]);
    expect(await adoptJobs()).toBe(1);
  });

  it("stays if a call opens one of its project at that moment, and does not keep back others", async () => {
    const owner = await newOwner();
    const id = await newOldJob(owner);
    await newOldJob(await newOwner());
    const opening = await holdTransaction(
      "INSERT INTO processing_jobs (user_id, project_id, job_type, total_items) VALUES ($1, $2, 'publishing', 0)",
      [owner.id, owner.projectId],
    );
    const adopting = adoptJobs();
    await waitForLock();
    await opening.releaseLock();
    expect([await adopting, await leftOver()]).toEqual([1, [id]]);
  });

  it("is joined by a call that comes while it is taken over", async () => {
    const owner = await newOwner();
    const id = await newOldJob(owner);
    const lock = await holdTransaction("SELECT 1 FROM publishing_items WHERE job_id = $1 FOR UPDATE", [id]);
    const adopting = adoptJobs();
    await waitForLock();
    const opening = transaction((db) => open(owner, db));
    await waitForLock(undefined, 2);
    await lock.releaseLock();
    expect([await adopting, await opening]).toMatchObject([1, { id, isNew: false }]);
  });

  it("does not keep back a newer one, however many stay", async () => {
    for (let n = 0; n < 10; n++) {
      const owner = await newOwner();
      await newOldJob(owner);
      await newPublishingJob(owner);
    }
    await newOldJob(await newOwner(), { ...LIVE, created_at: inMinutes(-1) });
    expect(await adoptJobs()).toBe(1);
  });

  it("is taken over by the sweep, with as many others as there are", async () => {
    const owner = await newOwner();
    for (let n = 0; n < 11; n++) await newOldJob(owner, n === 0 ? LIVE : OVER, []);
    await resumePublishing();
    expect(await leftOver()).toEqual([]);
  });

  it("is taken over by the run that comes for it, unless the release before or another run is at work on it", async () => {
    const owner = await newOwner();
    const id = await newOldJob(owner, LIVE, [{ status: "pending" }]);
    const work = () => Promise.resolve({ next: "wait", waitSeconds: 7 } as const);
    const run = () => workOnJob({ type: PUBLISHING, size: 9, work }, id);
    const wait = (waitSeconds: number) => ({ next: "wait", waitSeconds });
    await hold(id, owner, 1);
    expect(await run()).toEqual(wait(5));
    await query("DELETE FROM leases");
    const other = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id = $1 FOR UPDATE", [id]);
    expect(await run()).toEqual(wait(5));
    await other.releaseLock();
    expect([await run(), await leftOver()]).toEqual([wait(7), []]);
  });
});

it("takes over each job once, also twice at once, and at most ten together, live and old ones first", async () => {
  const owner = await newOwner();
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push(await newOldJob(owner, { ...OVER, created_at: inMinutes(-n) }, []));
  const live = await newOldJob(await newOwner(), { ...LIVE, created_at: inMinutes(1) }, [{ status: "pending" }]);
  const held = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id = $1 FOR UPDATE", [ids[11]]);
  expect(await adoptJobs()).toBe(10);
  await held.releaseLock();
  expect((await leftOver()).sort()).toEqual([ids[0], ids[1], ids[11]].sort());
  expect(await selectChunkedJob(PUBLISHING, { id: live, userId: null })).toBeDefined();
  expect((await Promise.all([adoptJobs(), adoptJobs()])).sort()).toEqual([0, 3]);
});
