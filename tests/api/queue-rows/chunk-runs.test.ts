import { randomUUID } from "node:crypto";
import { actorFromSignIn } from "@/lib/auth/actor";
import { Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import type { RunWait } from "@/lib/features/work/schema";
import { addItems, type ChunkedClaim, claimChunk, selectChunkItems } from "@/lib/features/work/sql/chunks";
import { claimItem, failDue, findItemOfRun } from "@/lib/features/work/sql/items";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { takeProbes, takeUnsent } from "@/lib/features/work/sql/sending";
import { cancelItemsOfDeleted, noLiveItemSql } from "@/lib/features/work/sql/shared";
import { selectQueueDepth } from "@/lib/features/work/sql/status";
import { noteLimit } from "@/lib/features/work/sql/waits";
import { type Chunks, workOnJob } from "@/lib/features/work/writes/chunks";
import { cancelOwned } from "@/lib/features/work/writes/jobs";
import { STOPPED } from "@/lib/features/work/writes/run";
import { eventually } from "@/tests/support/backend";
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
  read,
  save,
  statuses,
} from "@/tests/support/chunk-rows";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import {
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  NOTHING,
  newItemOf,
  newJobOf,
  newOwner,
  runOf,
} from "@/tests/support/queue-rows";

// The run of a job that works in chunks, what else changes its items, and two calls at once.

emptyQueues();

const actorOf = ({ job }: Chunked) => actorFromSignIn(job.owner.id, { requestId: "test", address: "test" });
const DOWN = { error: "The site is down.", errorType: "CONNECTION_ERROR" };

it("cancels what waits of a deleted piece, and leaves what its job's run has claimed", async () => {
  const chunked = await newChunks(EACH);
  const pieces = chunked.items.map(({ piece }) => piece);
  await query("UPDATE content_pieces SET deleted_at = now() WHERE id = ANY($1)", [pieces]);
  await query("DELETE FROM outline_processing_queue");
  const cancel = () => cancelItemsOfDeleted(prisma, chunked.job.owner.id);
  const { changed } = await changesOf(chunked, cancel);
  expect(changed).toEqual({ 0: { status: "cancelled", ...ENDED }, job: { cancelled_items: 2, ...MOVED } });
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
    ["cancelled as orphans", () => cancelOrphans(null), []],
    ["failed by a limit", ({ job }) => failDue(job.owner.id, "Limited."), undefined],
    ["found for a run", ({ id }) => findItemOfRun("run-1", { itemId: id, sends: 0 }), undefined],
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
    const limit = await noteLimit({ userId: owner.id, begunAt: new Date().toISOString(), toldSeconds: 60 });
    const row = await claimItem(runOf(await newItemOf(await newJobOf(owner))), () => Prisma.sql`NULL`);
    expect([limit.liveItems, row?.seen.liveItems]).toEqual([0, 1]);
  });
});

type Work = (chunks: Chunks) => Promise<RunWait | undefined>;
const run = ({ job }: Pick<Chunked, "job">, work: Work, options?: { waits: boolean }) =>
  workOnJob({ type: PUBLISHING, size: 2, work: (_job, chunks) => work(chunks) }, job.id, options);
const resultsOf = (claims: ChunkedClaim[]) =>
  claims.map(({ contentId }) => ({ contentId, isOk: true, error: null, result: {} }));
const saveNext: Work = async ({ claim, save }) => void (await save(resultsOf(await claim())));
const never: Work = () => Promise.reject(new Error("It does not work on this job."));
const leases = () => query("SELECT kind, subject FROM leases");

describe("working on a job", () => {
  it.each(["completed", "failed", "cancelled"])("ends as the job has: %s", async (status) => {
    expect(await run(await newChunks(EACH, { ...OVER, status }), never)).toEqual({ next: "end", as: status });
  });

  it("ends as cancelled without a job, also if that goes meanwhile", async () => {
    const chunked = await newChunks([PENDING]);
    const remove: Work = async () => void (await query("DELETE FROM processing_jobs"));
    for (const work of [remove, never]) expect(await run(chunked, work)).toEqual({ next: "end", as: "cancelled" });
  });

  it("waits until the next try is due, unless the job was cancelled or the caller does not wait", async () => {
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
    expect([await run(chunked, work), await run(chunked, work)]).toMatchObject([{ next: "more" }, { as: "completed" }]);
    const lease = [{ kind: "bulk", subject: chunked.job.id }];
    expect(seen).toEqual(["pending,pending,pending", lease, "completed,completed,pending", lease]);
    expect(await leases()).toEqual([]);
  });

  it("renews its lease every half minute", async () => {
    const real = globalThis.setInterval;
    jest
      .spyOn(globalThis, "setInterval")
      .mockImplementation(((work: () => void, ms: number) => real(work, ms === 30_000 ? 10 : ms)) as never);
    const renewed = () => query("SELECT 1 FROM leases WHERE until > now() + interval '1 minute'");
    await run(await newChunks([PENDING]), async () => {
      await query("UPDATE leases SET until = now() + interval '1 second'");
      await eventually(renewed, (rows) => rows.length === 1);
      return undefined;
    });
    jest.restoreAllMocks();
  });

  it.each<[string, (claims: ChunkedClaim[]) => unknown, unknown]>([
    ["stops", () => undefined, { next: "more" }],
    ["fails", () => Promise.reject(new Error("A fault.")), new Error("A fault.")],
  ])("gives back what it has claimed and the lease if it %s", async (_how, end, outcome) => {
    const chunked = await newChunks([PENDING, PENDING]);
    const ended = run(chunked, async ({ claim }) => void (await end(await claim()))).catch((error: unknown) => error);
    expect([await ended, await statuses(chunked), await leases()]).toEqual([outcome, "pending,pending", []]);
  });

  it("makes the job wait, which is forgotten once the site is reached", async () => {
    const chunked = await newChunks([PENDING, FAILED], { tries: 1 });
    const act = (work: Work) => changesOf(chunked, () => run(chunked, work, { waits: false }));
    const noted = { tries: 2, error: DOWN.error, error_type: DOWN.errorType, not_before: 10, ...MOVED };
    expect(await act(({ wait }) => wait(600, DOWN))).toEqual({
      answer: { next: "wait", waitSeconds: 600 },
      changed: { job: noted },
    });
    const forgotten = { tries: 0, error: null, error_type: null, not_before: null };
    expect((await act(async ({ reached }) => void (await reached()))).changed).toEqual({ job: forgotten });
  });

  it("fails what is pending, not what it has claimed, and ends the job with the last", async () => {
    const chunked = await newChunks([PENDING, PENDING, PENDING, CANCELLED]);
    const claimed: Work = async ({ claim, fail }) => void (await fail((await claim()) && DOWN));
    expect([await run(chunked, claimed), await statuses(chunked)]).toEqual([
      { next: "more" },
      "pending,pending,failed,cancelled",
    ]);
    const rest: Work = async ({ fail }) => void (await fail(DOWN));
    const { answer, changed } = await changesOf(chunked, () => run(chunked, rest));
    const failed = { status: "failed", error: DOWN.error, result: { ...OLD_RESULT, type: DOWN.errorType }, ...ENDED };
    const job = { status: "failed", failed_items: 3, tries: 2, not_before: 0, ...MOVED, revision: 6, ...ENDED };
    expect([answer, changed]).toEqual([
      { next: "end", as: "failed" },
      { 0: failed, 1: failed, job },
    ]);
  });

  it("changes nothing of a job that was cancelled meanwhile", async () => {
    const chunked = await newChunks([PENDING]);
    const late: Work = async ({ wait, fail }) => {
      await cancelOwned(actorOf(chunked), chunked.job.id);
      const acts = async () => [await wait(600, DOWN), await fail(DOWN)];
      expect((await changesBy(acts)).changed).toEqual(NOTHING);
      return undefined;
    };
    expect(await run(chunked, late)).toEqual({ next: "end", as: "cancelled" });
  });
});

describe("two calls at once", () => {
  /** Runs both in this order: the second one waits for the first. */
  async function inOrder<A, B>(chunked: Chunked, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    const lock = "SELECT 1 FROM processing_jobs WHERE id = $1 FOR UPDATE";
    const held = await holdTransaction(lock, [chunked.job.id]);
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
        await addItems(db, opened?.id ?? "", {
          ...{ type: PUBLISHING, isDone: Prisma.sql`false` },
          items: [{ contentId: chunked.items[0]?.piece ?? "", input: { categoryId: "8" } }],
        });
      });
    await inOrder(chunked, join, () => save(chunked));
    const counts = { totalItems: 2, completedItems: 1 };
    expect([await statuses(chunked), await read(chunked)]).toMatchObject(["pending,completed", counts]);
    const [again] = await claimChunk(chunked.held, 9);
    expect(again?.result).toEqual({ ...OLD_RESULT, type: null, wpPostId: "7", categoryId: "8" });
  });

  it("opens another job if the last result of the live one is being saved", async () => {
    const chunked = await newChunks([CLAIMED]);
    const join = () => open(chunked.job.owner);
    const [, opened] = await inOrder(chunked, () => save(chunked), join);
    expect([opened, await join()]).toMatchObject([undefined, { isNew: true }]);
  });

  it.each(["cancelling", "saving"])("cancels what was asked for again, with %s first", async (first) => {
    const chunked = await newChunks([AGAIN]);
    const acts = [() => cancelOwned(actorOf(chunked), chunked.job.id), () => save(chunked)] as const;
    await (first === "saving" ? inOrder(chunked, acts[1], acts[0]) : inOrder(chunked, ...acts));
    const counts = { status: "cancelled", cancelledItems: 1 };
    expect([await statuses(chunked), await read(chunked)]).toMatchObject(["cancelled", counts]);
  });

  it("lets one run work, and the other come back", async () => {
    const chunked = await newChunks([PENDING]);
    const outcomes: unknown[] = [];
    const first = await run(chunked, async (chunks) => {
      outcomes.push(await run(chunked, never));
      return saveNext(chunks);
    });
    expect([...outcomes, first]).toMatchObject([{ next: "wait", waitSeconds: 5 }, { as: "completed" }]);
  });

  it("repeats what a process claimed that died, whose late result changes nothing, until its attempts are used up", async () => {
    const chunked = await newChunks([{ ...PENDING, retry_count: 0 }, CANCELLED]);
    const attempts: unknown[] = [];
    for (;;) {
      const token = randomUUID();
      const died = await claimChunk({ ...chunked.held, token }, 9);
      if (died.length === 0) break;
      const outcome = await run(chunked, async () => {
        expect((await changesBy(() => save(chunked, [], token))).changed).toEqual(NOTHING);
        return undefined;
      });
      attempts.push(outcome);
    }
    expect(attempts).toEqual([...Array(3).fill({ next: "more" }), { next: "end", as: "failed" }]);
    const [item] = await selectChunkItems(PUBLISHING, chunked.job.id, { limit: 1 });
    expect(item).toMatchObject({ status: "failed", error: STOPPED });
  });
});
