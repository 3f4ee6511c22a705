import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import * as sql from "@/lib/features/publishing/sql/jobs";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { changesBy, ENDED, type JobRows, LIVE, newJobRow, newJobs, PIECES } from "@/tests/support/publishing-rows";

// Each statement on publishing jobs: what it changes, and that it changes nothing else.

const BLANK = { error: null, error_type: null };
const [PENDING, PROCESSING, FAILED] = ["0", "1", "3"] as const;
const CANCELLING = { ...LIVE, cancel_requested_at: new Date(Date.now() - 60_000) };

afterAll(() => query("DELETE FROM publishing_jobs"));

/** Its status and counts; the other columns as they were set. */
const read = async ({ id, userId }: JobRows) => (await sql.selectJob(id, userId)) ?? {};

describe("a job's row", () => {
  it("counts its own items", async () => {
    const job = await newJobs(LIVE, ["pending", "completed", "completed", "failed", "failed", "failed", "cancelled"]);
    await query("UPDATE publishing_items SET is_unchanged = false WHERE position <> 1");
    expect(await read(job)).toMatchObject({
      ...{ id: job.id, userId: job.userId, projectId: job.projectId, verb: "publish_all" },
      ...{ status: "processing", tries: 3, error: "Old", errorType: "OLD", waitSeconds: 0, cancelRequestedAt: null },
      ...{ startedAt: expect.any(Date), completedAt: null, createdAt: expect.any(Date) },
      ...{ totalItems: 7, completedItems: 2, unchangedItems: 1, failedItems: 3, cancelledItems: 1 },
    });
  });

  it("says how long it waits", async () => {
    const job = await newJobs({ ...LIVE, not_before: new Date(Date.now() + 90_000) });
    const { waitSeconds } = (await sql.selectJob(job.id, null)) ?? {};
    expect(waitSeconds).toBeGreaterThan(80);
    expect(waitSeconds).toBeLessThanOrEqual(90);
    await query("UPDATE publishing_jobs SET not_before = NULL");
    expect(await sql.selectJob(job.id, null)).toMatchObject({ waitSeconds: 0 });
  });

  it("is read by its owner, or by its own run, and the latest of its project is", async () => {
    const job = await newJobs(ENDED);
    expect(await sql.selectJob(job.id, job.userId)).toMatchObject({ id: job.id });
    expect(await sql.selectJob(job.id, null)).toMatchObject({ id: job.id });
    expect(await sql.selectJob(job.id, randomUUID())).toBeUndefined();
    const earlier = new Date(Date.now() - 2 * 3_600_000);
    await newJobRow(job, { ...ENDED, created_at: earlier });
    expect(await sql.selectLatestJob(job.userId, job.projectId)).toMatchObject({ id: job.id });
    expect(await sql.selectLatestJob(randomUUID(), job.projectId)).toBeUndefined();
    const later = await newJobRow(job);
    expect(await sql.selectLatestJob(job.userId, job.projectId)).toMatchObject({ id: later.id });
  });

  it("has its items in order, from a position on, with a status, so many", async () => {
    const job = await newJobs(LIVE);
    const positions = async (filter: Omit<Parameters<typeof sql.selectItems>[1], "limit">, limit = 10) =>
      (await sql.selectItems(job.id, { ...filter, limit })).map(({ position }) => position);
    expect(await positions({})).toEqual([0, 1, 2, 3, 4]);
    expect(await positions({ after: 1 })).toEqual([2, 3, 4]);
    expect(await positions({ after: 1 }, 2)).toEqual([2, 3]);
    expect(await positions({ status: "failed" })).toEqual([3]);
    expect((await sql.selectItems(job.id, { after: 1, limit: 1 }))[0]).toEqual({
      ...{ position: 2, contentId: PIECES[2], title: "Piece 2", status: "completed", unchanged: true },
      ...{
        error: "Old",
        type: "OLD",
        detail: "Old",
        wpPostId: "0",
        wpPermalink: "/0",
        wpPostStatus: null,
        wpPostDate: null,
      },
    });
  });
});

describe("a new job", () => {
  const insertJob = ({ userId, projectId }: Omit<JobRows, "id">) =>
    sql.insertJob(prisma, userId, { projectId, verb: "update_all" });

  it("is the only one of its project that has not ended", async () => {
    const job = await newJobs(ENDED);
    const { answer: id = "", changed } = await changesBy(job, () => insertJob(job));
    expect(changed).toEqual({ [`job ${id}`]: "made" });
    expect(await read({ ...job, id })).toMatchObject({
      verb: "update_all",
      status: "pending",
      tries: 0,
    });
    expect(await changesBy(job, () => insertJob(job))).toEqual({ answer: undefined, changed: {} });
  });

  it("is found by its owner while it lives, and locked", async () => {
    const job = await newJobs(LIVE);
    const live = { id: job.id, verb: "publish_all", isCancelled: false };
    expect(await sql.lockLiveJob(prisma, job.userId, job.projectId)).toEqual(live);
    expect(await sql.lockLiveJob(prisma, randomUUID(), job.projectId)).toBeUndefined();
    const held = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id = $1 FOR UPDATE", [job.id]);
    const waiting = sql.lockLiveJob(prisma, job.userId, job.projectId);
    await waitForLock();
    await held.releaseLock();
    expect(await waiting).toEqual(live);
    const ended = await newJobs(ENDED);
    expect(await sql.lockLiveJob(prisma, ended.userId, ended.projectId)).toBeUndefined();
    const cancelling = await newJobs(CANCELLING);
    expect(await sql.lockLiveJob(prisma, cancelling.userId, cancelling.projectId)).toMatchObject({ isCancelled: true });
  });

  it("gets the pieces that it does not have yet, behind the others", async () => {
    const job = await newJobs(LIVE, ["completed", "pending"]);
    const [first, second] = [randomUUID(), randomUUID()];
    const pieces = [first, PIECES[1] ?? "", second].map((id) => ({ id, title: `New ${id}` }));
    const { answer, changed } = await changesBy(job, () => sql.insertItems(prisma, job.id, pieces));
    expect([answer, changed]).toEqual([2, { 2: "made", 4: "made" }]);
    expect(
      (await sql.selectItems(job.id, { after: 1, limit: 9 })).map(({ contentId, status }) => [contentId, status]),
    ).toEqual([
      [first, "pending"],
      [second, "pending"],
    ]);
    await query("DELETE FROM publishing_items WHERE job_id = $1", [job.id]);
    expect((await changesBy(job, () => sql.insertItems(prisma, job.id, pieces))).changed).toEqual({
      0: "made",
      1: "made",
      2: "made",
    });
  });

  it("takes the place of the oldest of six that have ended", async () => {
    const job = await newJobs(ENDED);
    const hoursAgo = (hours: number) => ({ created_at: new Date(Date.now() - hours * 3_600_000) });
    const older: string[] = [];
    for (const hours of [7, 2, 3, 4, 5, 6]) older.push((await newJobRow(job, { ...ENDED, ...hoursAgo(hours) })).id);
    await newJobRow(job, { ...LIVE, ...hoursAgo(9) });
    const { changed } = await changesBy(job, () => sql.pruneJobs(prisma, job.projectId));
    expect(changed).toEqual({ [`job ${older[0]}`]: "gone", [`job ${older[5]}`]: "gone" });
  });
});

describe("working on a job", () => {
  it("claims what waits, in order", async () => {
    const job = await newJobs({ ...LIVE, status: "pending", started_at: null }, [
      "pending",
      "failed",
      "pending",
      "pending",
    ]);
    const { answer, changed } = await changesBy(job, () => sql.claimItems(job.id, 2));
    expect(answer.map(({ contentId, title }) => [contentId, title])).toEqual([
      [PIECES[0], "Piece 0"],
      [PIECES[2], "Piece 2"],
    ]);
    expect(changed).toEqual({
      job: { status: "processing", started_at: 0 },
      0: { status: "processing" },
      2: { status: "processing" },
    });
    // It started when it did.
    const started = await newJobs(LIVE);
    expect((await changesBy(started, () => sql.claimItems(started.id, 9))).changed).toEqual({
      [PENDING]: { status: "processing" },
    });
  });

  it("leaves to another what that one claims at the same moment", async () => {
    const job = await newJobs(LIVE, ["pending", "pending"]);
    const other = await holdTransaction(
      "SELECT 1 FROM publishing_items WHERE job_id = $1 AND position = 0 FOR UPDATE",
      [job.id],
    );
    const claimed = await sql.claimItems(job.id, 9);
    await other.releaseLock();
    expect(claimed.map(({ contentId }) => contentId)).toEqual([PIECES[1]]);
  });

  it.each([
    ["was cancelled", CANCELLING],
    ["has ended", ENDED],
  ])("claims nothing of one that %s", async (_what, columns) => {
    const job = await newJobs(columns);
    expect(await changesBy(job, () => sql.claimItems(job.id, 9))).toEqual({ answer: [], changed: {} });
  });

  const TO_COME = "2051-02-03T04:05:06+00:00";

  it("saves the results of what it claimed", async () => {
    const job = await newJobs(LIVE, ["processing", "processing", "pending", "completed"]);
    const done = {
      ok: true,
      unchanged: false,
      error: null,
      type: null,
      detail: null,
      wpPostId: "7",
      wpPermalink: "/7",
      wpPostStatus: "future",
      wpPostDate: new Date(TO_COME),
    };
    const failed = {
      ok: false,
      unchanged: true,
      error: "No",
      type: "NEW",
      detail: "Why",
      wpPostId: null,
      wpPermalink: null,
      wpPostStatus: null,
      wpPostDate: null,
    };
    const results = [done, failed, done, done].map((result, place) => ({ contentId: PIECES[place] ?? "", ...result }));
    const { changed } = await changesBy(job, () => sql.saveResults(job.id, results));
    const blank = { is_unchanged: false, ...BLANK, detail: null };
    expect(changed).toEqual({
      0: { status: "completed", ...blank, post_id: "7", permalink: "/7", site_status: "future", site_date: TO_COME },
      1: { status: "failed", error: "No", error_type: "NEW", detail: "Why", post_id: null, permalink: null },
    });
  });

  it("starts again with what a run had claimed that died", async () => {
    const job = await newJobs(LIVE);
    const { changed } = await changesBy(job, () => sql.requeueItems(job.id));
    expect(changed).toEqual({ [PROCESSING]: { status: "pending" } });
  });
});

describe("a site that cannot be reached", () => {
  const error = { error: "Down", type: "CONNECTION_ERROR" };
  const noted = { tries: 4, error: "Down", error_type: "CONNECTION_ERROR" };

  it("makes the job wait", async () => {
    const job = await newJobs(LIVE);
    const { changed } = await changesBy(job, () => sql.noteUnreachable(job.id, { ...error, waitSeconds: 600 }));
    expect(changed).toEqual({ job: { ...noted, not_before: 10 } });
  });

  it("fails what waits when nobody waits any more", async () => {
    const job = await newJobs(LIVE);
    const { changed } = await changesBy(job, () => sql.noteUnreachable(job.id, { ...error, waitSeconds: null }));
    expect(changed).toEqual({
      job: { ...noted, not_before: 0 },
      [PENDING]: { status: "failed", error: "Down", error_type: "CONNECTION_ERROR" },
    });
  });

  it("changes no job that has ended", async () => {
    const job = await newJobs(ENDED);
    expect((await changesBy(job, () => sql.noteUnreachable(job.id, { ...error, waitSeconds: null }))).changed).toEqual(
      {},
    );
  });

  it.each([
    ["tries", { error: null, error_type: null }, { tries: 0, not_before: null }],
    ["an error", { tries: 0 }, { ...BLANK, not_before: null }],
  ])("is forgotten once it is back, when the job has %s", async (_what, columns, changes) => {
    const job = await newJobs({ ...LIVE, ...columns });
    expect((await changesBy(job, () => sql.noteReached(job.id))).changed).toEqual({ job: changes });
  });

  it("leaves no trace in a job that never waited", async () => {
    const job = await newJobs({ ...LIVE, ...BLANK, tries: 0 });
    expect((await changesBy(job, () => sql.noteReached(job.id))).changed).toEqual({});
  });
});

describe("cancelling a job", () => {
  it("is noted once", async () => {
    const job = await newJobs(LIVE);
    const { changed } = await changesBy(job, () => sql.requestCancel(prisma, job.userId, job.id));
    expect(changed).toEqual({ job: { cancel_requested_at: 0 } });
    await query("UPDATE publishing_jobs SET cancel_requested_at = now() - interval '1 hour'");
    expect((await changesBy(job, () => sql.requestCancel(prisma, job.userId, job.id))).changed).toEqual({});
  });

  it("ends what waits, and leaves what is under way", async () => {
    const job = await newJobs(CANCELLING);
    const { answer, changed } = await changesBy(job, () => sql.endJob(prisma, job.id));
    expect([answer, changed]).toEqual([false, { [PENDING]: { status: "cancelled" } }]);
  });

  it("is for its owner, and for one that has not ended", async () => {
    const job = await newJobs(LIVE);
    expect((await changesBy(job, () => sql.requestCancel(prisma, randomUUID(), job.id))).changed).toEqual({});
    const ended = await newJobs(ENDED);
    expect((await changesBy(ended, () => sql.requestCancel(prisma, ended.userId, ended.id))).changed).toEqual({});
  });
});

describe("the end of a job", () => {
  it.each([
    [["completed", "completed", "failed"], "completed"],
    [["failed", "failed"], "failed"],
    [["completed", "failed", "cancelled"], "cancelled"],
  ])("with %j is %s", async (statuses, status) => {
    const job = await newJobs(LIVE, statuses);
    const { answer, changed } = await changesBy(job, () => sql.endJob(prisma, job.id));
    expect([answer, changed]).toEqual([true, { job: { status, completed_at: 0 } }]);
  });

  it.each(["pending", "processing"])("waits for a %s item", async (status) => {
    const job = await newJobs(LIVE, ["completed", status]);
    expect(await changesBy(job, () => sql.endJob(prisma, job.id))).toEqual({ answer: false, changed: {} });
  });

  it("stays as it was", async () => {
    const job = await newJobs(ENDED, ["completed"]);
    expect(await changesBy(job, () => sql.endJob(prisma, job.id))).toEqual({ answer: true, changed: {} });
  });

  it("counts the pieces that are added at the same moment", async () => {
    const job = await newJobs(LIVE, ["completed"]);
    const adding = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id = $1 FOR UPDATE", [job.id]);
    const ending = prisma.$transaction((db) => sql.endJob(db, job.id));
    await waitForLock();
    await adding.also(
      "INSERT INTO publishing_items (job_id, position, content_piece_id, title) VALUES ($1, 1, gen_random_uuid(), 'Late')",
      [job.id],
    );
    await adding.releaseLock();
    expect([await ending, await read(job)]).toMatchObject([false, { completedAt: null, totalItems: 2 }]);
  });

  it("waits for no other job", async () => {
    const job = await newJobs(LIVE, ["completed"]);
    const other = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id <> $1 FOR UPDATE", [job.id]);
    const ending = prisma.$transaction(async (db) => {
      await db.$executeRaw`SET LOCAL lock_timeout = '1s'`;
      return sql.endJob(db, job.id);
    });
    const ended = await ending.catch(() => "waited");
    await other.releaseLock();
    expect(ended).toBe(true);
  });
});

describe("a retry", () => {
  it("lets what has failed wait again", async () => {
    const job = await newJobs({ ...ENDED, cancel_requested_at: new Date() });
    const { answer, changed } = await changesBy(job, () => sql.retryItems(prisma, job.userId, job.id));
    expect(answer).toBe(1);
    expect(changed).toEqual({
      job: { status: "pending", completed_at: null, cancel_requested_at: null, tries: 0, ...BLANK, not_before: null },
      [FAILED]: { status: "pending", ...BLANK, detail: null },
    });
  });

  it("is for its owner", async () => {
    const job = await newJobs(ENDED);
    expect(await changesBy(job, () => sql.retryItems(prisma, randomUUID(), job.id))).toEqual({
      answer: 0,
      changed: {},
    });
  });

  it.each([
    ["has not ended", LIVE, ["failed"]],
    ["has nothing that failed", ENDED, ["completed", "cancelled"]],
  ])("changes nothing of a job that %s", async (_what, columns, statuses) => {
    const job = await newJobs(columns, statuses);
    await query("DELETE FROM publishing_items WHERE job_id <> $1 AND status = 'completed'", [job.id]);
    await query("UPDATE publishing_items SET status = 'failed' WHERE job_id <> $1", [job.id]);
    expect(await changesBy(job, () => sql.retryItems(prisma, job.userId, job.id))).toEqual({
      answer: 0,
      changed: {},
    });
  });

  it("waits until no other job of the project runs", async () => {
    const job = await newJobs(ENDED);
    const live = await newJobRow(job);
    const retry = () => sql.retryItems(prisma, job.userId, job.id);
    expect(await changesBy(job, retry)).toEqual({ answer: 0, changed: {} });
    await query("UPDATE publishing_jobs SET completed_at = now(), status = 'completed' WHERE id = $1", [live.id]);
    // Jobs of other projects run.
    const elsewhere = await query<{ user_id: string; project_id: number }>(
      "SELECT user_id, project_id FROM publishing_jobs WHERE project_id <> $1",
      [job.projectId],
    );
    for (const { user_id, project_id } of elsewhere) await newJobRow({ userId: user_id, projectId: project_id });
    expect(await retry()).toBe(1);
  });
});

describe("jobs that nobody works on", () => {
  const idle = async () => (await sql.selectIdleJobs(600, 9)).map(({ id }) => id);

  it("are live, and have been so for a while", async () => {
    const job = await newJobs(ENDED);
    expect(await idle()).toEqual([]);
    const live = await newJobRow(job);
    expect(await sql.selectIdleJobs(600, 9)).toEqual([{ id: live.id, userId: job.userId }]);
    await query("UPDATE publishing_jobs SET created_at = now() - interval '9 minutes' WHERE id = $1", [live.id]);
    expect(await idle()).toEqual([]);
  });

  it("are not waiting for their site", async () => {
    const job = await newJobRow(await newJobs(ENDED));
    const wait = (until: string) => query(`UPDATE publishing_jobs SET not_before = ${until} WHERE id = $1`, [job.id]);
    await wait("now() + interval '1 minute'");
    expect(await idle()).toEqual([]);
    await wait("NULL");
    expect(await idle()).toEqual([job.id]);
  });

  it("are held by no run", async () => {
    const job = await newJobRow(await newJobs(ENDED));
    await query(
      "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, gen_random_uuid(), now() + interval '1 minute')",
      [job.id, job.userId],
    );
    expect(await idle()).toEqual([]);
    await query("UPDATE leases SET until = now() - interval '1 second' WHERE subject = $1", [job.id]);
    expect(await idle()).toEqual([job.id]);
  });
});
