import { createHash, randomUUID } from "node:crypto";
import { NO_TOKENS, withTokens } from "@/lib/ai/tokens";
import { Prisma } from "@/lib/db/prisma";
import { AppError, type ErrorType } from "@/lib/errors";
import { type Kind, type Made, RecordedFailure, workOnItem } from "@/lib/features/work/writes/run";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  AT_WORK,
  afterChange,
  afterClaim,
  type Columns,
  emptyQueues,
  type Item,
  inMinutes,
  newItemOf,
  newJobOf,
  newLeaseOf,
  newOwner,
  newWaitOf,
  OUTLINE,
  runOf,
} from "@/tests/support/queue-rows";
import { recordEvents } from "@/tests/support/sent-events";

// What a run does after each way that a call can end: the rows, and the run's next step.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const { sent } = recordEvents();

emptyQueues();

/** The user's turn at a provider that limited a minute ago. */
const TURN = { level: 4, not_before: inMinutes(-1), limited_at: inMinutes(-1), limited_since: inMinutes(-9) };
const RELEASED = { not_before: null, taker_until: null, limited_since: null, level: 2 };

const onFailed = jest.fn(async () => undefined);
beforeEach(() => onFailed.mockClear());

/** One look of a run; \`work\` is the call. */
function look(item: Item, work: () => Promise<Made>) {
  const read = () => ({ access: "as it was" });
  const kind: Kind<{ access: string }> = { jobType: OUTLINE, context: () => Prisma.sql`NULL`, read, work, onFailed };
  return workOnItem(kind, runOf(item)).catch((error: unknown) => error);
}

async function newCase(item: Columns, wait?: Columns): Promise<Item> {
  const made = await newItemOf(await newJobOf(await newOwner()), item);
  if (wait) await newWaitOf(made.job.owner, wait);
  return made;
}

const rowOf = async ({ id }: Item) =>
  (await query("SELECT *, status::text FROM processing_queue WHERE id = $1", [id]))[0];
const waitRowOf = async ({ job }: Item) =>
  (await query<Columns>("SELECT * FROM provider_waits WHERE user_id = $1", [job.owner.id]))[0];
const wait = (waitSeconds: number) => ({ next: "wait", waitSeconds });
const end = (as: string) => ({ next: "end", as });
const CANCEL = "UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1";
const LOSE = "UPDATE processing_queue SET claim_token = gen_random_uuid() WHERE job_id = $1";

it("goes on at once with what the release before keeps between two calls, and counts no attempt", async () => {
  const token = createHash("md5").update("run-1/0").digest("hex");
  const item = await newCase({ ...AT_WORK, claim_token: token });
  await newLeaseOf(item, 5);
  expect(await look(item, async () => ({ next: "done", save: async () => null }))).toEqual(end("completed"));
  expect(await rowOf(item)).toMatchObject({ status: "completed", retry_count: 0 });
});

describe("a call that fails", () => {
  type Case = { item?: Columns; wait?: Columns; meanwhile?: string; row: Columns; left?: Columns };
  const away = new AppError("AI_PROVIDER_ERROR");
  const limited = new AppError("AI_RATE_LIMITED", { retryAfter: 60 });
  const pending = (retry_count: number) => ({ row: { status: "pending", retry_count } });
  const failed = { row: { status: "failed" } };
  const held = { item: { sent_at: inMinutes(-9) }, row: { ...pending(0).row, sent_at: null } };
  const passed = { wait: TURN, left: { taker_until: null, level: 4 } };
  const fails = (type: ErrorType, retryAfter?: number) => expect.objectContaining({ type, retryAfter });

  it.each<[string, Error, Case, unknown]>([
    ["is tried again later", away, pending(1), fails("AI_PROVIDER_ERROR", 5)],
    ["is tried again as told", new AppError("AI_TIMEOUT", { retryAfter: 41.2 }), pending(1), fails("AI_TIMEOUT", 42)],
    [
      "counts if it was not foreseen",
      new Error("x"),
      { item: { retry_count: 1 }, ...pending(2) },
      fails("INTERNAL", 20),
    ],
    ["fails its item the last time", away, { item: { retry_count: 3 }, ...failed }, fails("AI_PROVIDER_ERROR")],
    ["fails its item if nothing can help", new AppError("TOO_COMPLEX"), failed, fails("TOO_COMPLEX")],
    ["cancels its item with the job", away, { meanwhile: CANCEL, row: { status: "cancelled" } }, end("cancelled")],
    ["changes nothing without the claim", away, { meanwhile: LOSE, row: { status: "processing" } }, wait(1)],
    ["passes the turn on", away, { ...passed, ...pending(1) }, fails("AI_PROVIDER_ERROR", 5)],
    ["passes it on for good", new AppError("TOO_COMPLEX"), { ...passed, ...failed }, fails("TOO_COMPLEX")],
    ["ends the limit", new AppError("AI_DECLINED"), { wait: TURN, left: RELEASED, ...failed }, fails("AI_DECLINED")],
    ["waits for a limit", limited, { left: { level: 1 }, ...pending(0) }, wait(expect.closeTo(60, 0))],
    ["holds the items", new AppError("INVALID_API_KEY"), { left: { held_key: "as it was" }, ...held }, end("held")],
  ])("%s (%s)", async (_what, thrown, { item: columns = {}, wait, meanwhile, row, left }, outcome) => {
    const item = await newCase(columns, wait);
    const answer = await look(item, async () => {
      if (meanwhile) await query(meanwhile, [item.job.id]);
      throw thrown;
    });
    expect(answer).toEqual(outcome);
    expect(answer instanceof Error).toBe(answer instanceof RecordedFailure);
    expect(await rowOf(item)).toMatchObject(row);
    if (left) expect(await waitRowOf(item)).toMatchObject(left);
    expect(onFailed).toHaveBeenCalledTimes(row.status === "failed" ? 1 : 0);
  });

  it("shows the provider's words in the row, does not give them to the engine, and keeps count of what was paid", async () => {
    const item = await newCase({});
    const details = { detail: "The provider says: “No.”" };
    const paid = withTokens(new AppError("AI_DECLINED", { details }), { ...NO_TOKENS, tokensOut: 7 });
    const answer = (await look(item, () => Promise.reject(paid))) as Error;
    expect(answer.message).not.toContain("“No.”");
    expect(await rowOf(item)).toMatchObject({ error: `${answer.message} The provider says: “No.”` });
    expect(await rowOf(item)).toMatchObject({ tokens_out: 7 });
  });

  it("fails what is due after a day of limits, says until when, and starts a new day", async () => {
    const item = await newCase({}, { ...TURN, limited_since: inMinutes(-24 * 60 - 1) });
    const due = await newItemOf(item.job);
    const answer = await look(item, () => Promise.reject(new AppError("AI_RATE_LIMITED", { retryAfter: 9_000 })));
    const error = expect.stringMatching(/until \d{1,2} [A-Z][a-z]+, \d\d:\d\d UTC\.$/);
    expect(answer).toMatchObject({ type: "AI_RATE_LIMITED", message: error });
    for (const one of [item, due]) expect(await rowOf(one)).toMatchObject({ status: "failed", error });
    expect(Number((await waitRowOf(item))?.limited_since)).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe("a call that succeeds", () => {
  const done: Made = { next: "done", save: async () => "A word." };

  it("completes its item and ends the limit, or is followed by another call", async () => {
    const [item, text] = [await newCase({}, TURN), await newCase({})];
    expect(await look(item, async () => done)).toEqual(end("completed"));
    expect(await waitRowOf(item)).toMatchObject(RELEASED);
    const more: Made = { ...done, next: "more", name: "Section 2 of 3", baseTextVersion: 4 };
    expect(await look(text, async () => more)).toEqual({ next: "more", name: "Section 2 of 3" });
    expect(await rowOf(text)).toMatchObject({ status: "processing", base_text_version: 4 });
  });

  it("costs an attempt if what it has made cannot be saved", async () => {
    const item = await newCase({});
    const refused = () => Promise.reject(new Error("No room on the disk."));
    const answer = await look(item, async () => ({ ...done, save: refused }));
    expect(answer).toMatchObject({ type: "INTERNAL", retryAfter: 5 });
    expect(await rowOf(item)).toMatchObject({ status: "pending", retry_count: 1 });
  });

  it("saves without the claim what no other run can have written, and releases the piece", async () => {
    const item = await newCase({});
    const save = jest.fn(async () => null);
    const answer = await look(item, async () => {
      await query(LOSE, [item.job.id]);
      return { ...done, save };
    });
    expect(answer).toEqual(wait(1));
    expect(save).toHaveBeenCalledWith(expect.anything(), false);
    expect(await query("SELECT 1 FROM leases WHERE subject = $1", [item.piece])).toEqual([]);
  });

  it("sends what was lost if it answers a probe", async () => {
    const item = await newCase({ sent_at: inMinutes(-5), probed_at: inMinutes(-5), sends: 2 });
    const lost = await newItemOf(item.job, { sent_at: inMinutes(-9), sends: 1 });
    await look(item, async () => done);
    expect(sent()).toEqual([expect.stringContaining(`${lost.id}-2`)]);
  });
});

it("fails an item that was lost with its last try, and cancels one whose piece is gone", async () => {
  const spent = await newCase({ ...AT_WORK, retry_count: 3 });
  const error = "The work stopped before it was done. Try again.";
  expect(await look(spent, jest.fn())).toMatchObject({ message: error });
  expect(await rowOf(spent)).toMatchObject({ status: "failed", error });
  const orphan = await newCase({ content_piece_id: randomUUID() });
  expect(await look(orphan, jest.fn())).toEqual(end("cancelled"));
});

it("does not end an item in its last try that a repeated call is claiming at that moment", async () => {
  const item = await newCase({ run_id: "run-1", retry_count: 3 });
  expect(await afterClaim(item, () => look(item, jest.fn()))).toEqual(wait(15));
  expect(await rowOf(item)).toMatchObject({ status: "processing" });
});

it("goes on with an item whose hold ends at that moment", async () => {
  const item = await newCase({}, { held_reason: "Why." });
  const release = "UPDATE provider_waits SET held_reason = NULL WHERE user_id = $1";
  const done: Made = { next: "done", save: async () => null };
  expect(await afterChange(release, item.job.owner.id, () => look(item, async () => done))).toEqual(end("completed"));
});

it("renews the lease on its piece and its turn every half minute of a call", async () => {
  const real = globalThis.setInterval;
  const sooner = (work: () => void, ms: number) => real(work, ms === 30_000 ? 10 : ms);
  jest.spyOn(globalThis, "setInterval").mockImplementation(sooner as never);
  const item = await newCase({}, TURN);
  const times = "SELECT l.until AS lease, w.taker_until AS turn FROM leases l JOIN provider_waits w USING (user_id)";
  await look(item, async () => {
    await query("UPDATE leases SET until = now() + interval '1 second'");
    await query("UPDATE provider_waits SET taker_until = now() + interval '1 second'");
    const isLater = (time: unknown) => Number(time) > Date.now() + 60_000;
    await eventually(
      () => query<{ lease: Date; turn: Date }>(times),
      ([row]) => isLater(row?.lease) && isLater(row?.turn),
    );
    return { next: "done", save: async () => null };
  });
});
