import { randomUUID } from "node:crypto";
import { actorFromSignIn } from "@/lib/auth/actor";
import { Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import type { RunWait } from "@/lib/features/work/schema";
import * as sql from "@/lib/features/work/sql/chunks";
import { claimItem, failDue, findItemOfRun } from "@/lib/features/work/sql/items";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { takeProbes, takeUnsent } from "@/lib/features/work/sql/sending";
import { cancelItemsOfDeleted, noLiveItemSql } from "@/lib/features/work/sql/shared";
import { selectQueueDepth } from "@/lib/features/work/sql/status";
import { noteLimit } from "@/lib/features/work/sql/waits";
import { type Chunks, workOnJob } from "@/lib/features/work/writes/chunks";
import { cancelOwned, retryOwned } from "@/lib/features/work/writes/jobs";
import { STOPPED } from "@/lib/features/work/writes/run";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import {
  type Chunked,
  type Columns,
  changesBy,
  changesOf,
  emptyQueues,
  type Item,
  inMinutes,
  NOTHING,
  newChunks,
  newItemOf,
  newJobOf,
  newOwner,
  newPublishingJob,
  OLD_RESULT,
  PUBLISHING,
  runOf,
} from "@/tests/support/queue-rows";

// Jobs with one run each: what each statement changes, and that it changes nothing else, also beside another call.

emptyQueues();

const actorOf = ({ job }: Chunked) => actorFromSignIn(job.owner.id, { requestId: "test", address: "test" });
const PENDING = { status: "pending" };
const CLAIMED = { status: "processing" };
/** At work, and asked for again meanwhile. */
const AGAIN = { ...CLAIMED, result: { ...OLD_RESULT, isAskedAgain: true } };
const [DONE, FAILED, CANCELLED] = [{ status: "completed" }, { status: "failed" }, { status: "cancelled" }];
const LOST = { ...CLAIMED, claim_token: randomUUID() };
const EACH = [PENDING, CLAIMED, DONE, FAILED, CANCELLED];
const OVER = { status: "completed", completed_at: inMinutes(-9), cancel_requested_at: inMinutes(-9) };
const CANCELLING = { cancel_requested_at: inMinutes(-1) };
const DOWN = { error: "The site is down.", errorType: "CONNECTION_ERROR" };

const MOVED = { revision: 1, updated_at: 0 };
const FREED = { claim_token: null, updated_at: 0 };
const ENDED = { updated_at: 0, completed_at: 0 };

/** The job as its owner reads it. */
const read = async ({ job }: Chunked) =>
  (await sql.selectChunkedJob(PUBLISHING, { id: job.id, userId: job.owner.id })) ?? {};
const statuses = async ({ job }: Pick<Chunked, "job">) =>
  (await sql.selectChunkItems(PUBLISHING, job.id, { limit: 99 })).map(({ status }) => status).join();

describe("a job's row", () => {
  it("is read with its items' facts, by its owner or its own run", async () => {
    const { job } = await newChunks(EACH, {
      ...CANCELLING,
      tries: 3,
      error: "Old.",
      error_type: "OLD",
      not_before: inMinutes(1),
    });
    const facts = Prisma.sql`count(q.*)::int`;
    const row = await sql.selectChunkedJob(PUBLISHING, { id: job.id, userId: null }, facts);
    expect(row).toEqual({
      ...{ id: job.id, userId: job.owner.id, projectId: job.owner.projectId, input: { verb: "publish_all" }, facts: 5 },
      ...{
        status: "processing",
        tries: 3,
        waitSeconds: expect.any(Number),
        error: "Old.",
        errorType: "OLD",
        totalItems: 5,
      },
      ...{
        completedItems: 1,
        failedItems: 1,
        cancelledItems: 1,
        completedAt: null,
        cancelRequestedAt: expect.any(Date),
      },
      ...{ startedAt: expect.any(Date), createdAt: expect.any(Date) },
    });
    expect(Math.abs((row?.waitSeconds ?? 0) - 59)).toBeLessThan(3);
    const find = (userId: string) => sql.selectChunkedJob(PUBLISHING, { id: job.id, userId });
    expect([await find(randomUUID()), await find(job.owner.id)]).toMatchObject([undefined, { facts: null }]);
    await query("UPDATE projects SET deleted_at = now() WHERE id = $1", [job.owner.projectId]);
    expect(await find(job.owner.id)).toBeUndefined();
  });

  it("is the newest of its type in the project", async () => {
    const { owner, id } = (await newChunks([], { ...OVER, not_before: inMinutes(-1) })).job;
    await newPublishingJob(owner, { ...OVER, created_at: inMinutes(-60) });
    await newJobOf(owner, { ...OVER, created_at: inMinutes(60) });
    const latest = () => sql.selectChunkedJob(PUBLISHING, { projectId: owner.projectId, userId: owner.id });
    expect(await latest()).toMatchObject({ id, waitSeconds: 0 });
    const newer = await newPublishingJob(owner, { created_at: inMinutes(1) });
    expect(await latest()).toMatchObject({ id: newer.id, waitSeconds: 0 });
  });

  it("has its items in order, after a position, in a status, so many", async () => {
    const { job, items } = await newChunks([...EACH, FAILED]);
    const positions = async (filter: Parameters<typeof sql.selectChunkItems>[2]) =>
      (await sql.selectChunkItems(PUBLISHING, job.id, filter)).map(({ position }) => position).join();
    expect(await positions({ limit: 9 })).toBe("0,1,2,3,4,5");
    expect(await positions({ limit: 2, after: 1 })).toBe("2,3");
    expect(await positions({ limit: 9, status: "failed" })).toBe("3,5");
    const [item] = await sql.selectChunkItems(PUBLISHING, job.id, { limit: 1, after: 2 });
    const said = { status: "failed", error: "Old.", result: OLD_RESULT };
    expect(item).toEqual({ position: 3, contentId: items[3]?.piece, ...said });
  });
});

const open = (owner: { id: string; projectId: number }, db: Parameters<typeof sql.openChunkedJob>[0] = prisma) =>
  sql.openChunkedJob(db, PUBLISHING, { userId: owner.id, projectId: owner.projectId, input: { verb: "update_all" } });

describe("opening a job", () => {
  it("creates the only one of its project that is live", async () => {
    const chunked = await newChunks(EACH, OVER);
    const { owner } = chunked.job;
    const { answer, changed } = await changesOf(chunked, () => open(owner));
    expect(answer).toEqual({ id: expect.any(String), input: { verb: "update_all" }, isCancelled: false, isNew: true });
    expect(changed).toEqual({ made: 1 });
    const row = await sql.selectChunkedJob(PUBLISHING, { id: answer?.id ?? "", userId: owner.id });
    expect(row).toMatchObject({ projectId: owner.projectId, status: "pending", totalItems: 0 });
    expect(await changesBy(() => open(owner))).toEqual({ answer: { ...answer, isNew: false }, changed: NOTHING });
    const others = await query<{ id: string; projectId: number }>(
      `SELECT DISTINCT user_id AS id, project_id AS "projectId" FROM processing_jobs WHERE project_id <> $1`,
      [owner.projectId],
    );
    for (const other of others) expect(await open(other)).toMatchObject({ isNew: true });
  });

  it("finds the live one of its user as it is", async () => {
    const { job } = await newChunks(EACH, CANCELLING);
    expect(await open(job.owner)).toEqual({
      id: job.id,
      input: { verb: "publish_all" },
      isCancelled: true,
      isNew: false,
    });
  });

  it("locks its live items first, then the job, and no others", async () => {
    const { job } = await newChunks(EACH);
    const free = async (table: string) =>
      (await query<{ job_id: string }>(`SELECT * FROM ${table} WHERE completed_at IS NULL FOR UPDATE SKIP LOCKED`))
        .length;
    const held = await holdTransaction("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [job.id]);
    const opened = transaction(async (db) => [await open(job.owner, db), await free("processing_jobs")]);
    await waitForLock();
    expect([await free("publishing_queue"), await free("processing_queue"), await free("processing_jobs")]).toEqual([
      4, 6, 3,
    ]);
    await held.releaseLock();
    expect(await opened).toMatchObject([{ id: job.id }, 3]);
  });

  it("says so if the live one ends at that moment", async () => {
    const { job, items } = await newChunks([PENDING]);
    const held = await holdTransaction("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [items[0]?.id]);
    const opened = open(job.owner);
    await waitForLock();
    await held.also("UPDATE processing_jobs SET status = 'failed', completed_at = now() WHERE id = $1", [job.id]);
    await held.releaseLock();
    expect(await opened).toBeUndefined();
  });
});

const IS_DONE = Prisma.sql`(q.status::text = 'completed' AND j.status = 'processing')`;
const NOT_DONE = Prisma.sql`false`;

describe("adding pieces to a job", () => {
  const input = { title: "New", categoryId: "7" };
  const add = ({ job, items }: Chunked, isDone: Prisma.Sql, others: string[] = []) => {
    const ids = [...others.slice(0, 1), ...items.map(({ piece }) => piece), ...others.slice(1)];
    const asked = { type: PUBLISHING, items: ids.map((contentId) => ({ contentId, input })), isDone } as const;
    return sql.addItems(prisma, job.id, asked);
  };
  const renewed = { ...OLD_RESULT, ...input };
  const live = {
    0: { result: renewed, updated_at: 0 },
    1: { result: { ...renewed, isAskedAgain: true }, updated_at: 0 },
  };
  const gone = { 3: "gone", 4: "gone" };
  const uncounted = { failed_items: 0, cancelled_items: 0, ...MOVED };

  it("adds new ones behind the others, replaces ended ones in their place, and keeps what is done", async () => {
    const chunked = await newChunks(EACH);
    const others = [randomUUID(), randomUUID()];
    const { changed } = await changesOf(chunked, () => add(chunked, IS_DONE, others));
    expect(changed).toEqual({ ...live, ...gone, made: 4, job: { ...uncounted, total_items: 7 } });
    const items = await sql.selectChunkItems(PUBLISHING, chunked.job.id, { limit: 9, after: 2 });
    const pieces = [chunked.items[3]?.piece, chunked.items[4]?.piece, ...others];
    expect(items.map(({ contentId }) => contentId)).toEqual(pieces);
    const position = expect.any(Number);
    const waits = { status: "pending", error: null, position };
    expect(items[0]).toEqual({ ...waits, contentId: pieces[0], result: renewed });
    expect(items[3]).toEqual({ ...waits, contentId: pieces[3], result: input });
    const [rows] = await query(
      "SELECT count(DISTINCT position)::int, max(retry_count) FROM publishing_queue WHERE job_id = $1",
      [chunked.job.id],
    );
    expect(rows).toEqual({ count: 7, max: 1 });
  });

  it("replaces what has completed but is not done any more, and what failed in any case", async () => {
    const [undone, done] = [await newChunks(EACH), await newChunks(EACH)];
    const job = { ...uncounted, completed_items: 0 };
    const changed = async (chunked: Chunked, isDone: Prisma.Sql) =>
      (await changesOf(chunked, () => add(chunked, isDone))).changed;
    expect(await changed(undone, NOT_DONE)).toEqual({ ...live, ...gone, 2: "gone", made: 3, job });
    expect(await changed(done, Prisma.sql`true`)).toEqual({ ...live, ...gone, made: 2, job: uncounted });
  });

  it("fills a new job from the first position on, for its user", async () => {
    const owner = await newOwner();
    const opened = await open(owner);
    const asked = [randomUUID(), randomUUID()].map((contentId) => ({ contentId, input }));
    await sql.addItems(prisma, opened?.id ?? "", { type: PUBLISHING, items: asked, isDone: NOT_DONE });
    const rows = await query(
      `SELECT position, content_piece_id AS "contentId", user_id FROM publishing_queue ORDER BY position`,
    );
    expect(rows).toEqual(asked.map(({ contentId }, position) => ({ position, contentId, user_id: owner.id })));
  });
});

describe("claiming", () => {
  it("takes the next pending items in order, for this call alone", async () => {
    const chunked = await newChunks([FAILED, { ...AGAIN, ...PENDING }, CLAIMED, PENDING, PENDING], {
      ...PENDING,
      started_at: null,
    });
    const { held, items } = chunked;
    const { answer, changed } = await changesOf(chunked, () => sql.claimChunk(held, 2));
    expect(answer).toMatchObject([1, 3].map((place) => ({ contentId: items[place]?.piece, result: OLD_RESULT })));
    expect(answer[0]?.result).toEqual(OLD_RESULT);
    const claimed = { status: "processing", claim_token: held.token, claimed_at: 0, started_at: 0, updated_at: 0 };
    const job = { status: "processing", started_at: 0, ...MOVED };
    expect(changed).toEqual({ 1: { ...claimed, result: OLD_RESULT }, 3: claimed, job });
  });

  it("keeps when job and item were begun, and skips what another call claims at that moment", async () => {
    const chunked = await newChunks([PENDING, { ...PENDING, started_at: inMinutes(-30) }]);
    const other = await holdTransaction("SELECT 1 FROM processing_queue WHERE id = $1 FOR UPDATE", [
      chunked.items[0]?.id,
    ]);
    const { changed } = await changesOf(chunked, () => sql.claimChunk(chunked.held, 9));
    await other.releaseLock();
    const claimed = { status: "processing", claim_token: chunked.held.token, claimed_at: 0, updated_at: 0 };
    expect(changed).toEqual({ 1: claimed, job: MOVED });
  });

  it.each([CANCELLING, { status: "failed", completed_at: inMinutes(-9) }])(
    "takes nothing of a job that has %j",
    async (job) => {
      const { held } = await newChunks(EACH, job);
      expect(await changesBy(() => sql.claimChunk(held, 9))).toEqual({ answer: [], changed: NOTHING });
    },
  );
});

/** Saves each item as done, or those at `failed` as failed. */
function save({ held, items }: Chunked, failed: number[] = [], token = held.token): Promise<boolean> {
  const results = items.map(({ piece }, place) => ({
    ...{ contentId: piece, isOk: !failed.includes(place), result: { type: null, wpPostId: "7" } },
    error: failed.includes(place) ? "No." : "A note.",
  }));
  return sql.saveChunk({ ...held, token }, results);
}

describe("saving results", () => {
  const result = { ...OLD_RESULT, type: null, wpPostId: "7" };
  const [ok, bad] = [
    { isAskedAgain: true, ...result },
    { ...FREED, result },
  ];
  const done = { ...bad, ...ENDED, status: "completed", error: "A note." };
  const failed = { ...done, status: "failed", error: "No." };
  const ITEMS = [CLAIMED, CLAIMED, AGAIN, AGAIN, LOST, { ...CLAIMED, claim_token: null }, ...EACH];

  it.each<[string, Columns, boolean, Columns, Columns]>([
    ["lets what was asked for again wait", {}, false, { status: "pending" }, {}],
    [
      "cancels what was asked for again with its job",
      CANCELLING,
      true,
      { status: "cancelled", ...ENDED },
      { cancelled_items: 3 },
    ],
  ])("ends what this call holds, and %s", async (_what, columns, isCancelled, again, counted) => {
    const chunked = await newChunks(ITEMS, columns);
    const { answer, changed } = await changesOf(chunked, () => save(chunked, [1, 3]));
    expect(answer).toBe(isCancelled);
    const asked = { ...FREED, error: null, result: ok, ...again };
    const job = { completed_items: 3, failed_items: 2, ...counted, ...MOVED };
    expect(changed).toEqual({ 0: done, 1: failed, 2: asked, 3: asked, 7: done, job });
  });

  it.each<[string, Columns[], Columns, number[], string]>([
    ["completed", [CLAIMED, FAILED], {}, [], "completed"],
    ["completed with an earlier success", [CLAIMED, DONE, CANCELLED], {}, [0], "completed"],
    ["failed", [CLAIMED, CLAIMED, FAILED, CANCELLED], {}, [0, 1], "failed"],
    ["cancelled with what it has cancelled", [CLAIMED, DONE, CANCELLED], CANCELLING, [], "cancelled"],
    ["completed if nothing was left to cancel", [CLAIMED, FAILED], CANCELLING, [], "completed"],
    ["processing while an item is at work elsewhere", [CLAIMED, LOST], {}, [], "processing"],
  ])("leaves the job %s", async (_what, items, columns, bad, status) => {
    const chunked = await newChunks(items, columns);
    await save(chunked, bad);
    const isOver = status !== "processing";
    expect(await read(chunked)).toMatchObject({ status, completedAt: isOver ? expect.any(Date) : null });
  });

  it("changes nothing with another token, and tells the run of a deleted project to stop", async () => {
    const chunked = await newChunks(EACH);
    expect(await changesBy(() => save(chunked, [], randomUUID()))).toEqual({ answer: false, changed: NOTHING });
    await query("DELETE FROM processing_jobs WHERE id = $1", [chunked.job.id]);
    expect(await save(chunked)).toBe(true);
  });
});

describe("giving back", () => {
  const SPENT = { ...LOST, retry_count: 3 };
  const ITEMS = [...EACH, LOST, SPENT, { ...CLAIMED, claim_token: null }];
  const waits = { ...FREED, status: "pending", error: null };
  const ended = { ...FREED, ...ENDED, status: "cancelled", error: null };
  const { claim_token: _, ...unclaimed } = waits;
  const { claim_token: __, ...unclaimedEnded } = ended;
  const lost = { 5: { ...waits, retry_count: 2 }, 7: { ...unclaimed, retry_count: 2 } };
  const failed = { ...FREED, ...ENDED, status: "failed", error: STOPPED };

  it.each<[string, Columns, "claimed" | "lost", Columns]>([
    ["lets what it claimed wait, uncounted", {}, "claimed", { 1: waits }],
    [
      "cancels what it claimed with its job",
      CANCELLING,
      "claimed",
      { 1: ended, job: { cancelled_items: 2, ...MOVED } },
    ],
    [
      "counts what another call lost, and fails what is spent",
      {},
      "lost",
      { ...lost, 6: failed, job: { failed_items: 2, ...MOVED } },
    ],
    [
      "cancels what was lost with its job",
      CANCELLING,
      "lost",
      { 5: ended, 6: ended, 7: unclaimedEnded, job: { cancelled_items: 4, ...MOVED } },
    ],
  ])("%s", async (_what, columns, which, change) => {
    const chunked = await newChunks(ITEMS, columns);
    const give = () => (which === "lost" ? sql.giveBackLost(chunked.held, STOPPED) : sql.giveBackChunk(chunked.held));
    expect((await changesOf(chunked, give)).changed).toEqual({ job: MOVED, ...change });
  });
});

describe("a site that cannot be reached", () => {
  it("makes a live job wait", async () => {
    const chunked = await newChunks(EACH, { tries: 1 });
    const note = ({ job }: Chunked) => sql.noteUnreachable(job.id, { ...DOWN, waitSeconds: 600 });
    const noted = { tries: 2, error: DOWN.error, error_type: DOWN.errorType, not_before: 10, ...MOVED };
    expect((await changesOf(chunked, () => note(chunked))).changed).toEqual({ job: noted });
    const over = await newChunks(EACH, OVER);
    expect((await changesOf(over, () => note(over))).changed).toEqual(NOTHING);
  });

  it("fails what is pending, which ends the job", async () => {
    const chunked = await newChunks([PENDING, FAILED, CANCELLED]);
    const reason = { error: DOWN.error, result: { type: DOWN.errorType } };
    const { changed } = await changesOf(chunked, () => sql.failPending(chunked.held, reason));
    const failed = { status: "failed", error: DOWN.error, result: { ...OLD_RESULT, type: DOWN.errorType }, ...ENDED };
    expect(changed).toEqual({ 0: failed, job: { status: "failed", failed_items: 2, ...MOVED, completed_at: 0 } });
    const live = await newChunks(EACH);
    expect(Object.keys((await changesOf(live, () => sql.failPending(live.held, reason))).changed)).toEqual([
      "0",
      "job",
    ]);
  });

  it.each([
    { tries: 2, error: null },
    { tries: 0, error: "Down." },
  ])("is forgotten once it is reached (%j)", async (columns) => {
    const chunked = await newChunks(EACH, { ...columns, error_type: "OLD", not_before: inMinutes(-1) });
    const reached = async () => (await changesOf(chunked, () => sql.noteReached(chunked.job.id))).changed;
    const before = columns.tries > 0 ? { tries: 0 } : { error: null };
    expect([await reached(), await reached()]).toEqual([
      { job: { ...before, error_type: null, not_before: null } },
      NOTHING,
    ]);
  });
});

describe("jobs that nobody works on", () => {
  const lease = ({ job, held }: Chunked, minutes: number) =>
    query("INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, $3, $4)", [
      ...[job.id, job.owner.id, held.token, inMinutes(minutes)],
    ]);

  it.each<[string, Columns, number | null, boolean]>([
    ["are live and a while old", { created_at: inMinutes(-11) }, null, true],
    ["have just begun", { created_at: inMinutes(-9) }, null, false],
    ["have ended", { ...OVER, created_at: inMinutes(-11) }, null, false],
    ["wait for their site", { created_at: inMinutes(-11), not_before: inMinutes(1) }, null, false],
    ["have waited for it", { created_at: inMinutes(-11), not_before: inMinutes(-1) }, null, true],
    ["are worked on", { created_at: inMinutes(-11) }, 1, false],
    ["were worked on", { created_at: inMinutes(-11) }, -1, true],
  ])("%s: %#", async (_what, columns, minutes, isIdle) => {
    const chunked = await newChunks([], columns);
    if (minutes !== null) await lease(chunked, minutes);
    const { id, owner } = chunked.job;
    const idle = await sql.selectIdleJobs(PUBLISHING, 600, 9);
    expect(idle.filter((job) => job.id === id)).toEqual(isIdle ? [{ id, userId: owner.id }] : []);
    expect(idle.length).toBeLessThan(4);
    expect((await sql.selectIdleJobs(PUBLISHING, 600, 1)).length).toBeLessThan(2);
  });
});

describe("commands", () => {
  it("cancel what waits of the owner's job, and leave what its run has claimed", async () => {
    const chunked = await newChunks(EACH);
    const stranger = { ...actorOf(chunked), userId: randomUUID() };
    expect((await changesOf(chunked, () => cancelOwned(stranger, chunked.job.id))).changed).toEqual(NOTHING);
    const { changed } = await changesOf(chunked, () => cancelOwned(actorOf(chunked), chunked.job.id));
    const job = { cancelled_items: 2, cancel_requested_at: 0, ...MOVED };
    expect(changed).toEqual({ 0: { status: "cancelled", ...ENDED }, job });
  });

  it("retry what has failed, unless another job of the project is live", async () => {
    const waited = { tries: 9, error: "Old.", error_type: "OLD", not_before: inMinutes(-9) };
    const chunked = await newChunks([DONE, FAILED, CANCELLED], { ...OVER, ...waited });
    const retry = (userId = chunked.job.owner.id) =>
      retryOwned({ ...actorOf(chunked), userId }, chunked.job.id, () => new AppError("ALREADY_RUNNING"));
    expect(await changesOf(chunked, () => retry(randomUUID()))).toEqual({ answer: undefined, changed: NOTHING });
    const live = await open(chunked.job.owner);
    await expect(retry()).rejects.toMatchObject({ type: "ALREADY_RUNNING" });
    await query("DELETE FROM processing_jobs WHERE id = $1", [live?.id]);
    const { answer, changed } = await changesOf(chunked, retry);
    const again = { status: "pending", retry_count: 0, error: null, completed_at: null, updated_at: 0 };
    const fresh = {
      tries: 0,
      error: null,
      error_type: null,
      not_before: null,
      cancel_requested_at: null,
      failed_items: 0,
    };
    const job = { status: "processing", completed_at: null, ...fresh, ...MOVED };
    expect([answer, changed]).toEqual([1, { 1: again, job }]);
  });

  it("cancel what waits of a deleted piece, and leave what its job's run has claimed", async () => {
    const chunked = await newChunks(EACH);
    const pieces = chunked.items.map(({ piece }) => piece);
    await query("UPDATE content_pieces SET deleted_at = now() WHERE id = ANY($1)", [pieces]);
    await query("DELETE FROM outline_processing_queue");
    const cancel = () => cancelItemsOfDeleted(prisma, chunked.job.owner.id);
    const { changed } = await changesOf(chunked, cancel);
    expect(changed).toEqual({ 0: { status: "cancelled", ...ENDED }, job: { cancelled_items: 2, ...MOVED } });
  });
});

describe("the items of publishing jobs", () => {
  const SENT = { sent_at: inMinutes(-60), run_id: "run-1", topic_id: null };
  const waitingItems = async () => {
    const job = await newPublishingJob(await newOwner(), CANCELLING);
    await newItemOf(job, { ...SENT, sent_at: null, content_piece_id: randomUUID() });
    return newItemOf(job, SENT);
  };

  it.each<[string, (item: Item) => Promise<unknown>, unknown]>([
    ["sent", ({ job }) => takeUnsent({ jobId: job.id }, 0, 9), []],
    ["probed", () => takeProbes(null, { quietSeconds: 1, hasForgotten: true }, 9), []],
    ["cancelled as orphans", () => cancelOrphans(null), 0],
    ["failed by a limit", ({ job }) => failDue(job.owner.id, "Limited."), undefined],
    ["found for a run", ({ id }) => findItemOfRun("run-1", id), undefined],
    ["counted as waiting", () => selectQueueDepth(), { waiting: 0, processing: 0, oldestWaitSeconds: 0 }],
    ["in the way of a text", ({ piece }) => selectFree(piece), [{ isFree: true }]],
  ])("are not %s", async (_what, act, expected) => {
    const item = await waitingItems();
    expect(await changesBy(() => act(item))).toEqual({ answer: expected, changed: NOTHING });
  });

  const selectFree = (piece: string) =>
    prisma.$queryRaw(Prisma.sql`SELECT ${noLiveItemSql(Prisma.sql`${piece}::uuid`)} AS "isFree"`);

  it("do not count when a limit spreads the others", async () => {
    const { owner } = (await waitingItems()).job;
    expect(await noteLimit({ userId: owner.id, begunAt: new Date().toISOString(), toldSeconds: 60 })).toMatchObject({
      liveItems: 0,
    });
    const row = await claimItem(runOf(await newItemOf(await newJobOf(owner))), () => Prisma.sql`NULL`);
    expect(row?.seen.liveItems).toBe(1);
  });
});

type Work = (chunks: Chunks) => Promise<RunWait | undefined>;
const run = ({ job }: Pick<Chunked, "job">, work: Work, options?: { waits: boolean }) =>
  workOnJob({ type: PUBLISHING, size: 2, work: (_job, chunks) => work(chunks) }, job.id, options);
const resultsOf = (claims: sql.ChunkedClaim[]) =>
  claims.map(({ contentId }) => ({ contentId, isOk: true, error: null, result: {} }));
const saveNext: Work = async ({ claim, save }) => void (await save(resultsOf(await claim())));
const never: Work = () => Promise.reject(new Error("It does not work on this job."));
const leases = () => query("SELECT kind, subject FROM leases");

describe("working on a job", () => {
  it.each(["completed", "failed", "cancelled"])("ends as the job has: %s", async (status) => {
    expect(await run(await newChunks(EACH, { ...OVER, status }), never)).toEqual({ next: "end", as: status });
  });

  it("ends as cancelled without a job", async () => {
    const gone = { job: { ...(await newChunks([])).job, id: randomUUID() } };
    expect(await run(gone, never)).toEqual({ next: "end", as: "cancelled" });
  });

  it("waits as the job does, unless it was cancelled or is told not to", async () => {
    const waits = { not_before: inMinutes(2) };
    const [waiting, cancelled] = [
      await newChunks(EACH, waits),
      await newChunks([CLAIMED], { ...waits, ...CANCELLING }),
    ];
    expect(await run(waiting, never)).toEqual({ next: "wait", waitSeconds: expect.closeTo(120, -1) });
    expect(await run(waiting, saveNext, { waits: false })).toEqual({ next: "end", as: "completed" });
    expect(await run(cancelled, saveNext)).toEqual({ next: "end", as: "cancelled" });
  });

  it("works on it chunk by chunk under its lease, until it has ended", async () => {
    const chunked = await newChunks([PENDING, PENDING, PENDING]);
    const seen: unknown[] = [];
    const work: Work = async (chunks) => {
      seen.push(await statuses(chunked), await leases());
      await saveNext(chunks);
      return undefined;
    };
    expect([await run(chunked, work), await run(chunked, work)]).toEqual([
      { next: "more" },
      { next: "end", as: "completed" },
    ]);
    const lease = [{ kind: "bulk", subject: chunked.job.id }];
    expect(seen).toEqual(["pending,pending,pending", lease, "completed,completed,pending", lease]);
    expect(await leases()).toEqual([]);
  });

  it.each<[string, (claims: sql.ChunkedClaim[]) => unknown, unknown]>([
    ["stops", () => undefined, { next: "more" }],
    ["fails", () => Promise.reject(new Error("A fault.")), new Error("A fault.")],
  ])("gives back what it has claimed and the lease if it %s", async (_how, end, outcome) => {
    const chunked = await newChunks([PENDING, PENDING]);
    const ended = run(chunked, async ({ claim }) => void (await end(await claim()))).catch((error: unknown) => error);
    expect([await ended, await statuses(chunked), await leases()]).toEqual([outcome, "pending,pending", []]);
  });

  it("makes the job wait, fails what is pending, and forgets the failure once the site is reached", async () => {
    const chunked = await newChunks([PENDING, FAILED]);
    expect(await run(chunked, ({ wait }) => wait(600, DOWN))).toEqual({ next: "wait", waitSeconds: 600 });
    expect(await read(chunked)).toMatchObject({ ...DOWN, tries: 1, waitSeconds: expect.closeTo(600, -1) });
    expect(await run(chunked, async ({ reached }) => void (await reached()), { waits: false })).toEqual({
      next: "more",
    });
    expect(await read(chunked)).toMatchObject({ error: null, tries: 0 });
    expect(await run(chunked, async ({ fail }) => void (await fail(DOWN)))).toEqual({ next: "end", as: "failed" });
    expect(await read(chunked)).toMatchObject({ ...DOWN, tries: 1, waitSeconds: 0, status: "failed" });
    const [item] = await sql.selectChunkItems(PUBLISHING, chunked.job.id, { limit: 1 });
    expect(item).toMatchObject({ error: DOWN.error, result: { ...OLD_RESULT, type: DOWN.errorType } });
  });
});

describe("two calls at once", () => {
  const holdJob = ({ job }: Chunked) =>
    holdTransaction("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [job.id]);
  /** Runs both in this order: the second one waits for the first. */
  async function inOrder<A, B>(chunked: Chunked, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    const held = await holdJob(chunked);
    const one = first();
    await waitForLock();
    const other = second();
    await waitForLock(undefined, 2);
    await held.releaseLock();
    return Promise.all([one, other]);
  }

  it("does a piece again that is asked for while its result is being saved", async () => {
    const chunked = await newChunks([CLAIMED, CLAIMED]);
    const join = () =>
      transaction(async (db) => {
        const opened = await open(chunked.job.owner, db);
        await sql.addItems(db, opened?.id ?? "", {
          ...{ type: PUBLISHING, isDone: NOT_DONE },
          items: [{ contentId: chunked.items[0]?.piece ?? "", input: { categoryId: "8" } }],
        });
      });
    await inOrder(chunked, join, () => save(chunked));
    expect([await statuses(chunked), await read(chunked)]).toMatchObject([
      "pending,completed",
      { totalItems: 2, completedItems: 1 },
    ]);
    const [again] = await sql.claimChunk(chunked.held, 9);
    expect(again?.result).toEqual({ ...OLD_RESULT, type: null, wpPostId: "7", categoryId: "8" });
  });

  it("opens another job if the last result of the live one is being saved", async () => {
    const chunked = await newChunks([CLAIMED]);
    const [, opened] = await inOrder(
      chunked,
      () => save(chunked),
      () => open(chunked.job.owner),
    );
    expect([opened, await open(chunked.job.owner)]).toMatchObject([undefined, { isNew: true }]);
  });

  it.each(["cancelling", "saving"])("cancels what was asked for again, with %s first", async (first) => {
    const chunked = await newChunks([AGAIN]);
    const acts = [() => cancelOwned(actorOf(chunked), chunked.job.id), () => save(chunked)] as const;
    await (first === "saving" ? inOrder(chunked, acts[1], acts[0]) : inOrder(chunked, ...acts));
    expect([await statuses(chunked), await read(chunked)]).toMatchObject([
      "cancelled",
      { status: "cancelled", cancelledItems: 1 },
    ]);
  });

  it("lets one run work, and the other come back", async () => {
    const chunked = await newChunks([PENDING]);
    const outcomes: unknown[] = [];
    const first = await run(chunked, async (chunks) => {
      outcomes.push(await run(chunked, never));
      return saveNext(chunks);
    });
    expect([...outcomes, first]).toEqual([
      { next: "wait", waitSeconds: 5 },
      { next: "end", as: "completed" },
    ]);
  });

  it("repeats what a process claimed that died, whose late result changes nothing, until its attempts are used up", async () => {
    const chunked = await newChunks([{ ...PENDING, retry_count: 0 }, CANCELLED]);
    const attempts: unknown[] = [];
    for (;;) {
      const token = randomUUID();
      const died = await sql.claimChunk({ ...chunked.held, token }, 9);
      if (died.length === 0) break;
      const outcome = await run(chunked, async () => {
        expect((await changesBy(() => save(chunked, [], token))).changed).toEqual(NOTHING);
        return undefined;
      });
      attempts.push(outcome);
    }
    expect(attempts).toEqual([...Array(3).fill({ next: "more" }), { next: "end", as: "failed" }]);
    const [item] = await sql.selectChunkItems(PUBLISHING, chunked.job.id, { limit: 1 });
    expect(item).toMatchObject({ status: "failed", error: STOPPED });
  });
});
