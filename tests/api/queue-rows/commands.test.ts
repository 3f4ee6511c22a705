import { randomUUID } from "node:crypto";
import { actorOfQueueRow } from "@/lib/auth/actor";
import { sendEvents } from "@/lib/events/send";
import { cancelJob, retryJob, startJob } from "@/lib/features/jobs/writes/jobs";
import { engineBack } from "@/lib/features/jobs/writes/recover";
import { query } from "@/tests/support/db";
import {
  afterChange,
  CONTENT,
  type Columns,
  changesBy,
  type Item,
  inMinutes,
  type Job,
  newItemOf,
  newJobOf,
  newOwner,
  newPieceOf,
  newTopicOf,
  OUTLINE,
  type Owner,
} from "@/tests/support/queue-rows";
import { recordEvents } from "@/tests/support/sent-events";

// What a person's commands do to a job, and which events the engine gets.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/features/jobs/writes/recover", () => ({ engineBack: jest.fn() }));

const { sent, away } = recordEvents();

beforeAll(() => query("DELETE FROM processing_jobs"));
beforeEach(() => query("DELETE FROM provider_gates"));
afterEach(() => query("DELETE FROM processing_jobs"));

const SENT = { dispatched_at: inMinutes(-60), event_ref: "event-1" };
const OVER = { status: "completed", completed_at: inMinutes(-9) };
const actor = ({ id }: Pick<Owner, "id">) => actorOfQueueRow({ userId: id, id: randomUUID() });

async function withKey(): Promise<Owner> {
  const owner = await newOwner();
  await owner.caller.patch("/api/user/settings", { openaiApiKey: "sk-test" });
  return owner;
}

describe("starting a job", () => {
  const start = (owner: Owner) => startJob(actor(owner), owner.topicId, OUTLINE);

  it("announces it, says how much there is to do, and asks again for what was held", async () => {
    const owner = await newOwner();
    await newPieceOf(owner);
    const held = await newItemOf(await newJobOf(owner, { job_type: CONTENT }), { is_held: true });
    const { message, jobId } = await start(owner);
    expect(message).toBe("2 outlines queued. You can go on working while they are written.");
    expect(sent()).toContain(`jobs/job.queued ${jobId}`);
    expect(sent()).toContain(`jobs/content-item.queued ${held.id}-1`);
  });

  it("says that the engine is away, where it does not take it or takes more than two seconds", async () => {
    const message = "1 outline queued. The job engine is away; the work begins when it is back.";
    const owner = await newOwner();
    await newPieceOf(owner);
    away();
    expect((await start(owner)).message).toBe(message);
    const another = await newTopicOf(owner);
    await newPieceOf(another);
    let waits: number | undefined;
    jest.mocked(sendEvents).mockImplementation(() => {
      // The next timer is that of the person's patience: it is over at once.
      jest.spyOn(globalThis, "setTimeout").mockImplementationOnce((over, milliseconds) => {
        waits = milliseconds;
        over();
        return undefined as unknown as NodeJS.Timeout;
      });
      return new Promise(() => undefined);
    });
    expect((await start(another)).message).toBe(message);
    expect(waits).toBe(2_000);
  });

  it.each([true, false])("sends what waited as well, where it finds the engine back: %s", async (endedAbsence) => {
    const owner = await newOwner();
    await newPieceOf(owner);
    jest.mocked(engineBack).mockReset().mockResolvedValue(1);
    jest.mocked(sendEvents).mockResolvedValue({ ids: [], endedAbsence });
    await start(owner);
    expect(engineBack).toHaveBeenCalledTimes(endedAbsence ? 1 : 0);
  });

  it("is refused while one of the topic and type is live, which is named", async () => {
    const owner = await newOwner();
    await newPieceOf(owner);
    await newJobOf(owner, OVER);
    await newJobOf(owner, { job_type: CONTENT });
    await newJobOf(await newTopicOf(owner));
    const live = await newJobOf(owner);
    await newJobOf(owner, OVER);
    await expect(start(owner)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: { jobId: live.id } });
  });

  it("is refused where nothing is to do, and fails as the database does", async () => {
    const owner = await newOwner();
    await expect(start(owner)).rejects.toMatchObject({ type: "NOTHING_TO_DO" });
    const unknown = startJob(actor(owner), owner.topicId, "no_such_type" as typeof OUTLINE);
    await expect(unknown).rejects.toThrow(/invalid input value for enum/);
    expect(sent()).toEqual([]);
  });
});

describe("cancelling a job", () => {
  const cancelled = ({ dispatch }: Item) => `jobs/item.cancelled ${dispatch}`;

  it("ends the runs of what waited, and answers the job", async () => {
    const item = await newItemOf(await newJobOf(await newOwner(), { total_items: 1 }), SENT);
    const job = await cancelJob(actor(item.job.owner), item.job.id);
    expect(job).toMatchObject({ id: item.job.id, status: "cancelled", cancelledItems: 1 });
    expect(sent()).toEqual([cancelled(item)]);
  });

  it("takes along what is put back to waiting at this moment", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), { ...SENT, status: "processing" });
    const putBack = `WITH job AS (UPDATE processing_jobs SET revision = revision + 1 WHERE id = $1)
      UPDATE processing_queue SET status = 'pending', claim_token = NULL WHERE job_id = $1`;
    await afterChange(putBack, item.job.id, () => cancelJob(actor(item.job.owner), item.job.id));
    expect(sent()).toEqual([cancelled(item)]);
  });

  it("leaves one that has ended as it is, and hides another's", async () => {
    const job = await newJobOf(await newOwner(), OVER);
    expect(await cancelJob(actor(job.owner), job.id)).toMatchObject({ id: job.id, status: "completed" });
    await expect(cancelJob(actor(await newOwner()), job.id)).rejects.toMatchObject({ type: "NOT_FOUND" });
    expect(sent()).toEqual([]);
  });
});

describe("trying a job's failed items again", () => {
  const FAILED = { status: "failed", retry_count: 3 };
  const retry = (job: Job) => retryJob(actor(job.owner), job.id);
  const failed = async (owner: Owner, columns: Columns = {}) =>
    newItemOf(await newJobOf(owner, { ...OVER, failed_items: 1, ...columns }), FAILED);

  it("announces it, asks again for what was held, and answers the job", async () => {
    const owner = await withKey();
    const held = await newItemOf(await newJobOf(owner, { job_type: CONTENT }), { is_held: true });
    const { job } = await failed(owner);
    expect(await retry(job)).toMatchObject({ id: job.id, status: "processing", failedItems: 0 });
    expect(sent()).toContain(`jobs/job.queued ${job.id}`);
    expect(sent()).toContain(`jobs/content-item.queued ${held.id}-1`);
  });

  it("needs a key where there is something to try again", async () => {
    const { job } = await failed(await newOwner());
    const { answer, changed } = await changesBy(() => retry(job).catch((error: unknown) => error));
    expect([answer, changed]).toEqual([expect.objectContaining({ type: "MISSING_API_KEY" }), {}]);
  });

  it("says without a key as well where there is nothing", async () => {
    const nothing = { type: "NOTHING_TO_DO", message: "This job has no failed items to try again." };
    const owner = await newOwner();
    const over = await newJobOf(owner, OVER);
    const live = await newJobOf(owner, { failed_items: 1 });
    for (const job of [over, live]) await expect(retry(job)).rejects.toMatchObject(nothing);
  });

  it("says that the pieces are gone where they are", async () => {
    const item = await failed(await withKey());
    await query("DELETE FROM content_pieces WHERE id = $1", [item.piece]);
    const message = "The pieces of this job's failed items have been deleted. There is nothing to try again.";
    await expect(retry(item.job)).rejects.toMatchObject({ type: "NOTHING_TO_DO", message });
  });

  it("is refused while another job is live, which is named where it is of the topic", async () => {
    const owner = await withKey();
    const { job } = await failed(owner);
    const live = await newJobOf(owner);
    await expect(retry(job)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: { jobId: live.id } });
    // A piece that was moved waits in the queue of its new topic.
    const moved = await failed(await newTopicOf(owner));
    await newItemOf(await newJobOf(await newTopicOf(owner)), { content_piece_id: moved.piece });
    await expect(retry(moved.job)).rejects.toMatchObject({ type: "ALREADY_RUNNING", details: undefined });
  });
});
