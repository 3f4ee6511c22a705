import { randomUUID } from "node:crypto";
import { actorFromSignIn } from "@/lib/auth/actor";
import { Prisma, prisma } from "@/lib/db/prisma";
import { countUnwritten } from "@/lib/features/content/reads";
import { JOB_FIELDS } from "@/lib/features/work/rules";
import { cancelJob, cancelOrphans, deleteJob, insertJob, retryItems, retryJob } from "@/lib/features/work/sql/jobs";
import { cancelItemsOfDeleted, noLiveItemSql } from "@/lib/features/work/sql/shared";
import { startJob } from "@/lib/features/work/writes/jobs";
import { holdTransaction, query } from "@/tests/support/db";
import {
  afterChange,
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
  newPieceOf,
  newTopicOf,
  OUTLINE,
} from "@/tests/support/queue-rows";

const actorOf = ({ id }: { id: string }) => actorFromSignIn(id, { requestId: "test", address: "test" });

// Each statement on a job: which items it includes, and the job's state afterwards.

emptyQueues();

const SENT = { sent_at: inMinutes(-60), sends: 1, run_id: "run-1" };
const CANCELLED = { status: "cancelled", updated_at: 0, completed_at: 0 };
const REFUSED = { answer: undefined, changed: NOTHING };
const ASKED = { cancel_requested_at: 0, updated_at: 0 };
const COUNTED = { cancelled_items: 1, revision: 1, updated_at: 0 };

describe("a new job", () => {
  it("is not started when the last piece has gone meanwhile, or the database refuses it", async () => {
    const owner = actorOf(await newOwner());
    await expect(startJob(owner, 1, OUTLINE)).rejects.toMatchObject({ type: "NOTHING_TO_DO" });
    await expect(startJob(owner, 2 ** 40, OUTLINE)).rejects.toThrow("22003");
  });

  it("is taken back if nobody has begun it", async () => {
    const owner = await newOwner();
    const begun = await newJobOf(owner);
    const waiting = await newJobOf(owner, { job_type: CONTENT, status: "pending", started_at: null });
    expect((await changesBy(() => deleteJob(begun.id))).changed).toEqual(NOTHING);
    expect((await changesBy(() => deleteJob(waiting.id))).changed).toEqual({ [nameOf(waiting)]: "gone" });
  });

  it("has an item for each piece of the topic that still needs one, newest first", async () => {
    const owner = await newOwner();
    const bare = await newPieceOf(owner, { created_at: inMinutes(-3) });
    const newer = await newPieceOf(owner, { created_at: inMinutes(-2) });
    const planned = await newPieceOf(owner, { outline: "## One" });
    await newPieceOf(owner, { outline: "## One", body: "Written." });
    // Another topic's, and another user's.
    for (const other of [await newTopicOf(owner), await newOwner()]) {
      await newPieceOf(other);
      await newPieceOf(other, { outline: "## One" });
    }
    const todo = (type: typeof OUTLINE | typeof CONTENT) =>
      countUnwritten(actorOf(owner), owner.topicId, JOB_FIELDS[type]);
    expect([await todo(OUTLINE), await todo(CONTENT)]).toEqual([2, 1]);
    const written = await newPieceOf(owner, { body: "By hand." });
    expect([await todo(OUTLINE), await todo(CONTENT)]).toEqual([3, 1]);
    const stranger = await newOwner();
    expect([
      await countUnwritten(actorOf(stranger), owner.topicId, "outline"),
      await insertJob(stranger.id, owner.topicId, OUTLINE),
    ]).toEqual([0, undefined]);

    const outlines = await insertJob(owner.id, owner.topicId, OUTLINE);
    const contents = await insertJob(owner.id, owner.topicId, CONTENT);
    expect([outlines?.totalItems, contents?.totalItems]).toEqual([3, 1]);
    const pieces = (job = "") =>
      query<{ piece: string }>(
        "SELECT content_piece_id AS piece FROM processing_queue WHERE job_id = $1 ORDER BY created_at",
        [job],
      );
    expect((await pieces(outlines?.id)).map(({ piece }) => piece)).toEqual([written, newer, bare]);
    expect((await pieces(contents?.id)).map(({ piece }) => piece)).toEqual([planned]);
    const [job] = await query(
      "SELECT user_id, project_id, topic_id, status::text, total_items FROM processing_jobs WHERE id = $1",
      [outlines?.id],
    );
    expect(job).toEqual({
      user_id: owner.id,
      project_id: owner.projectId,
      topic_id: owner.topicId,
      status: "pending",
      total_items: 3,
    });
  });

  it("has no item for a piece that is being deleted", async () => {
    const owner = await newOwner();
    const piece = await newPieceOf(owner);
    const insert = () => insertJob(owner.id, owner.topicId, OUTLINE);
    expect(await afterChange("DELETE FROM content_pieces WHERE id = $1", piece, insert)).toBeUndefined();
  });

  it("is not created when nothing is left to do", async () => {
    const owner = await newOwner();
    await newPieceOf(owner, { outline: "## One", body: "Written." });
    expect(await changesBy(() => insertJob(owner.id, owner.topicId, OUTLINE))).toEqual(REFUSED);
  });
});

it("takes back a job that nobody has begun, and no other", async () => {
  const [begun, other] = [await newJobOf(await newOwner()), await newJobOf(await newOwner(), { started_at: null })];
  const { changed } = await changesBy(() => Promise.all([begun, other].map(({ id }) => deleteJob(id))));
  expect(changed).toEqual({ [nameOf(other)]: "gone" });
});

describe("cancelling a job", () => {
  it("ends what waits or is between two calls, and leaves a call under way", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), {
      ...SENT,
      not_before: inMinutes(5),
      probed_at: inMinutes(-1),
    });
    const between = await newItemOf(item.job, { ...SENT, status: "processing", claim_token: null });
    await newItemOf(item.job, { ...SENT, status: "processing" });
    await newItemOf(item.job, { ...SENT, status: "completed" });
    await newItemOf(await newJobOf(await newTopicOf(item.job.owner), { job_type: CONTENT }), { id: item.id });
    const { changed } = await changesBy(() => cancelJob(item.job.owner.id, item.job.id));
    expect(changed).toEqual({
      [nameOf(item)]: { ...CANCELLED, not_before: null, probed_at: null },
      [nameOf(between)]: CANCELLED,
      [nameOf(item.job)]: { cancelled_items: 2, cancel_requested_at: 0, revision: 1, updated_at: 0 },
    });
  });

  it.each<[string, Columns, Columns, Columns]>([
    ["ends it with its last item", { total_items: 1 }, {}, { ...COUNTED, ...CANCELLED, cancel_requested_at: 0 }],
    ["keeps the time of the first cancellation", { cancel_requested_at: inMinutes(-9) }, {}, COUNTED],
    ["leaves it live during a call", { total_items: 1 }, { status: "processing" }, { ...ASKED, revision: 1 }],
  ])("%s", async (_what, job, columns, change) => {
    const item = await newItemOf(await newJobOf(await newOwner(), job), columns);
    const { changed } = await changesBy(() => cancelJob(item.job.owner.id, item.job.id));
    expect(changed[nameOf(item.job)]).toEqual(change);
  });

  it("finds an item without a claim that gives it back at that moment", async () => {
    const item = await newItemOf(await newJobOf(await newOwner(), { total_items: 1 }), { status: "processing" });
    const giveBack = "UPDATE processing_queue SET status = 'pending', claim_token = NULL WHERE id = $1";
    await afterChange(giveBack, item.id, () => cancelJob(item.job.owner.id, item.job.id));
    const [job] = await query("SELECT status::text, cancelled_items FROM processing_jobs WHERE id = $1", [item.job.id]);
    expect(job).toEqual({ status: "cancelled", cancelled_items: 1 });
  });

  it("works for the owner and live jobs only", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), { status: "failed" });
    const over = await newJobOf(await newTopicOf(item.job.owner), { status: "failed", completed_at: inMinutes(-9) });
    const cancels = [
      [(await newOwner()).id, item.job.id],
      [item.job.owner.id, over.id],
      [item.job.owner.id, randomUUID()],
    ] as const;
    for (const [user, job] of cancels) expect((await changesBy(() => cancelJob(user, job))).changed).toEqual(NOTHING);
  });
});

describe("retrying a job's failed items", () => {
  const OVER = {
    status: "completed",
    completed_at: inMinutes(-9),
    cancel_requested_at: inMinutes(-9),
    failed_items: 3,
    ...{ tries: 2, error: "Why.", error_type: "OLD", not_before: inMinutes(-9) },
  };
  const FAILED = {
    ...SENT,
    dispatched_at: inMinutes(-60),
    dispatch_seq: 4,
    status: "failed",
    retry_count: 3,
    error: "Why.",
    note: "A word.",
    not_before: inMinutes(-9),
    base_text_version: 2,
    dismissed_at: inMinutes(-5),
    result: { section: { number: 2, of: 3 }, title: "Seeds" },
  };

  it("requeues them as new work and makes the job live", async () => {
    const item = await newItemOf(await newJobOf(await newOwner(), OVER), FAILED);
    const second = await newItemOf(item.job, FAILED);
    const gone = await newItemOf(item.job, FAILED);
    await query("DELETE FROM content_pieces WHERE id = $1", [gone.piece]);
    await newItemOf(item.job, { status: "completed" });
    // The same piece failed in an earlier job.
    const before = await newJobOf(await newTopicOf(item.job.owner), OVER);
    await newItemOf(before, { ...FAILED, content_piece_id: item.piece });
    await newItemOf(await newJobOf(await newOwner()), FAILED);
    const waits = {
      status: "pending",
      retry_count: 0,
      error: null,
      note: null,
      not_before: null,
      completed_at: null,
      base_text_version: null,
      run_id: null,
      sent_at: null,
      sends: 5,
      dispatched_at: null,
      dispatch_seq: 5,
      dismissed_at: null,
      result: { title: "Seeds" },
      updated_at: 0,
    };
    expect(await changesBy(async () => retryJob((await newOwner()).id, item.job.id))).toEqual(REFUSED);
    const { answer, changed } = await changesBy(() => retryJob(item.job.owner.id, item.job.id));
    expect(answer).toBe(2);
    expect(changed).toEqual({
      [nameOf(item)]: waits,
      [nameOf(second)]: waits,
      [nameOf(item.job)]: {
        status: "processing",
        completed_at: null,
        cancel_requested_at: null,
        ...{ tries: 0, error: null, error_type: null, not_before: null },
        failed_items: 1,
        revision: 1,
        updated_at: 0,
      },
    });
  });

  it("skips an item whose piece is being deleted, and waits for no other piece", async () => {
    const item = await newItemOf(await newJobOf(await newOwner(), OVER), FAILED);
    const other = await newItemOf(await newJobOf(await newTopicOf(item.job.owner), OVER), FAILED);
    const retry = () => retryJob(item.job.owner.id, item.job.id);
    expect(await afterChange("DELETE FROM content_pieces WHERE id = $1", item.piece, retry)).toBeUndefined();
    await newItemOf(item.job, FAILED);
    const deleting = await holdTransaction("DELETE FROM content_pieces WHERE id = $1", [other.piece]);
    expect(await retry()).toBe(1);
    await deleting.releaseLock();
  });

  it("leaves another user's items alone, whatever piece they are about", async () => {
    const owner = await newOwner();
    const { id } = await newItemOf(await newJobOf(await newOwner(), OVER), {
      ...FAILED,
      content_piece_id: await newPieceOf(owner),
    });
    const retry = () => retryItems(owner.id, Prisma.sql`q.id = ${id}::uuid`);
    expect(await changesBy(retry)).toEqual({ answer: [], changed: NOTHING });
  });

  it.each<[string, Columns, Columns]>([
    ["is being cancelled", { cancel_requested_at: inMinutes(-1) }, FAILED],
    ["has no failed item", OVER, { status: "completed" }],
    ["has lost the pieces of its failed items", OVER, { ...FAILED, content_piece_id: randomUUID() }],
  ])("does nothing for a job that %s", async (_what, job, columns) => {
    const item = await newItemOf(await newJobOf(await newOwner(), job), columns);
    await newPieceOf(item.job.owner);
    expect(await changesBy(() => retryJob(item.job.owner.id, item.job.id))).toEqual(REFUSED);
  });
});

it("ends the live items of a piece that is deleted, its owner's alone", async () => {
  const item = await newItemOf(await newJobOf(await newOwner()), { ...SENT, status: "processing" });
  const other = await newJobOf(item.job.owner, { job_type: CONTENT });
  const waiting = await newItemOf(other, { content_piece_id: item.piece });
  const past = await newJobOf(await newTopicOf(item.job.owner));
  await newItemOf(past, { status: "failed", content_piece_id: item.piece });
  await newItemOf(past);
  await query("UPDATE content_pieces SET deleted_at = now() WHERE id = $1", [item.piece]);
  const deleteAs = (userId: string) => changesBy(() => cancelItemsOfDeleted(prisma, userId));
  expect((await deleteAs((await newOwner()).id)).changed).toEqual(NOTHING);
  expect((await deleteAs(item.job.owner.id)).changed).toEqual({
    [nameOf(item)]: { ...CANCELLED, claim_token: null },
    [nameOf(waiting)]: CANCELLED,
    [nameOf(item.job)]: COUNTED,
    [nameOf(other)]: COUNTED,
  });
});

describe("orphaned items", () => {
  it("are those whose piece is gone, and those of a cancelled job that nobody is at work on", async () => {
    const orphan = await newItemOf(await newJobOf(await newOwner()), { content_piece_id: randomUUID() });
    const atWork = await newItemOf(orphan.job, { content_piece_id: randomUUID(), status: "processing" });
    await newLeaseOf(atWork, 5);
    await newItemOf(orphan.job, { content_piece_id: randomUUID(), status: "failed" });
    await newBystanders(orphan);
    const cancelled = await newJobOf(await newTopicOf(orphan.job.owner), { cancel_requested_at: inMinutes(-1) });
    const waiting = await newItemOf(cancelled);
    const lost = await newItemOf(cancelled, { status: "processing" });
    await newLeaseOf(lost, -1);
    await newLeaseOf(await newItemOf(cancelled, { status: "processing" }), 5);
    const { answer, changed } = await changesBy(() => cancelOrphans(orphan.job.owner.id));
    expect(answer).toEqual([orphan.job.owner.id]);
    expect(changed).toEqual({
      [nameOf(orphan)]: CANCELLED,
      [nameOf(atWork)]: { ...CANCELLED, claim_token: null },
      [nameOf(waiting)]: CANCELLED,
      [nameOf(lost)]: { ...CANCELLED, claim_token: null },
      [nameOf(orphan.job)]: { ...COUNTED, cancelled_items: 2 },
      [nameOf(cancelled)]: { ...COUNTED, cancelled_items: 2 },
    });
  });

  it("are cancelled for one user or everybody, and skipped while locked", async () => {
    const items = [await newJobOf(await newOwner()), await newJobOf(await newOwner())].map((job) =>
      newItemOf(job, { content_piece_id: randomUUID() }),
    );
    const [item, other] = (await Promise.all(items)) as [Item, Item];
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await cancelOrphans(item.job.owner.id)).toEqual([]);
    });
    expect(await cancelOrphans(item.job.owner.id)).toEqual([item.job.owner.id]);
    const { answer, changed } = await changesBy(() => cancelOrphans(null));
    expect(answer).toEqual([other.job.owner.id]);
    expect(Object.keys(changed).sort()).toEqual([nameOf(other), nameOf(other.job)].sort());
  });
});

it("finds out whether a queue will work on a piece", async () => {
  const item = await newItemOf(await newJobOf(await newOwner()));
  const over = await newItemOf(item.job, { status: "failed" });
  const isFree = async (piece: string) => {
    const rows = await prisma.$queryRaw<unknown[]>(
      Prisma.sql`SELECT 1 FROM content_pieces p WHERE p.id = ${piece}::uuid AND ${noLiveItemSql(Prisma.sql`p.id`)}`,
    );
    return rows.length === 1;
  };
  expect([await isFree(item.piece), await isFree(over.piece)]).toEqual([false, true]);
});
