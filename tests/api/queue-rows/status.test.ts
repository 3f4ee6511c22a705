import { randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { ownedJob, queueStatus } from "@/lib/features/work/reads";
import type { QueueStatus } from "@/lib/features/work/schema";
import { selectQueueStatus } from "@/lib/features/work/sql/status";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  emptyQueues,
  inMinutes,
  type Job,
  manyItemsOf,
  newItemOf,
  newJobOf,
  newOwner,
  newTopicOf,
  newWaitOf,
  OUTLINE,
  type Owner,
} from "@/tests/support/queue-rows";

// What the monitor shows: which rows, in what order, and the totals.

emptyQueues();
beforeAll(() => query("UPDATE engine_state SET away_since = NULL"));

const over = (status: string, minutes: number): Columns => ({ status, completed_at: inMinutes(minutes) });
const actor = ({ id }: Owner) => actorFromQueueRow({ userId: id, id: randomUUID() });
/** Rows in the API's form. */
const shown = async (owner: Owner, rows: number) => (await selectQueueStatus(owner.id, rows)) as unknown as QueueStatus;
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** Another user with a job and an item in every state of both queues. */
async function newStranger(): Promise<void> {
  const owner = await newOwner();
  for (const job_type of [OUTLINE, CONTENT]) {
    const job = await newJobOf(owner, { job_type });
    for (const status of ["pending", "processing", "completed", "cancelled"]) await newItemOf(job, { status });
    for (const status of ["completed", "cancelled"]) await newJobOf(owner, { job_type, ...over(status, -1) });
  }
}

describe("the user's jobs and items", () => {
  it("are shown as stored", async () => {
    const owner = await newOwner();
    await newTopicOf(owner);
    const moments = {
      created_at: inMinutes(-70),
      started_at: inMinutes(-50),
      updated_at: inMinutes(-40),
    };
    const seen = {
      completedAt: null,
      createdAt: moments.created_at.toISOString(),
      startedAt: moments.started_at.toISOString(),
      updatedAt: moments.updated_at.toISOString(),
      userId: owner.id,
      topicId: owner.topicId,
    };
    const cancelledAt = inMinutes(-2);
    const counted = { completed_items: 2, failed_items: 3, cancelled_items: 4 };
    const job = await newJobOf(owner, { ...moments, ...counted, cancel_requested_at: cancelledAt });
    const tried = { error: "It did not answer.", note: "A word.", retry_count: 2, max_retries: 5 };
    const paid = { tokens_in: 30, tokens_out: 12, run_id: "run-7", result: { section: { number: 4, of: 8 } } };
    const later = inMinutes(9);
    const item = await newItemOf(job, { ...moments, ...tried, ...paid, not_before: later });
    const { now, jobs, outlineQueue, contentQueue } = await shown(owner, 10);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(jobs).toEqual([
      {
        ...seen,
        id: job.id,
        projectId: owner.projectId,
        topicName: "Soil",
        jobType: OUTLINE,
        status: "processing",
        totalItems: 10,
        completedItems: 2,
        failedItems: 3,
        cancelledItems: 4,
        cancelRequestedAt: cancelledAt.toISOString(),
      },
    ]);
    expect(outlineQueue).toEqual([
      {
        ...seen,
        id: item.id,
        jobId: job.id,
        contentPieceId: item.piece,
        status: "pending",
        retryCount: 2,
        maxRetries: 5,
        error: "It did not answer.",
        note: "A word.",
        title: "Seeds",
        topicName: "Soil",
        section: { number: 4, of: 8 },
        tokens: 42,
        runId: "run-7",
        notBefore: later.toISOString(),
        isAtWork: false,
      },
    ]);
    expect(contentQueue).toEqual([]);
    await query("UPDATE content_pieces SET deleted_at = now() WHERE id = $1", [item.piece]);
    expect((await shown(owner, 10)).outlineQueue).toMatchObject([{ id: item.id, title: null }]);
    // A single job is read as the list shows it.
    expect(JSON.parse(JSON.stringify(await ownedJob(actor(owner), job.id)))).toEqual(jobs[0]);
  });

  it("are all live jobs, the newest done ones and the newest cancelled ones", async () => {
    const owner = await newOwner();
    const jobOf = async (minutes: number, columns: Columns = {}) =>
      (await newJobOf(await newTopicOf(owner), { created_at: inMinutes(minutes), ...columns })).id;
    const live = [await jobOf(-40), await jobOf(-60), await jobOf(-50)];
    const done = [
      await jobOf(-8, over("completed", -1)),
      await jobOf(-9, over("failed", -7)),
      await jobOf(-6, over("failed", -2)),
    ];
    const cancelled = [
      await jobOf(-7, over("cancelled", -3)),
      await jobOf(-5, over("cancelled", -4)),
      await jobOf(-4, over("cancelled", -1)),
    ];
    await newStranger();
    expect(ids((await shown(owner, 2)).jobs)).toEqual([
      ...[live[0], live[2], live[1]],
      ...[cancelled[2], cancelled[1], done[2], done[0]],
    ]);
  });

  it.each([OUTLINE, CONTENT] as const)(
    "are in %s the oldest waiting items, then the last ended ones",
    async (job_type) => {
      const owner = await newOwner();
      const job = await newJobOf(owner, { job_type });
      await newItemOf(await newJobOf(owner, { job_type: job_type === OUTLINE ? CONTENT : OUTLINE }));
      await newStranger();
      const itemOf = async (columns: Columns) => (await newItemOf(job, columns)).id;
      const waiting = [
        await itemOf({ created_at: inMinutes(-70) }),
        await itemOf({ created_at: inMinutes(-90), status: "processing" }),
        await itemOf({ created_at: inMinutes(-80) }),
      ];
      const done = [
        await itemOf({ ...over("completed", -5), created_at: inMinutes(-95) }),
        await itemOf(over("failed", -7)),
        await itemOf(over("completed", -6)),
      ];
      const cancelled = [
        await itemOf({ ...over("cancelled", -4), created_at: inMinutes(-96) }),
        await itemOf(over("cancelled", -9)),
        await itemOf(over("cancelled", -8)),
      ];
      const seen = await shown(owner, 2);
      expect(ids(job_type === OUTLINE ? seen.outlineQueue : seen.contentQueue)).toEqual([
        ...[waiting[1], waiting[2]],
        ...[cancelled[0], done[0], done[2], cancelled[2]],
      ]);
    },
  );
});

it("takes the time of an item from the latest twenty that were completed, once there are three", async () => {
  const owner = await newOwner();
  const took = (job: Job, seconds: number, minutes: number, columns: Columns = {}) => {
    const completed_at = inMinutes(-minutes);
    const started_at = new Date(completed_at.getTime() - seconds * 1_000);
    return newItemOf(job, { status: "completed", completed_at, started_at, ...columns });
  };
  const job = await newJobOf(owner);
  const pace = async () => (await queueStatus(actor(owner))).pace.outlineQueue;
  for (const other of [await newJobOf(owner, { job_type: CONTENT }), await newJobOf(await newOwner())]) {
    for (let n = 0; n < 3; n++) await took(other, 400, n);
  }
  await took(job, 400, 1, { status: "failed" });
  await took(job, 400, 1, { started_at: null });
  await took(job, 40, 2);
  await took(job, 80, 3);
  expect(await pace()).toBeNull();
  await took(job, 40, 4);
  // Four run at once.
  expect(await pace()).toBe(10);
  for (let n = 0; n < 9; n++) await took(job, 40, 5);
  for (let n = 0; n < 30; n++) await took(job, 800, 6);
  expect(await pace()).toBe(10);
});

it("shows at most a hundred of each kind", async () => {
  const job = await newJobOf(await newOwner());
  await manyItemsOf(job, 101);
  expect((await queueStatus(actor(job.owner))).outlineQueue).toHaveLength(100);
});

describe("the totals", () => {
  const numbers = (completed_items: number, failed_items: number, cancelled_items: number) => ({
    completed_items,
    failed_items,
    cancelled_items,
  });
  const none = { live: 0, finished: 0, cancelled: 0 };

  it("count all jobs, including those not shown", async () => {
    const owner = await newOwner();
    const live = async (job_type: Job["jobType"], counted: Columns, atWork: number) => {
      const job = await newJobOf(owner, { job_type, ...counted });
      for (let n = 0; n < atWork; n++) await newItemOf(job, { status: "processing" });
      await newItemOf(job);
    };
    await live(OUTLINE, numbers(1, 1, 1), 2);
    await live(CONTENT, numbers(0, 3, 0), 1);
    await newJobOf(await newTopicOf(owner), numbers(0, 0, 2));
    await newJobOf(owner, { ...over("completed", -1), total_items: 5, ...numbers(4, 1, 0) });
    await newJobOf(owner, { ...over("failed", -1), total_items: 2, ...numbers(0, 2, 0) });
    for (const total_items of [3, 4, 5]) {
      await newJobOf(owner, { ...over("cancelled", -1), total_items, ...numbers(1, 0, total_items - 1) });
    }
    for (const total_items of [6, 7]) {
      await newJobOf(owner, {
        ...over("cancelled", -1),
        job_type: CONTENT,
        total_items,
        ...numbers(0, 0, total_items),
      });
    }
    await newStranger();
    expect(await queueStatus(actor(owner))).toMatchObject({
      total: {
        jobs: { live: 3, finished: 2, cancelled: 5 },
        outlineQueue: { live: 7 + 8, finished: 2 + 5 + 2 + 3, cancelled: 1 + 2 + 9 },
        contentQueue: { live: 7, finished: 3, cancelled: 13 },
      },
      counts: { outlinePending: 13, outlineCompleted: 8, contentPending: 6, contentCompleted: 0 },
    });
  });

  it("are zero without a job, with empty lists", async () => {
    await newStranger();
    expect(await queueStatus(actor(await newOwner()))).toEqual({
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      jobs: [],
      outlineQueue: [],
      contentQueue: [],
      needs: [],
      pausedAt: null,
      pace: { outlineQueue: null, contentQueue: null },
      runAddress: null,
      engineAwaySince: null,
      total: { jobs: none, outlineQueue: none, contentQueue: none },
      counts: { outlinePending: 0, outlineCompleted: 0, contentPending: 0, contentCompleted: 0 },
    });
  });
});

it("is read by several at one moment", async () => {
  const [one, other] = [await newOwner(), await newOwner()];
  const read = () => Promise.all([one, other].map((owner) => queueStatus(actor(owner))));
  await expect(read()).resolves.toHaveLength(2);
});

describe("the version of the status", () => {
  it("changes with the user's jobs and waits, the topics' names and the engine, and nothing else", async () => {
    const owner = await newOwner();
    const elsewhere = await newTopicOf(owner);
    const job = await newJobOf(owner);
    const stranger = await newJobOf(await newOwner());
    let etag = "";
    /** Has the version changed since the last call? */
    const isNew = async () => {
      const answer = await owner.caller.get("/api/queue/status", { "if-none-match": etag });
      etag = answer.headers.get("etag") ?? "";
      return answer.status === 200;
    };
    const isNewAfter = async (statement: string, values: unknown[] = []) => {
      await query(statement, values);
      return isNew();
    };
    const touch = "UPDATE processing_jobs SET revision = revision + 1 WHERE id = $1";
    const rename = "UPDATE topics SET name = $2 WHERE id = $1";
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    expect([await isNewAfter(touch, [stranger.id]), await isNewAfter(touch, [job.id])]).toEqual([false, true]);
    expect([
      await isNewAfter(rename, [elsewhere.topicId, "Rain"]),
      await isNewAfter(rename, [stranger.owner.topicId, "Rain"]),
      await isNewAfter(rename, [owner.topicId, "Rain"]),
    ]).toEqual([false, false, true]);
    expect([
      await isNewAfter("UPDATE engine_state SET away_since = now()"),
      await isNewAfter("UPDATE engine_state SET away_since = NULL"),
    ]).toEqual([true, true]);
    await newWaitOf(stranger.owner, { held_reason: "Another's." });
    expect(await isNew()).toBe(false);
    await newWaitOf(owner, { held_reason: "Why." });
    expect(await isNew()).toBe(true);
    for (const [change, isSeen] of [
      ["held_reason = 'Another.'", true],
      ["paused_at = now()", true],
      ["held_reason = NULL, not_before = now() + interval '1 minute'", true],
      ["limited_until = now() + interval '1 hour'", true],
      ["taker_until = now()", false],
      // The last one: what comes after it may find it passed.
      ["not_before = now() + interval '0.2 seconds'", true],
    ] as const) {
      expect([change, await isNewAfter(`UPDATE provider_waits SET ${change} WHERE user_id = $1`, [owner.id])]).toEqual([
        ...[change, isSeen],
      ]);
    }
    await query("SELECT pg_sleep(0.2)");
    expect(await isNew()).toBe(true);
    expect(await isNewAfter("DELETE FROM processing_jobs WHERE id = $1", [job.id])).toBe(true);
  });
});
