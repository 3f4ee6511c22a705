import { randomUUID } from "node:crypto";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import {
  completeItem,
  endItem,
  failDue,
  findItemOfRun,
  type GivenBack,
  giveBack,
  lockClaim,
  noteSection,
} from "@/lib/features/work/sql/items";
import { retryJob } from "@/lib/features/work/sql/jobs";
import { endItemOfRun } from "@/lib/features/work/steps";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  afterClaim,
  type Columns,
  changesBy,
  claimRefOf,
  emptyQueues,
  type Item,
  inMinutes,
  leaseOf,
  NOTHING,
  nameOf,
  newCancelledJob,
  newItemAmongOthers as newItem,
  newItemAmongOthers,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";

// How claims and items end, by their own run and from outside: everything that each statement changes, and what it leaves alone.

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
    expect(answer).toBe(item.job.owner.id);
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
    expect(await changesBy(() => endItem(run, "cancel", "Why."))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it.each([
    ["another run", "run-2"],
    ["a repeated call", null],
  ])("is not one that %s is claiming at that moment", async (_what, runId) => {
    const item = await newItem({ run_id: "run-1" });
    expect(await afterClaim(item, () => endItem({ ...runOf(item), runId }, "giveUp", "Why."))).toBeUndefined();
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

const TOKENS = { tokensIn: 10, tokensOut: 20, tokensCached: 4, tokensReasoning: 3 };
const PAID = { tokens_in: 15, tokens_out: 20, tokens_cached: 4, tokens_reasoning: 3 };
const giveItBack = (item: Item, as: GivenBack["as"], rest: Partial<GivenBack> = {}) =>
  giveBack(prisma, claimRefOf(item), { as, error: "Why.", delaySeconds: 600, ...rest });

describe("a claim that is given back", () => {
  const cancels = { cancel_requested_at: inMinutes(-1) };
  const last = { retry_count: 3 };
  const waits = { status: "pending", not_before: 10 };
  const fails = { status: "failed", completed_at: 0 };
  const isCancelled = { status: "cancelled", completed_at: 0 };

  it.each<[string, GivenBack["as"], Columns, Columns, Columns, Columns]>([
    ["goes on", "more", last, {}, {}, {}],
    ["is cancelled instead of going on", "more", {}, cancels, isCancelled, { cancelled_items: 1 }],
    ["waits for its next attempt", "retry", {}, {}, { ...waits, retry_count: 1 }, {}],
    ["waits for its last attempt", "retry", { retry_count: 2 }, {}, { ...waits, retry_count: 3 }, {}],
    ["fails when its attempts are used up", "retry", last, {}, fails, { failed_items: 1 }],
    [
      "is cancelled instead of a retry",
      "retry",
      {},
      cancels,
      { ...isCancelled, retry_count: 1 },
      { cancelled_items: 1 },
    ],
    ["fails rather than being cancelled when none is left", "retry", last, cancels, fails, { failed_items: 1 }],
    ["waits without an attempt counted", "wait", last, {}, waits, {}],
    ["is cancelled instead of a wait", "wait", last, cancels, isCancelled, { cancelled_items: 1 }],
    ["fails when nothing can help", "stop", {}, {}, fails, { failed_items: 1 }],
    ["fails when nothing can help, in a cancelled job", "stop", {}, cancels, fails, { failed_items: 1 }],
  ])("%s (%s)", async (_what, as, columns, job, change, counted) => {
    const item = await newItem({ ...AT_WORK, tokens_in: 5, ...columns }, job);
    await newLeaseOf(item, 5, { kind: "publishing" });
    const { answer, changed } = await changesBy(() => giveItBack(item, as, { tokens: TOKENS, baseTextVersion: 3 }));
    expect(answer).toBe(change.status ?? "processing");
    expect(changed).toEqual({
      [nameOf(item)]: { claim_token: null, error: "Why.", base_text_version: 3, updated_at: 0, ...PAID, ...change },
      [leaseOf(item)]: "gone",
      [nameOf(item.job)]: { ...counted, revision: 1, updated_at: 0 },
    });
  });

  it("keeps the version of its first answer, forgets an earlier error and wait, and leaves a later holder's lease", async () => {
    const before = { base_text_version: 2, error: "Before.", not_before: inMinutes(-5), is_try_open: true };
    const item = await newItem({ ...AT_WORK, ...before });
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [item.piece]);
    const { changed } = await changesBy(() => giveBack(prisma, claimRefOf(item), { as: "more", baseTextVersion: 5 }));
    const given = { claim_token: null, is_try_open: false, error: null, not_before: null, updated_at: 0 };
    expect(changed).toEqual({ [nameOf(item)]: given, [nameOf(item.job)]: { revision: 1, updated_at: 0 } });
  });

  it("changes nothing with a stale token", async () => {
    const item = await newItem(AT_WORK);
    const stale = { ...item, token: randomUUID() };
    expect(await changesBy(() => giveItBack(stale, "retry"))).toEqual({ answer: undefined, changed: NOTHING });
  });

  it.each(["more", "wait"] as const)("is cancelled with a job that is cancelled at that moment (%s)", async (as) => {
    const item = await newItem(AT_WORK);
    const cancel = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
    expect(await afterChange(cancel, item.job.id, () => giveItBack(item, as))).toBe("cancelled");
  });

  it("ends its job with its last item", async () => {
    const item = await newItem(AT_WORK, { total_items: 1 });
    const { changed } = await changesBy(() => giveItBack(item, "stop"));
    expect(changed[nameOf(item.job)]).toMatchObject({ status: "failed", failed_items: 1, completed_at: 0 });
  });
});

describe("an item whose work is done", () => {
  it("is completed with its note and its cost, and releases its piece", async () => {
    const item = await newItem({
      ...AT_WORK,
      tokens_in: 5,
      error: "An earlier try.",
      note: "Old.",
      not_before: inMinutes(-5),
    });
    await newLeaseOf(item, 5, { subject: randomUUID() });
    const { changed } = await changesBy(() => completeItem(prisma, claimRefOf(item), { note: "A word.", ...TOKENS }));
    const done = { status: "completed", claim_token: null, error: null, note: "A word.", not_before: null, ...PAID };
    expect(changed).toEqual({
      [nameOf(item)]: { ...done, updated_at: 0, completed_at: 0 },
      [nameOf(item.job)]: { completed_items: 1, revision: 1, updated_at: 0 },
      [leaseOf(item)]: "gone",
    });
  });

  it("is left alone with a stale token", async () => {
    const stale = { ...claimRefOf(await newItem(AT_WORK)), token: randomUUID() };
    const complete = () => completeItem(prisma, stale, { note: null, ...NO_TOKENS });
    expect((await changesBy(complete)).changed).toEqual(NOTHING);
  });
});

describe("a claim that is locked", () => {
  it.each<[string, Columns | null, boolean]>([
    ["with the lease on its piece", {}, true],
    ["without one", null, false],
    ["with a lease of another kind", { kind: "publishing" }, false],
    ["with a lease on another piece", { subject: randomUUID() }, false],
    ["with another holder's lease", { token: randomUUID() }, false],
  ])("%s: %s", async (_what, lease, isHeld) => {
    const item = await newItem(AT_WORK);
    await query("DELETE FROM leases");
    if (lease) await newLeaseOf(item, 5, lease);
    expect(await lockClaim(prisma, claimRefOf(item))).toBe(isHeld);
    expect(await lockClaim(prisma, { ...claimRefOf(item), token: randomUUID() })).toBe(false);
  });

  it("keeps item and lease locked until the transaction ends", async () => {
    const item = await newItem(AT_WORK);
    await prisma.$transaction(async (db) => {
      expect(await lockClaim(db, claimRefOf(item))).toBe(true);
      const free = (table: string, column: string, value: string) =>
        query(`SELECT 1 FROM ${table} WHERE ${column} = '${value}' FOR UPDATE SKIP LOCKED`);
      expect(await free("processing_queue", "claim_token", item.token)).toEqual([]);
      expect(await free("leases", "subject", item.piece)).toEqual([]);
    });
  });
});

describe("a process of the release before that takes an item for lost", () => {
  const newTaken = async (columns: Columns, job: Columns = {}) =>
    newItemOf(await newJobOf(await newOwner(), job), { ...AT_WORK, ...columns });

  /** The last try is used up by some of them, so that they would fail. */
  const takeOver = ({ id }: Item) =>
    changesBy(() =>
      query(
        `UPDATE processing_queue SET claim_token = NULL, is_try_open = false, error = 'The work stopped before it was done.',
         status = CASE WHEN retry_count < max_retries THEN 'pending' ELSE 'failed' END::processing_status,
         retry_count = retry_count + (retry_count < max_retries)::int, not_before = NULL,
         completed_at = CASE WHEN retry_count < max_retries THEN NULL ELSE now() END WHERE id = $1 RETURNING id`,
        [id],
      ),
    );

  it.each([0, 3])("counts no attempt for an item between two calls, after %s attempts", async (retry_count) => {
    const item = await newTaken({ claim_token: null, retry_count });
    const { changed } = await takeOver(item);
    expect(changed).toEqual({ [nameOf(item)]: { status: "pending" } });
  });

  it("does nothing to a piece that is being published", async () => {
    const item = await newTaken({ topic_id: null, position: 0 }, { topic_id: null, job_type: "publishing" });
    expect(await takeOver(item)).toEqual({ answer: [], changed: NOTHING });
  });

  it("counts an attempt for what was lost in a call", async () => {
    const item = await newTaken({});
    const { changed } = await takeOver(item);
    const error = "The work stopped before it was done.";
    expect(changed).toEqual({ [nameOf(item)]: { status: "pending", claim_token: null, retry_count: 1, error } });
  });
});

it("says which section is being written, under its claim alone", async () => {
  const item = await newItemAmongOthers(AT_WORK);
  const section = { number: 2, of: 8, heading: "Seats and folders", outlineHash: "f0" };
  const note = (token: string) => changesBy(() => noteSection({ ...claimRefOf(item), token }, section));
  expect((await note(randomUUID())).changed).toEqual(NOTHING);
  expect((await note(item.token)).changed).toEqual({
    [nameOf(item)]: { result: { section }, updated_at: 0 },
    [nameOf(item.job)]: { revision: 1 },
  });
});
