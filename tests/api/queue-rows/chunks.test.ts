import { randomUUID } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import * as sql from "@/lib/features/work/sql/chunks";
import { STOPPED } from "@/lib/features/work/writes/run";
import {
  AGAIN,
  CANCELLED,
  CANCELLING,
  type Chunked,
  CLAIMED,
  changesOf,
  EACH,
  ENDED,
  FAILED,
  MOVED,
  newChunks,
  newPublishingJob,
  OLD_RESULT,
  OVER,
  open,
  PENDING,
  PUBLISHING,
  save,
  statuses,
} from "@/tests/support/chunk-rows";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newProject } from "@/tests/support/factories";
import {
  type Columns,
  changesBy,
  emptyQueues,
  inMinutes,
  NOTHING,
  newJobOf,
  newOwner,
} from "@/tests/support/queue-rows";

// Jobs with one run each: what each statement changes, and that it changes nothing else.

emptyQueues();

/** At work for a call that is not the present one. */
const LOST = { ...CLAIMED, claim_token: randomUUID() };
const FREED = { claim_token: null, updated_at: 0 };

describe("a job's row", () => {
  it("is read with its items' facts, by its owner or its own run", async () => {
    const waits = { tries: 3, error: "Old.", error_type: "OLD", not_before: inMinutes(1) };
    const { job } = await newChunks(EACH, { ...CANCELLING, ...waits });
    const facts = Prisma.sql`count(q.*)::int`;
    const row = await sql.selectChunkedJob(PUBLISHING, { id: job.id, userId: null }, facts);
    expect(row).toEqual({
      ...{ id: job.id, userId: job.owner.id, projectId: job.owner.projectId, projectTitle: "Beds" },
      ...{ input: { verb: "publish_all" }, facts: 5 },
      ...{ status: "processing", tries: 3, waitSeconds: expect.closeTo(59, -1), error: "Old.", errorType: "OLD" },
      ...{ totalItems: 5, completedItems: 1, failedItems: 1, cancelledItems: 1, completedAt: null },
      ...{ cancelRequestedAt: expect.any(Date), startedAt: expect.any(Date), createdAt: expect.any(Date) },
    });
    const find = (userId: string) => sql.selectChunkedJob(PUBLISHING, { id: job.id, userId });
    expect([await find(randomUUID()), await find(job.owner.id)]).toMatchObject([undefined, { facts: null }]);
    await query("UPDATE projects SET deleted_at = now() WHERE id = $1", [job.owner.projectId]);
    expect(await find(job.owner.id)).toBeUndefined();
  });

  it("is the newest of its type in the project", async () => {
    const { owner, id } = (await newChunks([], { ...OVER, not_before: inMinutes(-1) })).job;
    await newPublishingJob(owner, { ...OVER, created_at: inMinutes(-60) });
    await newJobOf(owner, { ...OVER, created_at: inMinutes(60) });
    await newPublishingJob({ ...owner, projectId: await newProject(owner) }, { created_at: inMinutes(60) });
    const latest = () => sql.selectChunkedJob(PUBLISHING, { projectId: owner.projectId, userId: owner.id });
    expect(await latest()).toMatchObject({ id, waitSeconds: 0 });
    const newer = await newPublishingJob(owner, { created_at: inMinutes(1) });
    expect(await latest()).toMatchObject({ id: newer.id, waitSeconds: 0 });
  });

  it("is listed while it is among the newest twenty of all the user's projects", async () => {
    const owner = await newOwner();
    const made: string[] = [];
    for (let n = 0; n < 21; n++) {
      const project = n % 2 ? owner : { ...owner, projectId: await newProject(owner) };
      made.unshift((await newPublishingJob(project, { ...OVER, created_at: inMinutes(n) })).id);
    }
    await newPublishingJob(await newOwner(), OVER);
    const { body } = await owner.caller.get<{ id: string }[]>("/api/publishing-jobs");
    expect(body.map(({ id }) => id)).toEqual(made.slice(0, 20));
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
    const live = { id: job.id, input: { verb: "publish_all" } };
    expect(await open(job.owner)).toEqual({ ...live, isCancelled: true, isNew: false });
    expect(await open({ ...job.owner, id: randomUUID() })).toBeUndefined();
  });

  it("locks its live items first, then the job, and no others", async () => {
    const { job } = await newChunks(EACH);
    const free = async (table: string) => (await query(`SELECT 1 FROM ${table} FOR UPDATE SKIP LOCKED`)).length;
    const held = await holdTransaction("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [job.id]);
    const opened = transaction(async (db) => [await open(job.owner, db), await free("processing_jobs")]);
    await waitForLock();
    expect([await free("publishing_queue"), await free("processing_queue")]).toEqual([13, 18]);
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

describe("adding pieces to a job", () => {
  const input = { title: "New", categoryId: "7" };
  const add = ({ job, items }: Chunked, isDone: Prisma.Sql, others: string[] = []) => {
    const ids = [...others.slice(0, 1), ...items.map(({ piece }) => piece), ...others.slice(1)];
    const asked = { type: PUBLISHING, items: ids.map((contentId) => ({ contentId, input })), isDone } as const;
    return transaction(async (db) => {
      // Without an index rows come as they were inserted.
      await db.$executeRaw`SELECT set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
      await sql.addItems(db, job.id, asked);
    });
  };
  const renewed = { ...OLD_RESULT, ...input };
  const again = { result: { ...renewed, isAskedAgain: true }, updated_at: 0 };
  const live = { 0: { result: renewed, updated_at: 0 }, 1: again };
  const gone = { 3: "gone", 4: "gone" };
  const uncounted = { failed_items: 0, cancelled_items: 0, ...MOVED };

  it("adds new ones behind the others, replaces ended ones in their place, and keeps what is done", async () => {
    const chunked = await newChunks([...EACH.slice(0, 4), { ...CANCELLED, position: 8 }]);
    const others = [randomUUID(), randomUUID()];
    const { changed } = await changesOf(chunked, () => add(chunked, IS_DONE, others));
    expect(changed).toEqual({ ...live, ...gone, made: 4, job: { ...uncounted, total_items: 7 } });
    const items = await sql.selectChunkItems(PUBLISHING, chunked.job.id, { limit: 9, after: 2 });
    const pieces = [chunked.items[3]?.piece, chunked.items[4]?.piece, ...others];
    expect(items.map(({ contentId }) => contentId)).toEqual(pieces);
    const waits = { status: "pending", error: null };
    expect([items[0], items[3]]).toMatchObject([waits, waits]);
    expect([items[0]?.result, items[3]?.result]).toEqual([renewed, input]);
    expect(items.map(({ position }) => position)).toEqual([3, 8, 9, 10]);
  });

  it("replaces what has completed but is not done any more, and what failed in any case", async () => {
    const [undone, done] = [await newChunks(EACH), await newChunks(EACH)];
    const job = { ...uncounted, completed_items: 0 };
    const changed = async (chunked: Chunked, isDone: Prisma.Sql) =>
      (await changesOf(chunked, () => add(chunked, isDone))).changed;
    expect(await changed(undone, Prisma.sql`false`)).toEqual({ ...live, ...gone, 2: "gone", made: 3, job });
    expect(await changed(done, Prisma.sql`true`)).toEqual({ ...live, ...gone, made: 2, job: uncounted });
  });

  it("fills a new job from the first position on, for its user", async () => {
    await newChunks(EACH);
    const owner = await newOwner();
    const opened = await open(owner);
    const asked = [randomUUID(), randomUUID()].map((contentId) => ({ contentId, input }));
    await sql.addItems(prisma, opened?.id ?? "", { type: PUBLISHING, items: asked, isDone: Prisma.sql`false` });
    const select =
      "SELECT position, content_piece_id, user_id FROM publishing_queue WHERE job_id = $1 ORDER BY position";
    const rows = await query(select, [opened?.id]);
    const added = asked.map(({ contentId }, position) => ({
      position,
      content_piece_id: contentId,
      user_id: owner.id,
    }));
    expect(rows).toEqual(added);
  });
});

describe("claiming", () => {
  it("takes the next pending items in order, for this call alone", async () => {
    const items = [FAILED, { ...AGAIN, ...PENDING }, CLAIMED, PENDING, PENDING];
    const chunked = await newChunks(items, { ...PENDING, started_at: null });
    const { held } = chunked;
    const { answer, changed } = await changesOf(chunked, () => sql.claimChunk(held, 2));
    expect(answer.map(({ contentId }) => contentId)).toEqual([1, 3].map((place) => chunked.items[place]?.piece));
    expect(answer.map(({ result }) => result)).toEqual([OLD_RESULT, OLD_RESULT]);
    const claimed = { status: "processing", claim_token: held.token, claimed_at: 0, started_at: 0, updated_at: 0 };
    const job = { status: "processing", started_at: 0, ...MOVED };
    expect(changed).toEqual({ 1: { ...claimed, result: OLD_RESULT }, 3: claimed, job });
  });

  it("keeps when job and item were begun, and skips what another call claims at that moment", async () => {
    const chunked = await newChunks([PENDING, { ...PENDING, started_at: inMinutes(-30) }]);
    const lock = "SELECT 1 FROM publishing_queue WHERE id = $1 FOR UPDATE";
    const other = await holdTransaction(lock, [chunked.items[0]?.id]);
    const { changed } = await changesOf(chunked, () => sql.claimChunk(chunked.held, 9));
    await other.releaseLock();
    const claimed = { status: "processing", claim_token: chunked.held.token, claimed_at: 0, updated_at: 0 };
    expect(changed).toEqual({ 1: claimed, job: MOVED });
  });

  it("takes nothing of a job that was cancelled or has ended", async () => {
    for (const job of [CANCELLING, { status: "failed", completed_at: inMinutes(-9) }]) {
      const { held } = await newChunks(EACH, job);
      expect(await changesBy(() => sql.claimChunk(held, 9))).toEqual({ answer: [], changed: NOTHING });
    }
  });
});

describe("saving results", () => {
  const result = { ...OLD_RESULT, type: null, wpPostId: "7" };
  const done = { ...FREED, ...ENDED, result, status: "completed", error: "A note." };
  const failed = { ...done, status: "failed", error: "No." };
  const ITEMS = [CLAIMED, CLAIMED, AGAIN, AGAIN, LOST, { ...CLAIMED, claim_token: null }, ...EACH];

  it.each<[string, Columns, Columns, Columns]>([
    ["lets what was asked for again wait", {}, { status: "pending" }, {}],
    ["cancels such a piece with its job", CANCELLING, { status: "cancelled", ...ENDED }, { cancelled_items: 3 }],
  ])("ends what this call holds, and %s", async (_what, columns, again, counted) => {
    const chunked = await newChunks(ITEMS, columns);
    const { changed } = await changesOf(chunked, () => save(chunked, [1, 3]));
    const asked = { ...FREED, error: null, result: { ...result, isAskedAgain: true }, ...again };
    const job = { completed_items: 3, failed_items: 2, ...counted, ...MOVED };
    expect(changed).toEqual({ 0: done, 1: failed, 2: asked, 3: asked, 7: done, job });
  });

  it("locks the items before their job, as a cancellation does", async () => {
    const chunked = await newChunks([CLAIMED]);
    const { id } = chunked.job;
    const held = await holdTransaction("SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE", [id]);
    const saving = save(chunked);
    await waitForLock();
    const free = await query("SELECT 1 FROM publishing_queue WHERE job_id = $1 FOR UPDATE SKIP LOCKED", [id]);
    await held.releaseLock();
    await saving;
    expect(free).toEqual([]);
  });

  it("changes nothing with another token, or when the project was deleted", async () => {
    const chunked = await newChunks(EACH);
    expect((await changesBy(() => save(chunked, [], randomUUID()))).changed).toEqual(NOTHING);
    await query("DELETE FROM processing_jobs WHERE id = $1", [chunked.job.id]);
    await save(chunked);
  });
});

describe("the locks of a job and its items", () => {
  const free = async (table: string) => (await query(`SELECT 1 FROM ${table} FOR UPDATE SKIP LOCKED`)).length;

  it("make a save wait for a cancellation, with its items locked", async () => {
    const chunked = await newChunks([CLAIMED, AGAIN, PENDING]);
    const cancel = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
    const cancelling = await holdTransaction(cancel, [chunked.job.id]);
    const before = await free("publishing_queue");
    const saving = save(chunked);
    await waitForLock();
    expect(await free("publishing_queue")).toBe(before - 2);
    await cancelling.releaseLock();
    await saving;
    expect(await statuses(chunked)).toBe("completed,cancelled,pending");
  });

  it.each<[string, (chunked: Chunked) => Promise<unknown>]>([
    ["a save", save],
    ["a call that opens the job", ({ job }) => transaction((db) => open(job.owner, db))],
  ])("are taken by %s in the order of the items' ids", async (_who, act) => {
    const chunked = await newChunks(Array(8).fill(CLAIMED));
    const [first = "", ...others] = chunked.items.map(({ id }) => id).sort();
    const lock = "SELECT 1 FROM publishing_queue WHERE id = ANY($1::uuid[]) AND job_id = $2 FOR UPDATE NOWAIT";
    const held = await holdTransaction(lock, [[first], chunked.job.id]);
    const acting = act(chunked);
    await waitForLock();
    await held.also(lock, [others, chunked.job.id]);
    await held.releaseLock();
    await acting;
  });
});

describe("giving back", () => {
  const SPENT = { ...LOST, retry_count: 3 };
  const ITEMS = [...EACH, LOST, SPENT, { ...CLAIMED, claim_token: null }];
  const waits = { ...FREED, status: "pending", error: null };
  const ended = { ...FREED, ...ENDED, status: "cancelled", error: null };
  const failed = { ...FREED, ...ENDED, status: "failed", error: STOPPED };
  const { claim_token: _, ...unclaimed } = waits;
  const { claim_token: __, ...unclaimedEnded } = ended;
  const lost = { 5: { ...waits, retry_count: 2 }, 6: failed, 7: { ...unclaimed, retry_count: 2 } };
  const lostEnded = { 5: ended, 6: ended, 7: unclaimedEnded };

  it.each<[string, Columns, "claimed" | "lost", Record<string, Columns>]>([
    ["lets what it claimed wait, uncounted", {}, "claimed", { 1: waits }],
    ["cancels what it claimed with its job", CANCELLING, "claimed", { 1: ended, job: { cancelled_items: 2 } }],
    ["counts what another call lost, and fails what is spent", {}, "lost", { ...lost, job: { failed_items: 2 } }],
    ["cancels what was lost with its job", CANCELLING, "lost", { ...lostEnded, job: { cancelled_items: 4 } }],
  ])("%s", async (_what, columns, which, { job = {}, ...change }) => {
    const chunked = await newChunks(ITEMS, columns);
    const give = () => (which === "lost" ? sql.giveBackLost(chunked.held, STOPPED) : sql.giveBackChunk(chunked.held));
    expect((await changesOf(chunked, give)).changed).toEqual({ ...change, job: { ...job, ...MOVED } });
  });
});

describe("jobs that nobody works on", () => {
  const OLD = { created_at: inMinutes(-11) };

  it.each<[string, Columns, number | null, boolean]>([
    ["are live and a while old", OLD, null, true],
    ["have not just begun", { created_at: inMinutes(-9) }, null, false],
    ["have not ended", { ...OVER, ...OLD }, null, false],
    ["do not wait for their site", { ...OLD, not_before: inMinutes(1) }, null, false],
    ["may have waited for it", { ...OLD, not_before: inMinutes(-1) }, null, true],
    ["are not worked on", OLD, 1, false],
    ["may have been worked on", OLD, -1, true],
  ])("%s", async (_what, columns, minutes, isIdle) => {
    const { id, owner } = await newPublishingJob(await newOwner(), columns);
    await newJobOf(owner, columns);
    const lease = [id, owner.id, inMinutes(minutes ?? -9)];
    await query(
      "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, gen_random_uuid(), $3)",
      lease,
    );
    if (minutes === null) await query("DELETE FROM leases");
    expect(await sql.selectIdleJobs(PUBLISHING, 600, 9)).toEqual(isIdle ? [{ id, userId: owner.id }] : []);
  });

  it("are chosen at random, so many", async () => {
    for (let n = 0; n < 9; n++) await newPublishingJob(await newOwner(), OLD);
    const chosen = async () => (await sql.selectIdleJobs(PUBLISHING, 600, 8)).map(({ id }) => id);
    const [one, other] = [await chosen(), await chosen()];
    expect([one.length, other.length, one.join() === other.join()]).toEqual([8, 8, false]);
  });
});
