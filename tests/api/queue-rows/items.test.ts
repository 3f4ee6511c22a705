import { randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { listQueueItems, liveJobOfPiece, ownedItem, ownedJob, queueStatus } from "@/lib/features/work/reads";
import type { QueueItemOut } from "@/lib/features/work/schema";
import { newPublishingJob } from "@/tests/support/chunk-rows";
import { query } from "@/tests/support/db";
import {
  CONTENT,
  type Columns,
  emptyQueues,
  inMinutes,
  newItemOf,
  newJobOf,
  newOwner,
  newTopicOf,
  newWaitOf,
  OUTLINE,
  type Owner,
} from "@/tests/support/queue-rows";

// What the API says about an item: what it waits for, and who may see it.

emptyQueues();
beforeAll(() => query("UPDATE engine_state SET away_since = NULL"));

const over = (status: string, minutes: number): Columns => ({ status, completed_at: inMinutes(minutes) });
const actor = ({ id }: Owner) => actorFromQueueRow({ userId: id, id: randomUUID() });
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

const LIMITED = "The AI provider is limiting your requests. Wait a little, then try again.";
const LONG = "The AI provider is limiting your requests until 3 December, 14:00 UTC.";
const TRIED = "Pending until another item has found out whether the AI provider answers.";
const limited = (limited_until: Date | null) => ({ not_before: inMinutes(9), limited_until });

it.each<[string, Columns | null, string]>([
  ["the user, with the reason", { ...limited(null), held_reason: "Its key." }, "Its key."],
  ["a limit's end", limited(null), LIMITED],
  ["a long limit's end", limited(new Date("2099-12-03T14:00:30Z")), LONG],
  ["a limit that is long no more", limited(inMinutes(-1)), LIMITED],
  ["the one whose turn it is", { not_before: inMinutes(-1) }, TRIED],
  ["nothing common", { level: 3, limited_at: inMinutes(-1) }, "Its own."],
  ["nothing at all", null, "Its own."],
])("says in what is pending that it waits for %s", async (_what, wait, reason) => {
  const owner = await newOwner();
  if (wait) await newWaitOf(owner, wait);
  await newWaitOf(await newOwner(), { held_reason: "Another's." });
  for (const job_type of [OUTLINE, CONTENT]) {
    const job = await newJobOf(owner, { job_type });
    for (const status of ["pending", "processing"]) await newItemOf(job, { status, error: "Its own." });
  }
  const { outlineQueue, contentQueue } = await queueStatus(actor(owner));
  const reasons = [...outlineQueue, ...contentQueue].map(({ status, error }) => `${status}: ${error}`).sort();
  expect(reasons).toEqual([...Array(2).fill(`pending: ${reason}`), ...Array(2).fill("processing: Its own.")]);
});

it("tells how many items of both queues wait for the end of a pause, without those at work", async () => {
  const owner = await newOwner();
  await newWaitOf(owner, { paused_at: inMinutes(-1), held_reason: "Its key." });
  const job = await newJobOf(owner);
  await newItemOf(job);
  await newItemOf(job, { status: "processing", claim_token: null });
  await newItemOf(job, { status: "processing" });
  await newItemOf(job, over("completed", -1));
  await newItemOf(await newJobOf(owner, { job_type: CONTENT }));
  await newItemOf(await newPublishingJob(owner));
  await newItemOf(await newJobOf(await newOwner()));
  expect((await queueStatus(actor(owner))).needs.map(({ kind, items }) => [kind, items])).toEqual([
    ["paused", 3],
    ["held", 3],
  ]);
});

it("tells nothing of a refused key that nothing waits for", async () => {
  const owner = await newOwner();
  await newWaitOf(owner, { held_reason: "Its key." });
  expect((await queueStatus(actor(owner))).needs).toEqual([]);
});

it.each<[string, Columns | null, Columns, QueueItemOut["waits"]]>([
  ["nothing while it is at work", { held_reason: "Its key." }, { status: "processing" }, null],
  ["nothing once it is due", null, { not_before: inMinutes(-1), error: "Why." }, null],
  ["its next try", null, { not_before: inMinutes(9), error: "Why." }, { for: "retry", until: expect.any(String) }],
  [
    "the provider, spread with others",
    null,
    { not_before: inMinutes(9) },
    { for: "provider", until: expect.any(String) },
  ],
  [
    "the end of a long limit",
    limited(new Date("2099-12-03T14:00:30Z")),
    {},
    { for: "provider", until: "2099-12-03T14:00:30.000Z" },
  ],
  [
    "the user, also after the end of a limit",
    { ...limited(null), held_reason: "Its key." },
    {},
    { for: "user", until: null },
  ],
])("says that an item waits for %s", async (_what, wait, columns, waits) => {
  const owner = await newOwner();
  if (wait) await newWaitOf(owner, wait);
  await newItemOf(await newJobOf(owner), columns);
  expect((await queueStatus(actor(owner))).outlineQueue).toMatchObject([{ waits }]);
});

it("keeps the error of an item whose text is begun, whatever it waits for", async () => {
  const owner = await newOwner();
  await newWaitOf(owner, { held_reason: "Its key." });
  await newItemOf(await newJobOf(owner), { status: "processing", claim_token: null, error: "Its own." });
  expect((await queueStatus(actor(owner))).outlineQueue).toMatchObject([{ error: "Its own.", waits: { for: "user" } }]);
});

it("lists the items of both queues, of one job if it is named, and none of a deleted topic or of publishing", async () => {
  const owner = await newOwner();
  const items = [
    await newItemOf(await newJobOf(owner), over("failed", -1)),
    await newItemOf(await newJobOf(owner, { job_type: CONTENT }), over("failed", -2)),
  ];
  const post = await newItemOf(await newPublishingJob(owner), over("failed", -3));
  const gone = await newItemOf(await newJobOf(await newTopicOf(owner)), over("failed", -4));
  await query("UPDATE topics SET deleted_at = now() WHERE id = $1", [gone.job.owner.topicId]);
  const list = async (of: { jobId?: string } = {}) =>
    ids((await listQueueItems(actor(owner), { status: "failed", ...of })).items);
  expect(await list()).toEqual(ids(items));
  expect(await list({ jobId: items[1]?.job.id })).toEqual([items[1]?.id]);
  expect((await ownedItem(actor(owner), items[0]?.id ?? "")).id).toBe(items[0]?.id);
  for (const { id } of [post, gone]) {
    await expect(ownedItem(actor(owner), id)).rejects.toMatchObject({ type: "NOT_FOUND" });
  }
});

describe("a single job or piece", () => {
  it("is read by id and owner; another user's job is not found", async () => {
    const owner = await newOwner();
    await newJobOf(owner);
    const second = await newJobOf(await newTopicOf(owner));
    expect((await ownedJob(actor(owner), second.id)).id).toBe(second.id);
    for (const [user, id] of [
      [await newOwner(), second.id],
      [owner, randomUUID()],
    ] as const) {
      await expect(ownedJob(actor(user), id)).rejects.toMatchObject({
        type: "NOT_FOUND",
        message: "This job was not found. Its topic may have been deleted.",
      });
    }
  });

  it("has the owner's live job that will work on it", async () => {
    const job = await newJobOf(await newOwner());
    await newItemOf(job, over("failed", -1));
    const ended = await newItemOf(job, over("failed", -1));
    await newItemOf(job);
    const other = await newJobOf(await newTopicOf(job.owner));
    const item = await newItemOf(other);
    const mine = actor(job.owner);
    expect(await liveJobOfPiece(mine, item.piece)).toBe(other.id);
    expect(await liveJobOfPiece(mine, ended.piece)).toBeUndefined();
    expect(await liveJobOfPiece(actor(await newOwner()), item.piece)).toBeUndefined();
  });
});
