import { randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { sendEvents } from "@/lib/events/send";
import { beginNext, cancelItem, retryFailed, retryItem } from "@/lib/features/work/writes/items";
import { cancelJob, retryJob, startJob } from "@/lib/features/work/writes/jobs";
import { resumeAfterOutage } from "@/lib/features/work/writes/sending";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  inMinutes,
  type Job,
  newItemOf,
  newJobOf,
  newOwner,
  newPieceOf,
  newTopicOf,
  newWaitOf,
  OUTLINE,
  type Owner,
} from "@/tests/support/queue-rows";
import { recordEvents } from "@/tests/support/sent-events";

// What a user's commands do to a job, and which events they send to the engine.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/features/work/writes/sending", () => ({
  ...jest.requireActual<object>("@/lib/features/work/writes/sending"),
  resumeAfterOutage: jest.fn(),
}));

const { sent, away } = recordEvents();

emptyQueues();

const OVER = { status: "completed", completed_at: inMinutes(-9) };
const actor = ({ id }: Pick<Owner, "id">) => actorFromQueueRow({ userId: id, id: randomUUID() });

async function withKey(): Promise<Owner> {
  const owner = await newOwner();
  await owner.caller.patch("/api/user/settings", { openaiApiKey: "sk-test" });
  return owner;
}

async function newHeldItemOf(owner: Owner): Promise<Item> {
  await newWaitOf(owner, { held_reason: "Why." });
  return newItemOf(await newJobOf(owner, { job_type: CONTENT }));
}

describe("starting a job", () => {
  const start = (owner: Owner) => startJob(actor(owner), owner.topicId, OUTLINE);

  it("announces it, says how many items it has, and sends held items again", async () => {
    const owner = await newOwner();
    await newPieceOf(owner);
    const held = await newHeldItemOf(owner);
    const { message, jobId } = await start(owner);
    expect(message).toBe("2 outlines queued. You can keep working while they are written.");
    expect(sent()).toContain(`jobs/job.queued ${jobId}`);
    expect(sent()).toContain(`jobs/content-item.queued ${held.id}-1`);
  });

  it("says that the engine is away when it does not take the event", async () => {
    const owner = await newOwner();
    await newPieceOf(owner);
    away();
    const { message } = await start(owner);
    expect(message).toBe("1 outline queued. The job engine is away; the work begins when it is back.");
  });

  it.each([true, false])("also sends waiting items when it finds the engine back: %s", async (endedAbsence) => {
    const owner = await newOwner();
    await newPieceOf(owner);
    jest.mocked(resumeAfterOutage).mockReset().mockResolvedValue();
    jest.mocked(sendEvents).mockResolvedValue({ endedAbsence });
    await start(owner);
    expect(resumeAfterOutage).toHaveBeenCalledTimes(endedAbsence ? 1 : 0);
  });

  it("is refused while a job of the same topic and type is live, which it names", async () => {
    const owner = await newOwner();
    await newPieceOf(owner);
    await newJobOf(owner, OVER);
    await newJobOf(owner, { job_type: CONTENT });
    await newJobOf(await newTopicOf(owner));
    const live = await newJobOf(owner);
    await newJobOf(owner, OVER);
    await expect(start(owner)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: { jobId: live.id } });
  });

  it("is refused with nothing to do, and fails when the database fails", async () => {
    const owner = await newOwner();
    await expect(start(owner)).rejects.toMatchObject({ type: "NOTHING_TO_DO" });
    const unknown = startJob(actor(owner), owner.topicId, "no_such_type" as typeof OUTLINE);
    await expect(unknown).rejects.toThrow(/invalid input value for enum/);
    expect(sent()).toEqual([]);
  });
});

describe("cancelling a job", () => {
  it("returns it, leaves an ended one as it is, and hides another user's", async () => {
    const { job } = await newItemOf(await newJobOf(await newOwner(), { total_items: 1 }));
    const over = await newJobOf(job.owner, OVER);
    const cancel = (id: string) => cancelJob(actor(job.owner), id);
    expect(await cancel(job.id)).toMatchObject({ id: job.id, status: "cancelled", cancelledItems: 1 });
    expect(await cancel(over.id)).toMatchObject({ id: over.id, status: "completed" });
    await expect(cancelJob(actor(await newOwner()), job.id)).rejects.toMatchObject({ type: "NOT_FOUND" });
    expect(sent()).toEqual([]);
  });
});

describe("trying failed items again", () => {
  const FAILED = { ...OVER, status: "failed", error: "Why." };
  const failed = async (owner: Owner) => newItemOf(await newJobOf(owner, { ...OVER, failed_items: 1 }), FAILED);

  it("needs a key, for one and for all", async () => {
    const { id, job } = await failed(await newOwner());
    const refused = { type: "MISSING_API_KEY" };
    await expect(retryItem(actor(job.owner), id)).rejects.toMatchObject(refused);
    await expect(retryFailed(actor(job.owner), {})).rejects.toMatchObject(refused);
  });

  it("announces their jobs and sends held items again", async () => {
    const owner = await withKey();
    const held = await newHeldItemOf(owner);
    const { job } = await failed(await newTopicOf(owner));
    const answer = { retried: 1, message: "1 item will be tried again." };
    expect(await retryFailed(actor(owner), {})).toEqual(answer);
    expect(sent()).toContain(`jobs/job.queued ${job.id}`);
    expect(sent()).toContain(`jobs/content-item.queued ${held.id}-1`);
  });

  it("says what is left to the job that is live, or that this is all", async () => {
    const owner = await withKey();
    const busy = await newTopicOf(owner);
    await newJobOf(busy);
    await failed(busy);
    const refused = {
      type: "ALREADY_RUNNING",
      message: expect.stringContaining("A job is still working on this topic."),
    };
    await expect(retryFailed(actor(owner), {})).rejects.toMatchObject(refused);
    await failed(owner);
    await failed(owner);
    expect(await retryFailed(actor(owner), {})).toEqual({
      retried: 1,
      message: "1 item will be tried again. 2 more can be tried again once their topic's current job has ended.",
    });
  });

  it("says that a piece is gone", async () => {
    const over = { ...OVER, failed_items: 1, cancel_requested_at: inMinutes(-10) };
    const { id, piece, job } = await newItemOf(await newJobOf(await withKey(), over), FAILED);
    await query("DELETE FROM content_pieces WHERE id = $1", [piece]);
    const message = expect.stringContaining("have been deleted");
    await expect(retryItem(actor(job.owner), id)).rejects.toMatchObject({ type: "NOTHING_TO_DO", message });
  });

  it("waits for the end of a job that is being cancelled", async () => {
    const job = await newJobOf(await withKey(), { failed_items: 1, cancel_requested_at: inMinutes(-1) });
    const { id } = await newItemOf(job, FAILED);
    const message = "This job is being cancelled. Try its failed items again once it has ended.";
    await expect(retryItem(actor(job.owner), id)).rejects.toMatchObject({ type: "NOTHING_TO_DO", message });
  });
});

it("does not do an item next while its user's key is refused", async () => {
  const { id, job } = await newHeldItemOf(await newOwner());
  await expect(beginNext(actor(job.owner), id)).rejects.toMatchObject({
    type: "NOTHING_TO_DO",
    message: expect.stringContaining("on hold"),
  });
});

it("leaves an item that has ended as it is when it is cancelled", async () => {
  const { id, job } = await newItemOf(await newJobOf(await newOwner()), OVER);
  const { answer, changed } = await changesBy(() => cancelItem(actor(job.owner), id));
  expect([answer.status, changed]).toEqual(["completed", {}]);
});

describe("retrying a job's failed items", () => {
  const FAILED = { status: "failed", retry_count: 3 };
  const retry = (job: Job) => retryJob(actor(job.owner), job.id);
  const failed = async (owner: Owner, columns: Columns = {}) =>
    newItemOf(await newJobOf(owner, { ...OVER, failed_items: 1, ...columns }), FAILED);

  it("announces it, sends held items again, and returns the job", async () => {
    const owner = await withKey();
    const held = await newHeldItemOf(owner);
    const { job } = await failed(owner);
    expect(await retry(job)).toMatchObject({ id: job.id, status: "processing", failedItems: 0 });
    expect(sent()).toContain(`jobs/job.queued ${job.id}`);
    expect(sent()).toContain(`jobs/content-item.queued ${held.id}-1`);
  });

  it("needs a key if there is something to retry", async () => {
    const { job } = await failed(await newOwner());
    const { answer, changed } = await changesBy(() => retry(job).catch((error: unknown) => error));
    expect([answer, changed]).toEqual([expect.objectContaining({ type: "MISSING_API_KEY" }), {}]);
  });

  it("says that there is nothing to retry, even without a key", async () => {
    const nothing = { type: "NOTHING_TO_DO", message: "This job has no failed items to try again." };
    await expect(retry(await newJobOf(await newOwner(), OVER))).rejects.toMatchObject(nothing);
  });

  it("says that the pieces are gone", async () => {
    const item = await failed(await withKey());
    await query("DELETE FROM content_pieces WHERE id = $1", [item.piece]);
    const message = "The pieces of this job's failed items have been deleted. There is nothing to try again.";
    await expect(retry(item.job)).rejects.toMatchObject({ type: "NOTHING_TO_DO", message });
  });

  it("is refused while another job is live, and names it if it is of the same topic", async () => {
    const owner = await withKey();
    const { job } = await failed(owner);
    const live = await newJobOf(owner);
    await expect(retry(job)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: { jobId: live.id } });
    // A moved piece waits in the queue of its new topic.
    const moved = await failed(await newTopicOf(owner));
    await newItemOf(await newJobOf(await newTopicOf(owner)), { content_piece_id: moved.piece });
    await expect(retry(moved.job)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: undefined });
  });
});
