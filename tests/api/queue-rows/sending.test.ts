import { createHash, randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { env } from "@/lib/env";
import { cancelRun, EngineAway, findRun, runsOfEvent } from "@/lib/events/engine";
import { engineAwaySince } from "@/lib/events/presence";
import { sendEvents } from "@/lib/events/send";
import { selectUndispatched } from "@/lib/features/work/sql/waiting";
import { dispatchJob, sweep } from "@/lib/features/work/steps";
import { announceJob, cancelRuns } from "@/lib/features/work/writes/dispatch";
import { resumeAfterOutage, resumeProcessing } from "@/lib/features/work/writes/recover";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  manyItemsOf,
  nameOf,
  newGateOf,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
} from "@/tests/support/queue-rows";
import { recordEvents } from "@/tests/support/sent-events";

// What is sent to the engine, and when, with a mocked engine.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/events/engine", () => ({
  ...jest.requireActual<object>("@/lib/events/engine"),
  ...{ cancelRun: jest.fn(), findRun: jest.fn(), runsOfEvent: jest.fn() },
}));

const { batches, sent, away } = recordEvents();

emptyQueues();
beforeEach(async () => {
  jest.mocked(cancelRun).mockReset().mockResolvedValue();
  jest.mocked(findRun).mockResolvedValue(undefined);
  jest.mocked(runsOfEvent).mockResolvedValue([]);
  await query("UPDATE engine_state SET away_since = NULL");
});
afterAll(() => query("UPDATE engine_state SET away_since = NULL"));

const SENT = { dispatched_at: inMinutes(-60), event_ref: "event-1" };
/** Sent to the engine a while ago, but not overdue. */
const DUE = { dispatched_at: inMinutes(-5), updated_at: inMinutes(-5), event_ref: "event-1" };
const runNow = (status: string) => ({ runId: "run-1", status }) as unknown as Awaited<ReturnType<typeof findRun>>;

const cancelledRuns = async () => jest.mocked(cancelRun).mock.calls.map(([runId]) => runId);

async function newItem(columns: Columns = {}, job: Columns = {}): Promise<Item> {
  return newItemOf(await newJobOf(await newOwner(), job), columns);
}

describe("dispatching a job's items", () => {
  it("starts one run per item, with its type's event and its own dispatch, and records the engine's event id", async () => {
    const item = await newItem({ dispatch_seq: 2 });
    const text = await newItem({}, { job_type: CONTENT });
    for (const { job } of [item, text]) expect(await dispatchJob(job.id)).toBe(1);
    const event = ({ id, job, dispatch }: Item, name: string) => ({
      name,
      id: `item-${dispatch}`,
      data: { itemId: id, jobId: job.id, userId: job.owner.id, dispatch },
    });
    expect(batches.flat()).toMatchObject([
      event(item, "jobs/outline-item.queued"),
      event(text, "jobs/content-item.queued"),
    ]);
    const refs = await query(
      "SELECT event_ref, dispatched_at IS NOT NULL AS sent FROM processing_queue WHERE id = ANY($1)",
      [[item.id, text.id]],
    );
    expect(refs).toEqual(Array(2).fill({ event_ref: "ref-0", sent: true }));
  });

  it("sends all of them, five hundred at a time", async () => {
    const job = await newJobOf(await newOwner(), { total_items: 501 });
    await manyItemsOf(job, 501);
    expect(await dispatchJob(job.id)).toBe(501);
    expect(batches.map((batch) => batch.length)).toEqual([500, 1]);
    expect(await selectUndispatched(job.id, 1)).toEqual([]);
    expect(await dispatchJob(job.id)).toBe(0);
    expect(batches).toHaveLength(2);
  });

  it("marks items as sent even without the engine's event ids", async () => {
    const item = await newItem();
    jest.mocked(sendEvents).mockResolvedValue({ ids: [], endedAbsence: false });
    const { changed } = await changesBy(() => dispatchJob(item.job.id));
    expect(changed).toEqual({ [nameOf(item)]: { dispatched_at: 0 } });
  });

  it("is triggered by the job's event, unless the engine is away", async () => {
    expect(await announceJob(randomUUID(), "of-a-job")).toEqual({ ids: ["ref-0"], endedAbsence: false });
    expect(sent()).toEqual([expect.stringContaining("of-a-job")]);
    away();
    expect(await announceJob(randomUUID(), "of-a-job")).toBeUndefined();
  });
});

describe("cancelling runs", () => {
  it("asks the engine for four at a time", async () => {
    const calls = { atOnce: 0, most: 0 };
    jest.mocked(cancelRun).mockImplementation(async () => {
      calls.most = Math.max(calls.most, ++calls.atOnce);
      await new Promise(setImmediate);
      calls.atOnce--;
    });
    cancelRuns(Array.from({ length: 20 }, (_, n) => `run-${n}`));
    await eventually(cancelledRuns, (runs) => runs.length === 20);
    expect(calls.most).toBe(4);
  });

  it("stops when the engine does not take one", async () => {
    jest.mocked(cancelRun).mockRejectedValue(new Error("connection refused"));
    cancelRuns(Array.from({ length: 20 }, (_, n) => `run-${n}`));
    await eventually(cancelledRuns, (runs) => runs.length > 0);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect((await cancelledRuns()).length).toBeLessThan(20);
  });
});

describe("the sweep", () => {
  it("sends items overdue by a minute, and leaves younger ones", async () => {
    const item = await newItem({ updated_at: inMinutes(-60.5 / 60) });
    await newItemOf(item.job, { updated_at: inMinutes(-0.7) });
    expect(await sweep()).toBe(1);
    expect(sent()).toEqual([expect.stringContaining(item.dispatch)]);
  });

  it("frees abandoned items, and ends orphaned ones", async () => {
    const lost = await newItem({ status: "processing" });
    const orphan = await newItem({ content_piece_id: randomUUID() });
    await sweep();
    const rows = await query("SELECT id, status::text, retry_count FROM processing_queue WHERE id = ANY($1)", [
      [lost.id, orphan.id],
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: lost.id, status: "pending", retry_count: 1 },
        { id: orphan.id, status: "cancelled", retry_count: 0 },
      ]),
    );
  });

  it("resends lost items at once", async () => {
    const item = await newItem({ ...DUE, run_id: "run-1" });
    expect(await sweep()).toBe(1);
    expect(sent()).toEqual([expect.stringMatching(new RegExp(`${item.id}-1$`))]);
    expect(jest.mocked(findRun).mock.calls.at(-1)).toEqual(["run-1"]);
  });

  it("cancels a superseded run that the engine calls open, and no run that it does not know", async () => {
    await newItem({ ...DUE, dispatched_at: inMinutes(-15.1), updated_at: inMinutes(-60) });
    await newItem({ ...DUE, run_id: "run-2" });
    jest.mocked(runsOfEvent).mockResolvedValue([runNow("Running")].flatMap((run) => run ?? []));
    expect(await sweep()).toBe(2);
    expect(await eventually(cancelledRuns, (runs) => runs.length > 0)).toEqual(["run-1"]);
  });

  it.each<[string, Columns, string | undefined, boolean]>([
    ["a running run", DUE, "Running", false],
    ["a queued run", DUE, "Queued", false],
    ["a scheduled run", DUE, "Scheduled", false],
    ["a run that ended without finishing the item", DUE, "Completed", true],
    ["an unknown run", DUE, undefined, true],
    ["a long overdue run", { ...DUE, dispatched_at: inMinutes(-15.1), updated_at: inMinutes(-60) }, "Running", true],
    ["a slightly overdue run", { ...DUE, dispatched_at: inMinutes(-14.9) }, "Running", false],
  ])("asks the engine about %s", async (_what, columns, status, isLost) => {
    const run = status ? runNow(status) : undefined;
    jest.mocked(findRun).mockResolvedValue(run);
    jest.mocked(runsOfEvent).mockImplementation(async (event) => (run && event === "event-1" ? [run] : []));
    for (const run_id of ["run-1", null]) {
      const item = await newItem({ ...columns, run_id });
      expect([run_id, await sweep()]).toEqual([run_id, isLost ? 1 : 0]);
      await query("DELETE FROM processing_jobs WHERE id = $1", [item.job.id]);
    }
  });

  it("does not treat an item as lost while any run of its event is open", async () => {
    await newItem(DUE);
    jest.mocked(runsOfEvent).mockResolvedValue([runNow("Cancelled"), runNow("Running")].flatMap((run) => run ?? []));
    expect(await sweep()).toBe(0);
  });

  it("takes back items that an earlier release sent without a recorded event, without asking the engine", async () => {
    await newItem({ ...DUE, event_ref: null });
    jest.mocked(runsOfEvent).mockClear();
    expect(await sweep()).toBe(1);
    expect(jest.mocked(runsOfEvent)).not.toHaveBeenCalled();
  });

  it("treats nothing as lost while the engine does not respond", async () => {
    await newItem({ ...DUE, run_id: "run-1" });
    jest.mocked(findRun).mockRejectedValue(new Error("connection refused"));
    expect(await sweep()).toBe(0);
  });

  /** Items that were sent a while ago, with their pieces. */
  const manySent = async (count: number) => {
    const job = await newJobOf(await newOwner(), { total_items: 500 });
    await manyItemsOf(job, count, ", dispatched_at, event_ref", ", now() - interval '5 minutes', 'event'");
    await query(
      `WITH p AS (INSERT INTO content_pieces (id, user_id, project_id, topic_id, title)
         SELECT content_piece_id, user_id, $2, topic_id, 'Seeds' FROM processing_queue WHERE job_id = $1 RETURNING 1) SELECT count(*) FROM p`,
      [job.id, job.owner.projectId],
    );
    jest.mocked(runsOfEvent).mockClear();
  };

  it("stops asking an engine that is silent, and notes that it is away", async () => {
    await manySent(20);
    const silence = new EngineAway("The job engine does not answer.", { cause: new Error("timed out") });
    jest.mocked(runsOfEvent).mockRejectedValue(silence);
    expect(await sweep()).toBe(0);
    expect(jest.mocked(runsOfEvent)).toHaveBeenCalledTimes(8);
    expect(await engineAwaySince()).not.toBeNull();
  });

  it("goes on asking an engine that is only busy, which is not away", async () => {
    await manySent(20);
    jest.mocked(runsOfEvent).mockRejectedValue(new EngineAway("The job engine answered GET with 429."));
    expect(await sweep()).toBe(0);
    expect(jest.mocked(runsOfEvent)).toHaveBeenCalledTimes(20);
    expect(await engineAwaySince()).toBeNull();
  });

  it("takes back all waiting items when the engine has lost a hundred, the most that it asks about", async () => {
    await manySent(103);
    const queries = { atOnce: 0, most: 0, all: 0 };
    jest.mocked(runsOfEvent).mockImplementation(async () => {
      queries.all++;
      queries.most = Math.max(queries.most, ++queries.atOnce);
      await new Promise(setImmediate);
      queries.atOnce--;
      return [];
    });
    expect(await sweep()).toBe(103);
    expect(queries).toEqual({ atOnce: 0, most: 8, all: 100 });
  });

  it("takes back only the lost items when the engine knows the others", async () => {
    const item = await newItem({ ...DUE, run_id: "run-1" });
    await newItem({ ...DUE, run_id: "run-2" });
    jest.mocked(findRun).mockImplementation(async (id) => (id === "run-2" ? runNow("Running") : undefined));
    const { changed } = await changesBy(sweep);
    expect(Object.keys(changed)).toEqual([nameOf(item)]);
  });

  it("releases held items of people who have replaced the refused key", async () => {
    const same = await newItem({ is_held: true });
    const changed = await newItem({ is_held: true });
    const { aiAccessFingerprint } = await import("@/lib/features/account/settings/reads");
    await newGateOf(same.job.owner, { held_error: "Why.", held_key: await aiAccessFingerprint(same.job.owner.id) });
    await newGateOf(changed.job.owner, { held_error: "Why.", held_key: "of another" });
    await sweep();
    expect(sent()).toEqual([expect.stringContaining(`${changed.id}-1`)]);
  });

  it.each(["OPENAI_MODEL", "OPENAI_BASE_URL"] as const)("releases held items when %s was changed", async (name) => {
    const item = await newItem({ is_held: true });
    const { aiAccessFingerprint } = await import("@/lib/features/account/settings/reads");
    await newGateOf(item.job.owner, { held_error: "Why.", held_key: await aiAccessFingerprint(item.job.owner.id) });
    const before = env[name];
    env[name] = `${before}-2`;
    await sweep();
    env[name] = before;
    expect(sent()).toEqual([expect.stringContaining(`${item.id}-1`)]);
  });

  it("asks once more for what was held before the model counted", async () => {
    const item = await newItem({ is_held: true });
    const sealed = createHash("sha256").update("").digest("base64url");
    await newGateOf(item.job.owner, { held_error: "Why.", held_key: sealed });
    await sweep();
    expect(sent()).toEqual([expect.stringContaining(`${item.id}-1`)]);
  });
});

describe("an engine that is back", () => {
  it("is sent all waiting items and asked about all sent ones, whatever their age", async () => {
    const young = await newItem({ updated_at: new Date(), created_at: inMinutes(-70) });
    const known = await newItem({ ...DUE, run_id: "run-1", dispatched_at: new Date() });
    jest.mocked(findRun).mockResolvedValue(runNow("Running"));
    expect(await resumeAfterOutage()).toBe(1);
    expect(sent()).toEqual([expect.stringContaining(young.dispatch)]);
    jest.mocked(findRun).mockResolvedValue(undefined);
    await resumeAfterOutage();
    expect(sent().filter((event) => event.includes(known.id))).toEqual([expect.stringContaining(`${known.id}-1`)]);
  });
});

describe("resuming", () => {
  const actor = (item: Item) => actorFromQueueRow({ userId: item.job.owner.id, id: item.id });

  async function withKey(columns: Columns[]): Promise<Item> {
    const owner = await newOwner();
    await owner.caller.patch("/api/user/settings", { openaiApiKey: "sk-test" });
    const job = await newJobOf(owner);
    const items: Item[] = [];
    for (const each of columns) items.push(await newItemOf(job, each));
    return items[0] as Item;
  }

  it.each<[string, Columns[], number, string]>([
    ["nothing", [SENT], 0, "Nothing was pending."],
    ["one item", [{ updated_at: inMinutes(-2) }], 1, "1 item sent again."],
    ["an item due five seconds ago", [{ updated_at: inMinutes(-5.5 / 60) }], 1, "1 item sent again."],
    ["several items", [{}, {}], 2, "2 items sent again."],
    ["a held item and a waiting one", [{ is_held: true }, { ...DUE, run_id: "run-1" }], 2, "2 items sent again."],
    ["nothing for newer items", [{ updated_at: inMinutes(60) }], 0, "Nothing was pending."],
  ])("sends %s", async (_what, columns, resumed, message) => {
    const item = await withKey(columns);
    if (columns[0] === SENT)
      jest.mocked(runsOfEvent).mockResolvedValue([runNow("Running")].flatMap((run) => run ?? []));
    await query(
      "UPDATE processing_queue SET dispatched_at = now() - interval '5 minutes' WHERE job_id = $1 AND dispatched_at IS NOT NULL",
      [item.job.id],
    );
    await query(
      "UPDATE processing_queue SET updated_at = now() - interval '5 minutes' WHERE job_id = $1 AND updated_at < now() - interval '30 minutes'",
      [item.job.id],
    );
    expect(await resumeProcessing(actor(item))).toEqual({ resumed, message });
  });

  it("needs a key when items wait, and none when they are running or ended", async () => {
    const item = await newItem({ status: "processing" });
    await newLeaseOf(item, 5);
    await newItem();
    expect(await resumeProcessing(actor(item))).toMatchObject({ resumed: 0 });
    await newItemOf(item.job);
    await expect(resumeProcessing(actor(item))).rejects.toMatchObject({ type: "MISSING_API_KEY" });
  });

  it("says that the engine is away when items wait for it", async () => {
    await query("UPDATE engine_state SET away_since = now()");
    away();
    const waiting = await withKey([{ is_held: true }, {}]);
    const message = "The job engine is away. Pending items continue when it is back.";
    expect(await resumeProcessing(actor(waiting))).toEqual({ resumed: 1, message });
    const working = await withKey([{ status: "processing" }]);
    await newLeaseOf(working, 5);
    expect(await resumeProcessing(actor(working))).toEqual({ resumed: 0, message: "Nothing was pending." });
  });

  it("fails with the engine's error when the engine is not away", async () => {
    away();
    const item = await withKey([{}]);
    await expect(resumeProcessing(actor(item))).rejects.toThrow("connection refused");
  });
});
