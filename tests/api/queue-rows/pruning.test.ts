import { randomUUID } from "node:crypto";
import { pruneJobs } from "@/lib/features/work/sql/pruning";
import { selectQueueStatus } from "@/lib/features/work/sql/status";
import { pruneWork } from "@/lib/features/work/steps";
import { PUBLISHING } from "@/tests/support/chunk-rows";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  emptyQueues,
  inMinutes,
  manyItemsOf,
  newItemOf,
  newJobOf,
  newOwner,
  newTopicOf,
  type Owner,
} from "@/tests/support/queue-rows";

// Which jobs stay, and that a user's counts stay whatever goes.

emptyQueues();
afterEach(() => query("DELETE FROM work_totals"));

const DAY = 24 * 60;
const ENDED = { status: "completed", total_items: 3, completed_items: 2, failed_items: 1 };

/** Ended jobs of an owner, the first one the newest; each is a minute older. */
async function endedJobs(owner: Owner, count: number, columns: Columns = {}, minutes = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const at = inMinutes(-minutes - n);
    ids.push((await newJobOf(owner, { ...ENDED, created_at: at, completed_at: at, ...columns })).id);
  }
  return ids;
}

async function left(ids: string[]): Promise<boolean[]> {
  const rows = await query<{ id: string }>("SELECT id FROM processing_jobs WHERE id = ANY($1)", [ids]);
  return ids.map((id) => rows.some((row) => row.id === id));
}

const kept = (stay: number, go: number) => [...Array(stay).fill(true), ...Array(go).fill(false)];

const countsOf = async ({ id }: Owner) => (await selectQueueStatus(id, 1)).totals;

it("keeps the newest twenty ended jobs of a topic, and no live one goes", async () => {
  const owner = await newOwner();
  const old = await newJobOf(owner, { job_type: CONTENT, created_at: inMinutes(-DAY), total_items: 1 });
  await newJobOf(owner);
  const jobs = await endedJobs(owner, 22);
  const [ofContent, ofOther] = [
    await endedJobs(owner, 1, { job_type: CONTENT }, 90),
    await endedJobs(await newTopicOf(owner), 1, {}, 90),
  ];
  await newItemOf({ ...old, id: jobs[21] ?? "", jobType: "outline_generation" }, { status: "completed" });
  await pruneWork();
  expect(await left(jobs)).toEqual(kept(20, 2));
  expect(await left([old.id, ...ofContent, ...ofOther])).toEqual(kept(3, 0));
  expect(await query("SELECT 1 FROM processing_queue WHERE user_id = $1", [owner.id])).toEqual([]);
});

it("keeps the newest hundred ended jobs of a user", async () => {
  const owner = await newOwner();
  const jobs: string[] = [];
  for (let n = 0; n < 6; n++) jobs.push(...(await endedJobs(await newTopicOf(owner), 17, {}, 1 + n * 17)));
  const [theirs] = await endedJobs(await newOwner(), 1, {}, 300);
  await pruneWork();
  expect(await left(jobs)).toEqual(kept(100, 2));
  expect(await left([theirs ?? ""])).toEqual([true]);
});

it("keeps all jobs of a user who has had no work for a day", async () => {
  const jobs = await endedJobs(await newOwner(), 21, {}, DAY + 1);
  await pruneWork();
  expect(await left(jobs)).toEqual(kept(21, 0));
});

it("keeps failed jobs of the last thirty days beyond that", async () => {
  const owner = await newOwner();
  await endedJobs(owner, 20);
  const failed = { status: "failed", completed_items: 0, failed_items: 3 };
  const [young] = await endedJobs(owner, 1, failed, 29 * DAY);
  const [old] = await endedJobs(owner, 1, failed, 31 * DAY);
  await pruneWork();
  expect(await left([young ?? "", old ?? ""])).toEqual([true, false]);
});

it("leaves the counts of the monitor as they were", async () => {
  const owner = await newOwner();
  await endedJobs(owner, 24);
  const cancelled = { status: "cancelled", completed_items: 1, failed_items: 0, cancelled_items: 2 };
  await endedJobs(owner, 3, cancelled, 90);
  await endedJobs(owner, 21, { job_type: CONTENT }, 90);
  const before = await countsOf(owner);
  await pruneWork();
  expect(await query("SELECT 1 FROM processing_jobs WHERE user_id = $1", [owner.id])).toHaveLength(40);
  expect(await countsOf(owner)).toEqual(before);
  await endedJobs(owner, 5);
  await endedJobs(owner, 1, cancelled, 90);
  const more = await countsOf(owner);
  await pruneWork();
  expect(await countsOf(owner)).toEqual(more);
  expect(more).not.toEqual(before);
});

it("removes long jobs in steps", async () => {
  const owner = await newOwner();
  const long = await endedJobs(owner, 23, { total_items: 30_000, completed_items: 30_000, failed_items: 0 });
  expect(await pruneJobs()).toBe(1);
  await pruneWork();
  expect(await left(long)).toEqual(kept(20, 3));
});

it("keeps a job that is retried at that moment", async () => {
  const jobs = await endedJobs(await newOwner(), 21);
  const retry = "UPDATE processing_jobs SET status = 'processing', completed_at = NULL WHERE id = $1";
  const retrying = await holdTransaction(retry, [jobs[20]]);
  const pruning = pruneJobs();
  await waitForLock();
  await retrying.releaseLock();
  expect([await pruning, await left(jobs)]).toEqual([0, kept(21, 0)]);
});

it("removes items that never began a day after their job was cancelled", async () => {
  const owner = await newOwner();
  const ended = (status: string, minutes: number, columns: Columns = {}) =>
    newJobOf(owner, { status, created_at: inMinutes(-minutes), completed_at: inMinutes(-minutes), ...columns });
  const job = await ended("cancelled", DAY + 1);
  const others = [
    await ended("cancelled", DAY - 1),
    await ended("completed", DAY + 1),
    await ended("cancelled", DAY + 1, { job_type: PUBLISHING, topic_id: null }),
  ];
  const ENDS = ", status, completed_at";
  for (const each of [job, ...others]) await manyItemsOf(each, 2, ENDS, ", 'cancelled', now()");
  const stay = [
    await newItemOf(job, { status: "cancelled", started_at: inMinutes(-DAY), content_piece_id: randomUUID() }),
    await newItemOf(job, { status: "failed", content_piece_id: randomUUID() }),
  ];
  await pruneWork();
  const rows = await query<{ id: string; job: string }>(
    "SELECT id, job_id AS job FROM processing_queue WHERE user_id = $1",
    [owner.id],
  );
  const left = rows.filter((item) => item.job === job.id).map(({ id }) => id);
  expect(left.sort()).toEqual(stay.map(({ id }) => id).sort());
  for (const other of others) expect(rows.filter((item) => item.job === other.id)).toHaveLength(2);
});
