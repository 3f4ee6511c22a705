import { createHash, randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { aiAccessFingerprint } from "@/lib/features/account/settings/reads";
import { markLost, markUnsent, takeItem, takeProbes, takeUnsent } from "@/lib/features/work/sql/sending";
import { dispatchJob, resumeHeldItems, sweep } from "@/lib/features/work/steps";
import { announceJobs, resumeAfterOutage, resumeProcessing, sendLost } from "@/lib/features/work/writes/sending";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  CONTENT,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  type Job,
  manyItemsOf,
  NOTHING,
  nameOf,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  newTopicOf,
  newWaitOf,
  OUTLINE,
} from "@/tests/support/queue-rows";
import { recordEvents } from "@/tests/support/sent-events";

// What is sent to the engine, and when, with a mocked engine.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const { batches, sent, away } = recordEvents();

emptyQueues();
const comeBack = () => query("UPDATE engine_state SET away_since = NULL");
beforeEach(comeBack);
afterAll(comeBack);

const SENT = { sent_at: inMinutes(-60), sends: 1, dispatched_at: inMinutes(-60), dispatch_seq: 1 };
/** What sending changes in an item that was never sent. */
const GOES = { sent_at: 0, sends: 1, dispatched_at: 0, dispatch_seq: 1 };
const ids = (rows: { itemId: string }[]) => rows.map(({ itemId }) => itemId);
const eventOf = ({ id, jobType }: Item, sends = 1) =>
  `jobs/${jobType === OUTLINE ? "outline" : "content"}-item.queued ${id}-${sends}`;

async function newItem(columns: Columns = {}, job: Columns = {}): Promise<Item> {
  return newItemOf(await newJobOf(await newOwner(), job), columns);
}

async function newItemAtWork(job: Job, minutes: number, columns: Columns = {}): Promise<Item> {
  const item = await newItemOf(job, { ...AT_WORK, ...columns });
  await newLeaseOf(item, minutes);
  return item;
}

describe("items not sent yet", () => {
  it("are marked as sent and returned, oldest first", async () => {
    const item = await newItem({ sends: 3, dispatch_seq: 7, is_held: true });
    const older = await newItemOf(item.job, { created_at: inMinutes(-90), probed_at: inMinutes(-9) });
    const lost = await newItemAtWork(item.job, -1, { created_at: inMinutes(-50), sends: 5 });
    const { answer, changed } = await changesBy(() => takeUnsent({ jobId: item.job.id }, 0, 10));
    expect(answer.map(({ itemId, sends }) => [itemId, sends])).toEqual([
      ...[
        [older.id, 1],
        [item.id, 8],
        [lost.id, 6],
      ],
    ]);
    expect(changed).toEqual({
      [nameOf(older)]: { ...GOES, probed_at: null },
      [nameOf(item)]: { ...GOES, sends: 8, dispatch_seq: 8, is_held: false },
      [nameOf(lost)]: { ...GOES, sends: 6, dispatch_seq: 6 },
    });
  });

  it.each<[string, Columns, Columns, number]>([
    ["was sent", SENT, {}, 0],
    ["has ended", { status: "cancelled" }, {}, 0],
    ["was touched within the grace", { updated_at: inMinutes(-5) }, {}, 360],
    ["waits for its user to act", {}, { held_reason: "Why." }, 0],
    ["waits for its user to go on", {}, { paused_at: inMinutes(-1) }, 0],
  ])("are not one that %s", async (_what, columns, wait, grace) => {
    const item = await newItem(columns);
    await newWaitOf(item.job.owner, wait);
    expect(await changesBy(() => takeUnsent({}, grace, 10))).toEqual({ answer: [], changed: NOTHING });
  });

  it("are those of a job, of a user or of all, without what is at work, up to a limit", async () => {
    const item = await newItem();
    await newItemAtWork(item.job, 5);
    const second = await newItemOf(await newJobOf(await newTopicOf(item.job.owner)), { created_at: inMinutes(-50) });
    const other = await newItem({ created_at: inMinutes(-40) });
    const taken = async (...[of, grace, limit]: Parameters<typeof takeUnsent>) => {
      const rows = ids(await takeUnsent(of, grace, limit));
      await query("UPDATE processing_queue SET sent_at = NULL");
      return rows;
    };
    expect(await taken({ jobId: item.job.id }, 0, 10)).toEqual([item.id]);
    expect(await taken({ userId: item.job.owner.id }, 0, 10)).toEqual([item.id, second.id]);
    expect(await taken({}, 60, 10)).toEqual([item.id, second.id, other.id]);
    expect(await taken({}, 60, 2)).toEqual([item.id, second.id]);
  });

  it("start one run each, with the event of their type", async () => {
    const items = [await newItem({ sends: 2 }), await newItem({}, { job_type: CONTENT })] as const;
    for (const { job } of items) expect(await dispatchJob(job.id)).toBe(1);
    const event = ({ id, job }: Item, name: string, sends: number) => ({
      ...{ name, id: `item-${id}-${sends}` },
      data: { itemId: id, jobId: job.id, userId: job.owner.id, dispatch: `${id}-${sends}` },
    });
    expect(batches.flat()).toMatchObject([
      event(items[0], "jobs/outline-item.queued", 3),
      event(items[1], "jobs/content-item.queued", 1),
    ]);
  });

  it("are all sent once by two callers at once, five hundred at a time", async () => {
    const job = await newJobOf(await newOwner(), { total_items: 501 });
    await manyItemsOf(job, 501);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE job_id = ${job.id}::uuid ORDER BY created_at LIMIT 1 FOR UPDATE`;
      expect(await dispatchJob(job.id)).toBe(500);
    });
    expect(await Promise.all([dispatchJob(job.id), dispatchJob(job.id)])).toEqual(expect.arrayContaining([1, 0]));
    expect([batches.map((batch) => batch.length), new Set(sent()).size]).toEqual([[500, 1], 501]);
    await query("UPDATE processing_queue SET sent_at = NULL");
    expect(await dispatchJob(job.id)).toBe(501);
    expect(batches.slice(2).map((batch) => batch.length)).toEqual([500, 1]);
  });

  it("stay unsent when the engine does not take them, unless they were sent again or have ended", async () => {
    const item = await newItem();
    away();
    const { changed } = await changesBy(() => dispatchJob(item.job.id).catch(() => undefined));
    expect(changed).toEqual({ [nameOf(item)]: { ...GOES, sent_at: undefined } });
    const of = { itemId: item.id, jobType: OUTLINE, jobId: item.job.id, userId: item.job.owner.id } as const;
    for (const status of ["pending", "failed"]) {
      const other = await newItem({ ...SENT, sends: 2, status });
      const sends = status === "failed" ? 2 : 1;
      expect((await changesBy(() => markUnsent([{ ...of, itemId: other.id, sends }]))).changed).toEqual(NOTHING);
    }
  });

  it("are announced by their job's event, unless the engine is away", async () => {
    expect(await announceJobs(randomUUID(), ["of-a-job"])).toMatchObject({ endedAbsence: false });
    expect(sent()).toEqual([expect.stringContaining("of-a-job")]);
    away();
    expect(await announceJobs(randomUUID(), ["of-a-job"])).toBeUndefined();
  });
});

describe("an item that is done next", () => {
  it("is sent once more", async () => {
    const item = await newItem(SENT);
    await newItemOf(item.job);
    const { answer, changed } = await changesBy(() => takeItem(item.id));
    expect(ids(answer)).toEqual([item.id]);
    expect(changed).toEqual({ [nameOf(item)]: { sent_at: 0, sends: 2, dispatched_at: 0, dispatch_seq: 2 } });
  });

  it.each<[string, Columns | null, Columns]>([
    ["its user's key was refused", { held_reason: "Why." }, {}],
    ["its user has paused", { paused_at: inMinutes(-1) }, {}],
    ["it has ended", null, { status: "cancelled" }],
  ])("is not sent if %s", async (_what, wait, columns) => {
    const item = await newItem(columns);
    if (wait) await newWaitOf(item.job.owner, wait);
    expect(await changesBy(() => takeItem(item.id))).toEqual({ answer: [], changed: NOTHING });
  });

  it("is not sent while a run is at work on it", async () => {
    const item = await newItemAtWork(await newJobOf(await newOwner()), 5);
    expect(await takeItem(item.id)).toEqual([]);
  });
});

describe("a probe for lost items", () => {
  const QUIET = { quietSeconds: 120 };
  const probe = async ({ job }: Item, hasForgotten = false) =>
    ids(await takeProbes(job.owner.id, { ...QUIET, hasForgotten }, 10));

  it("is the oldest sent item of each user and kind, sent again", async () => {
    const item = await newItem(SENT);
    await newItemOf(item.job, { ...SENT, created_at: inMinutes(-50) });
    const text = await newItemOf(await newJobOf(item.job.owner, { job_type: CONTENT }), SENT);
    const other = await newItem(SENT);
    const { answer, changed } = await changesBy(() => takeProbes(item.job.owner.id, QUIET, 10));
    const again = { sent_at: 0, sends: 2, dispatched_at: 0, dispatch_seq: 2, probed_at: 0 };
    expect(ids(answer).sort()).toEqual([item.id, text.id].sort());
    expect(changed).toEqual({ [nameOf(item)]: again, [nameOf(text)]: again });
    expect(ids(await takeProbes(null, QUIET, 10))).toEqual([other.id]);
    await query("UPDATE processing_queue SET sent_at = $1, probed_at = NULL", [inMinutes(-60)]);
    expect(await takeProbes(null, QUIET, 2)).toHaveLength(2);
  });

  it.each<[string, Columns, boolean]>([
    ["was sent two minutes ago", { sent_at: inMinutes(-2.5) }, true],
    ["was sent since", { sent_at: inMinutes(-1) }, false],
    ["was never sent", { sent_at: null }, false],
    ["was due two minutes ago", { not_before: inMinutes(-2.5) }, true],
    ["was due since", { not_before: inMinutes(-1) }, false],
    ["has ended", { status: "cancelled" }, false],
    ["was lost with its run", { ...AT_WORK, claimed_at: inMinutes(-9) }, true],
  ])("may be one that %s: %s", async (_what, columns, isProbe) => {
    const item = await newItem({ ...SENT, ...columns });
    expect(await probe(item)).toEqual(isProbe ? [item.id] : []);
  });

  it.each<[string, Columns, boolean]>([
    ["after a limit", { not_before: inMinutes(-2.5) }, true],
    ["soon after a limit", { not_before: inMinutes(-1) }, false],
    ["while the user has to act", { held_reason: "Why." }, false],
    ["while the user has paused", { paused_at: inMinutes(-9) }, false],
  ])("is sent %s: %s", async (_what, wait, isSent) => {
    const item = await newItem(SENT);
    await newWaitOf(item.job.owner, wait);
    expect(await probe(item)).toEqual(isSent ? [item.id] : []);
  });

  const ended = (minutes: number) => ({
    status: "completed",
    completed_at: inMinutes(0),
    claimed_at: inMinutes(minutes),
  });
  const working = { ...AT_WORK, claimed_at: inMinutes(-30) };

  it.each<[string, Columns, number, boolean, boolean]>([
    ["is at work, however long", working, 5, false, true],
    ["was at work and is lost", working, -1, true, true],
    ["was claimed since", { claimed_at: inMinutes(-1) }, 0, false, true],
    ["was claimed before", { claimed_at: inMinutes(-2.5) }, 0, true, true],
    ["was claimed since and has ended", ended(-1), 0, false, false],
    ["was claimed before and has ended", ended(-3), 0, true, true],
    ["is a probe without an answer", { probed_at: inMinutes(-60) }, 0, false, true],
    ["was a probe a day ago", { probed_at: inMinutes(-25 * 60) }, 0, true, true],
    ["was a probe and has ended", { status: "failed", probed_at: inMinutes(-60) }, 0, true, true],
  ])("depends on another item of its kind, which %s", async (_what, columns, lease, isSent, isSentAnew) => {
    const item = await newItem(SENT);
    const owner = item.job.owner;
    // Neither another kind's nor another user's counts.
    for (const job of [await newJobOf(owner, { job_type: CONTENT }), await newJobOf(await newOwner())]) {
      await newLeaseOf(await newItemOf(job, { ...AT_WORK, claimed_at: new Date(), probed_at: new Date() }), 5);
    }
    const other = await newItemOf(item.job, { created_at: inMinutes(-9), ...columns });
    if (lease !== 0) await newLeaseOf(other, lease);
    expect(await probe(item)).toEqual(isSent ? [item.id] : []);
    await query("UPDATE processing_queue SET sent_at = $2, probed_at = NULL WHERE id = $1", [item.id, SENT.sent_at]);
    expect(await probe(item, true)).toEqual(isSentAnew ? [item.id] : []);
  });

  it("is not waited for while it is locked", async () => {
    const item = await newItem(SENT);
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM processing_queue WHERE id = ${item.id}::uuid FOR UPDATE`;
      expect(await probe(item)).toEqual([]);
    });
  });

  it("that was claimed shows which items are lost: those sent before it that are due", async () => {
    const item = await newItem(SENT);
    const owner = item.job.owner;
    const lost = await newItemAtWork(item.job, -1, SENT);
    await newItemOf(item.job, { ...SENT, sent_at: inMinutes(-1) });
    await newItemOf(item.job, { ...SENT, not_before: inMinutes(1) });
    await newItemOf(item.job, { ...SENT, status: "completed" });
    await newItemAtWork(item.job, 5, SENT);
    await newItemOf(await newJobOf(owner, { job_type: CONTENT }), SENT);
    await newItem(SENT);
    const at = inMinutes(-2).toISOString();
    const { answer, changed } = await changesBy(() => markLost(owner.id, OUTLINE, at));
    expect(answer).toBe(2);
    expect(changed).toEqual({ [nameOf(item)]: { sent_at: null }, [nameOf(lost)]: { sent_at: null } });
    await query("UPDATE processing_queue SET sent_at = $2 WHERE id = $1", [item.id, SENT.sent_at]);
    await sendLost(owner.id, OUTLINE, at);
    expect(sent().sort()).toEqual([eventOf(item, 2), eventOf(lost, 2)].sort());
  });

  it("sends nothing again when nothing is lost, and leaves it to the sweep when the engine is away", async () => {
    const item = await newItem({ ...SENT, sent_at: inMinutes(-1) });
    const unsent = await newItemOf(item.job);
    await sendLost(item.job.owner.id, OUTLINE, inMinutes(-2).toISOString());
    expect(sent()).toEqual([]);
    away();
    await sendLost(item.job.owner.id, OUTLINE, inMinutes(0).toISOString());
    expect(ids(await takeUnsent({}, 0, 10)).sort()).toEqual([item.id, unsent.id].sort());
  });
});

describe("a hold that ends", () => {
  it("sends its user's unsent items; without a hold nothing is sent", async () => {
    const item = await newItem({ updated_at: new Date() });
    const owner = item.job.owner.id;
    expect([await resumeHeldItems(owner), sent()]).toEqual([0, []]);
    await newWaitOf(item.job.owner, { held_reason: "No." });
    await newItem();
    expect([await resumeHeldItems(owner), sent()]).toEqual([1, [eventOf(item)]]);
    await query("UPDATE provider_waits SET held_reason = 'No.'");
    await query("UPDATE processing_queue SET sent_at = NULL");
    away();
    expect(await resumeHeldItems(owner)).toBe(0);
  });
});

describe("the sweep", () => {
  it("ends orphans, sends what was not sent for a minute, and probes after two quiet ones", async () => {
    const orphan = await newItem({ content_piece_id: randomUUID() });
    const item = await newItem({ updated_at: inMinutes(-1.1) });
    await newItem({ updated_at: inMinutes(-0.8) });
    const quiet = await newItem({ ...SENT, sent_at: inMinutes(-2.1) });
    await newItem({ ...SENT, sent_at: inMinutes(-1.8) });
    expect(await sweep()).toBe(2);
    expect(sent()).toEqual([eventOf(item), eventOf(quiet, 2)]);
    expect(await query("SELECT status::text FROM processing_queue WHERE id = $1", [orphan.id])).toEqual([
      { status: "cancelled" },
    ]);
  });

  it.each<[string, string | null]>([
    ["an earlier key", "of another"],
    ["a key without a model, as it was held before", createHash("sha256").update("").digest("base64url")],
    ["the same key and model", null],
  ])("releases what is held for %s, unless it is the same", async (_what, key) => {
    const item = await newItem();
    const held_key = key ?? (await aiAccessFingerprint(item.job.owner.id));
    await newWaitOf(item.job.owner, { held_reason: "Why.", held_key });
    await sweep();
    expect(sent()).toEqual(key ? [eventOf(item)] : []);
  });

  it.each(["OPENAI_MODEL", "OPENAI_BASE_URL"] as const)("releases held items when %s was changed", async (name) => {
    const item = await newItem();
    await newWaitOf(item.job.owner, { held_reason: "Why.", held_key: await aiAccessFingerprint(item.job.owner.id) });
    const before = env[name];
    env[name] = `${before}-2`;
    await sweep();
    env[name] = before;
    expect(sent()).toEqual([eventOf(item)]);
  });
});

it.each([false, true])(
  "an engine that is back is sent what waits, and probed at once if it is new: %s",
  async (hasForgotten) => {
    const young = await newItem({ updated_at: new Date() });
    const known = await newItem({ ...SENT, sent_at: new Date(), probed_at: new Date() });
    await resumeAfterOutage({ hasForgotten });
    expect(sent()).toEqual([...(hasForgotten ? [eventOf(known, 2)] : []), eventOf(young)]);
  },
);

describe("resuming", () => {
  const resume = ({ job }: Item) => resumeProcessing(actorFromQueueRow({ userId: job.owner.id, id: randomUUID() }));

  async function withKey(columns: Columns[], wait: Columns = {}): Promise<Item> {
    const owner = await newOwner();
    await owner.caller.patch("/api/user/settings", { openaiApiKey: "sk-test" });
    await newWaitOf(owner, wait);
    const job = await newJobOf(owner);
    const [first] = await Promise.all(columns.map((each) => newItemOf(job, each)));
    return first as Item;
  }

  it.each<[string, Columns[], Columns, string]>([
    ["nothing of what was sent just now", [{ ...SENT, sent_at: inMinutes(1) }], {}, "Nothing was pending."],
    ["one lost item", [{ ...SENT, sent_at: inMinutes(-0.2) }], {}, "1 item sent again."],
    ["unsent items", [{}, { updated_at: inMinutes(0) }], {}, "2 items sent again."],
    ["held items", [{}], { held_reason: "Why." }, "1 item sent again."],
    ["nothing of a deleted piece", [{ content_piece_id: randomUUID() }], {}, "Nothing was pending."],
  ])("sends %s", async (_what, columns, wait, message) => {
    const item = await withKey(columns, wait);
    await newItem();
    expect(await resume(item)).toEqual({ resumed: Number.parseInt(message, 10) || 0, message });
  });

  it("needs a key when items wait", async () => {
    const item = await newItem({ status: "failed" });
    await newItem();
    expect(await resume(item)).toMatchObject({ resumed: 0 });
    await newItemOf(item.job);
    await expect(resume(item)).rejects.toMatchObject({ type: "MISSING_API_KEY" });
  });

  it("says that the engine is away if it is; otherwise its error ends the call", async () => {
    const item = await withKey([{}]);
    away();
    await expect(resume(item)).rejects.toThrow("connection refused");
    await query("UPDATE engine_state SET away_since = now()");
    const message = "The job engine is away. Pending items continue when it is back.";
    expect(await resume(item)).toEqual({ resumed: 0, message });
    await query("UPDATE processing_queue SET status = 'cancelled', completed_at = now()");
    expect(await resume(item)).toEqual({ resumed: 0, message: "Nothing was pending." });
  });
});
