import { randomUUID } from "node:crypto";
import { endItem, failDue, findItemOfRun } from "@/lib/features/work/sql/items";
import { retryJob } from "@/lib/features/work/sql/jobs";
import { endItemOfRun } from "@/lib/features/work/steps";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import {
  AT_WORK,
  type Columns,
  changesBy,
  emptyQueues,
  inMinutes,
  NOTHING,
  nameOf,
  newCancelledJob,
  newItemAmongOthers as newItem,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// How items end from outside their own work: everything that each statement changes, and what it leaves alone.

emptyQueues();
beforeEach(newCancelledJob);

const ENDED = { updated_at: 0, completed_at: 0 };
const WORKING = { ...ENDED, claim_token: null };

describe("an item that ends from outside", () => {
  it.each<[string, "giveUp" | "cancel", Columns, number, string | null, Columns]>([
    ["fails with its run", "giveUp", AT_WORK, 5, "run-1", { ...WORKING, status: "failed", error: "Why." }],
    ["is cancelled during a call", "cancel", AT_WORK, 5, "run-1", { ...WORKING, status: "cancelled", error: "Why." }],
    [
      "is cancelled while it waits, also as a probe",
      ...(["cancel", { not_before: inMinutes(5), probed_at: inMinutes(-5) }, 5, "run-1"] as const),
      { ...ENDED, status: "cancelled", error: "Why.", not_before: null, probed_at: null },
    ],
    ["fails when its claim ran out", "giveUp", AT_WORK, -1, null, { ...WORKING, status: "failed", error: "Why." }],
  ])("%s; the lease stays with its holder", async (_what, move, columns, lease, runId, change) => {
    const item = await newItem(columns, {}, lease);
    const { answer, changed } = await changesBy(() => endItem({ ...runOf(item), runId }, move, "Why."));
    const counter = move === "giveUp" ? "failed_items" : "cancelled_items";
    expect(answer).toBe(true);
    expect(changed).toEqual({
      [nameOf(item)]: change,
      [nameOf(item.job)]: { [counter]: 1, revision: 1, updated_at: 0 },
    });
  });

  it("keeps an earlier error if it is given none", async () => {
    const item = await newItem({ error: "Before." });
    const { changed } = await changesBy(() => endItem(runOf(item), "cancel", null));
    expect(changed[nameOf(item)]).toEqual({ ...ENDED, status: "cancelled" });
  });

  it.each<[string, Columns, string | null]>([
    ["that another run is at work on", AT_WORK, "run-2"],
    ["at work, without a run that ended", AT_WORK, null],
    ["that has ended", { status: "failed", run_id: "run-1" }, "run-1"],
  ])("is not one %s", async (_what, columns, runId) => {
    const run = { ...runOf(await newItem(columns)), runId };
    expect(await changesBy(() => endItem(run, "cancel", "Why."))).toEqual({ answer: false, changed: NOTHING });
  });

  it.each([
    ["another run", "run-2"],
    ["a repeated call", null],
  ])("is not one that %s is claiming at that moment", async (_what, runId) => {
    const item = await newItem({ run_id: "run-1" });
    const take = "UPDATE processing_queue SET status = 'processing', claim_token = $2, run_id = 'run-1' WHERE id = $1";
    const other = await holdTransaction(take, [item.id, item.token]);
    const lease = "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('writing', $1, $2, $3, $4)";
    await other.also(lease, [item.piece, item.job.owner.id, item.token, inMinutes(5)]);
    const end = endItem({ ...runOf(item), runId }, "giveUp", "Why.");
    await waitForLock();
    await other.releaseLock();
    expect(await end).toBe(false);
  });
});

describe("the item of a run that ended in the engine", () => {
  it("is found by its run, or by the item's latest event, while it is live", async () => {
    const item = await newItem({ run_id: "run-1" });
    await query("UPDATE processing_queue SET run_id = 'run-0' WHERE id <> $1 OR job_type <> $2", [item.id, OUTLINE]);
    const alone = await newItemOf(item.job, { sends: 3 });
    const before = await newItemOf(item.job, { sends: 1, dispatch_seq: 4 });
    const over = await newItemOf(item.job, { status: "failed", run_id: "over" });
    const find = async (itemId: string, sends: number, runId = "unknown") =>
      (await findItemOfRun(runId, { itemId, sends }))?.itemId;
    expect(await findItemOfRun("run-1", null)).toEqual({ itemId: item.id, jobType: OUTLINE });
    expect(await findItemOfRun("unknown", null)).toBeUndefined();
    expect([await find(alone.id, 3), await find(alone.id, 2), await find(randomUUID(), 3)]).toEqual([
      ...[alone.id, undefined, undefined],
    ]);
    // The release before sent or retried it last.
    expect([await find(before.id, 4), await find(before.id, 1)]).toEqual([before.id, undefined]);
    expect(await find(over.id, 0, "over")).toBeUndefined();
  });

  it.each([
    ["failed", "failed", "The work stopped before it was done. Try again."],
    ["cancelled", "cancelled", "Its run was cancelled in the job engine."],
  ] as const)("ends with it: %s", async (as, status, error) => {
    const item = await newItemOf(await newJobOf(await newOwner()), { run_id: "run-1" });
    const run = { runId: "run-1", sent: { itemId: item.id, sends: 0 } };
    const { answer, changed } = await changesBy(() => endItemOfRun(run, as));
    expect([answer, changed[nameOf(item)]]).toEqual([true, { ...ENDED, status, error }]);
    expect(await endItemOfRun(run, as)).toBe(false);
  });

  it("stays when it failed with the run and was retried before the engine said so", async () => {
    const job = await newJobOf(await newOwner(), { status: "failed", completed_at: inMinutes(-1), failed_items: 1 });
    const item = await newItemOf(job, { status: "failed", run_id: "run-1", sent_at: inMinutes(-1), sends: 1 });
    await retryJob(job.owner.id, job.id);
    expect(await endItemOfRun({ runId: "run-1", sent: { itemId: item.id, sends: 1 } }, "failed")).toBe(false);
  });
});

it("fails what is due of a user who was limited for a day, and ends the jobs", async () => {
  const owner = await newOwner();
  const job = await newJobOf(owner, { total_items: 3 });
  const due = [
    await newItemOf(job),
    await newItemOf(job, { ...AT_WORK, claim_token: null, not_before: inMinutes(-1) }),
  ];
  await newItemOf(job, { status: "completed" });
  const text = await newJobOf(owner, { job_type: "content_generation", total_items: 1 });
  const last = await newItemOf(text);
  await newItemOf(job, { not_before: inMinutes(1) });
  await newLeaseOf(await newItemOf(job, AT_WORK), 5);
  await newItemOf(await newJobOf(await newOwner()));
  const { changed } = await changesBy(() => failDue(owner.id, "Why."));
  const failed = { ...ENDED, status: "failed", error: "Why." };
  expect(changed).toEqual({
    [nameOf(due[0] as typeof last)]: failed,
    [nameOf(due[1] as typeof last)]: { ...failed, not_before: null },
    [nameOf(last)]: failed,
    [nameOf(job)]: { failed_items: 2, revision: 1, updated_at: 0 },
    [nameOf(text)]: { status: "failed", failed_items: 1, revision: 1, ...ENDED },
  });
});
