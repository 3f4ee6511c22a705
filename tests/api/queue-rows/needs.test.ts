import { randomUUID } from "node:crypto";
import { actorFromQueueRow } from "@/lib/auth/actor";
import { queueStatus, queueVersion } from "@/lib/features/work/reads";
import { dismissFailures, selectRetriable } from "@/lib/features/work/sql/needs";
import { UNFINISHED_MARK } from "@/lib/markdown/losses";
import { newPublishingJob } from "@/tests/support/chunk-rows";
import { query } from "@/tests/support/db";
import { newProject } from "@/tests/support/factories";
import {
  afterChange,
  CONTENT,
  type Columns,
  changesBy,
  emptyQueues,
  inMinutes,
  type Job,
  nameOf,
  newItemOf,
  newJobOf,
  newOwner,
  newPieceOf,
  newTopicOf,
  OUTLINE,
  type Owner,
} from "@/tests/support/queue-rows";

// Which failures need the user, what is said of them, and which of them a retry or a dismissal takes.

emptyQueues();

const FAILED: Columns = { status: "failed", completed_at: inMinutes(-30), error: "Declined." };
const OVER: Columns = { status: "failed", completed_at: inMinutes(-30) };
const PUBLISHING = "publishing";
const OUTLINED: Columns = { outline: "## A part" };
const DELETED: Columns = { deleted_at: inMinutes(-1) };
const BROKEN_OFF = `Words.\n\n${UNFINISHED_MARK}`;

const actor = ({ id }: Owner) => actorFromQueueRow({ userId: id, id: randomUUID() });
const needsOf = async (owner: Owner) => (await queueStatus(actor(owner))).needs;
const jobOf = (owner: Owner, job_type: string, columns: Columns = {}) =>
  job_type === PUBLISHING
    ? newPublishingJob(owner, { ...OVER, ...columns })
    : newJobOf(owner, { job_type, ...OVER, ...columns });

/** A failed item of another user, in the same words. */
async function newStranger(): Promise<Owner> {
  const owner = await newOwner();
  for (const job_type of [OUTLINE, PUBLISHING]) await newItemOf(await jobOf(owner, job_type), FAILED);
  return owner;
}

describe("a failed item", () => {
  /** Does an item of a new piece need the user? */
  async function isNeed(job_type: string, piece: Columns, item: Columns = {}): Promise<boolean> {
    const owner = await newOwner();
    const content_piece_id = await newPieceOf(owner, piece);
    await newItemOf(await jobOf(owner, job_type), { ...FAILED, content_piece_id, ...item });
    return (await needsOf(owner)).length === 1;
  }

  it.each<[string, string, Columns]>([
    ["an outline that is missing", OUTLINE, {}],
    ["a text that is missing", CONTENT, OUTLINED],
    ["a text that broke off", CONTENT, { ...OUTLINED, body: BROKEN_OFF }],
    ["a post", PUBLISHING, { ...OUTLINED, body: "Words." }],
  ])("about %s needs the user", async (_what, job_type, piece) => {
    expect(await isNeed(job_type, piece)).toBe(true);
  });

  it.each<[string, string, Columns]>([
    ["an outline that is there", OUTLINE, OUTLINED],
    ["the outline of a deleted piece", OUTLINE, DELETED],
    ["a text that is there", CONTENT, { ...OUTLINED, body: "Words." }],
    ["a text that broke off and whose outline is gone", CONTENT, { body: BROKEN_OFF }],
    ["a text without an outline", CONTENT, {}],
    ["the text of a deleted piece", CONTENT, { ...OUTLINED, ...DELETED }],
    ["the post of a deleted piece", PUBLISHING, DELETED],
  ])("about %s does not need the user", async (_what, job_type, piece) => {
    expect(await isNeed(job_type, piece)).toBe(false);
  });

  it.each([
    ["ends when its piece is published afterwards", -20, false],
    ["stays when its piece was published before", -40, true],
  ])("of publishing %s", async (_what, minutes, isExpected) => {
    const owner = await newOwner();
    const { piece } = await newItemOf(await jobOf(owner, PUBLISHING), FAILED);
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [piece]);
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, published_at)
       SELECT id, version, 'user', title, body, $2 FROM content_pieces WHERE id = $1`,
      [piece, inMinutes(minutes)],
    );
    expect((await needsOf(owner)).length === 1).toBe(isExpected);
  });

  it.each(["pending", "processing", "completed", "cancelled"])("is meant: a %s one needs nobody", async (status) => {
    const isLive = ["pending", "processing"].includes(status);
    expect(await isNeed(OUTLINE, {}, { status, completed_at: isLive ? null : inMinutes(-30) })).toBe(false);
  });

  it("that is dismissed does not need the user", async () => {
    expect(await isNeed(OUTLINE, {}, { dismissed_at: inMinutes(-1) })).toBe(false);
  });

  const [LOW, HIGH] = ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"];
  const CANCELLED = { status: "cancelled" };

  it.each<[string, Columns, boolean]>([
    ["does not need the user while a newer one waits", { created_at: inMinutes(-50) }, false],
    ["does not need the user after a newer one", { created_at: inMinutes(-50), ...CANCELLED }, false],
    ["does not need the user while one of the same moment waits", { id: HIGH }, false],
    ["does not need the user after one of the same moment", { id: HIGH, ...CANCELLED }, false],
    ["needs the user despite an older one that waits", { created_at: inMinutes(-60) }, true],
    ["needs the user despite an older one", { created_at: inMinutes(-60), ...CANCELLED }, true],
  ])("%s", async (_what, other, isExpected) => {
    const owner = await newOwner();
    const created_at = inMinutes(-55);
    const { piece } = await newItemOf(await jobOf(owner, OUTLINE), { ...FAILED, id: LOW, created_at });
    await newItemOf(await jobOf(owner, OUTLINE), { created_at, content_piece_id: piece, ...other });
    expect((await needsOf(owner)).length === 1).toBe(isExpected);
  });

  it("needs the user whatever is newer of other pieces and types", async () => {
    const owner = await newOwner();
    const job = await jobOf(owner, OUTLINE);
    const { piece } = await newItemOf(job, FAILED);
    for (const columns of [{}, CANCELLED]) await newItemOf(job, { ...columns, created_at: inMinutes(-5) });
    for (const columns of [{}, { status: "cancelled" }])
      await newItemOf(await jobOf(owner, CONTENT), { ...columns, content_piece_id: piece, created_at: inMinutes(-5) });
    expect(await needsOf(owner)).toHaveLength(1);
  });
});

describe("the failures", () => {
  const failures = async (job: Job, count: number, columns: Columns = {}) => {
    for (let n = 0; n < count; n++) await newItemOf(job, { ...FAILED, ...columns });
  };
  const outlined = async (job: Job, error: string, columns: Columns = {}) =>
    newItemOf(job, { ...FAILED, error, ...columns, content_piece_id: await newPieceOf(job.owner, OUTLINED) });

  it("are counted by our own words, of publishing by project, most first", async () => {
    const owner = await newOwner();
    await newStranger();
    const outlines = await jobOf(owner, OUTLINE);
    const texts = await jobOf(owner, CONTENT);
    for (const word of ["no", "never", "not this"])
      await newItemOf(outlines, { ...FAILED, error: `Declined. The provider says: ${word}.` });
    await outlined(texts, "Too long.");
    await outlined(texts, "Too long.");
    await failures(outlines, 1, { error: "Both." });
    await outlined(texts, "Both.");
    await failures(outlines, 1, { error: null });
    const elsewhere = await newProjectOf(owner, "Ponds");
    await failures(await newPublishingJob(owner, OVER), 1, { error: "Both." });
    await failures(await newPublishingJob(elsewhere, OVER), 4, { error: "Both." });
    const kind = "failed";
    const need = { kind, project: null };
    expect(await needsOf(owner)).toEqual([
      { kind, items: 4, jobType: PUBLISHING, reason: "Both.", project: { id: elsewhere.projectId, title: "Ponds" } },
      { ...need, items: 3, jobType: OUTLINE, reason: "Declined." },
      { ...need, items: 2, jobType: null, reason: "Both." },
      { ...need, items: 2, jobType: CONTENT, reason: "Too long." },
      { ...need, items: 1, jobType: OUTLINE, reason: "" },
      { kind, items: 1, jobType: PUBLISHING, reason: "Both.", project: { id: owner.projectId, title: "Beds" } },
    ]);
  });

  it("are listed by reason, the twenty most common ones", async () => {
    const owner = await newOwner();
    const job = await jobOf(owner, OUTLINE);
    for (let n = 0; n < 21; n++) await failures(job, n === 20 ? 2 : 1, { error: `Reason ${100 + n}.` });
    const reasons = (await needsOf(owner)).map(({ reason }) => reason);
    expect([reasons.length, reasons[0], reasons.at(-1)]).toEqual([20, "Reason 120.", "Reason 118."]);
  });

  it("of a reason as long as can be, in any script, can be named", async () => {
    const owner = await newOwner();
    const job = await jobOf(owner, OUTLINE);
    const spaced = `${"x".repeat(999)} y`;
    for (const error of ["🌱".repeat(3_000), spaced, `"'; DROP TABLE`, "لا يمكن كتابة هذا"])
      await failures(job, 1, { error });
    expect((await owner.caller.post("/api/queue/dismiss-failed", { reason: "Not\0storable" })).status).toBe(400);
    for (const { reason } of await needsOf(owner)) {
      const { body } = await owner.caller.post<{ dismissed: number }>("/api/queue/dismiss-failed", { reason });
      expect(body).toEqual({ dismissed: 1 });
    }
    expect(await needsOf(owner)).toEqual([]);
  });

  it("change the version of the status with the user's pieces, not with another's", async () => {
    const owner = await newOwner();
    const stranger = await newStranger();
    await failures(await jobOf(owner, OUTLINE), 1);
    const version = () => queueVersion(actor(owner));
    const write = ({ id }: Owner) => query("UPDATE content_pieces SET outline = 'Words.' WHERE user_id = $1", [id]);
    const first = await version();
    await write(stranger);
    expect(await version()).toBe(first);
    await write(owner);
    expect(await version()).not.toBe(first);
  });

  it("are dismissed by type, reason and project, without a type those of both queues", async () => {
    const owner = await newOwner();
    await newStranger();
    const elsewhere = await newProjectOf(owner, "Ponds");
    const jobs = [
      await jobOf(owner, OUTLINE),
      await jobOf(owner, CONTENT),
      await newPublishingJob(owner, OVER),
      await newPublishingJob(elsewhere, OVER),
    ] as const;
    const id = randomUUID();
    const [outline, text, post, other] = [
      await newItemOf(jobs[0], { ...FAILED, id }),
      await outlined(jobs[1], "Declined.", { id }),
      await newItemOf(jobs[2], FAILED),
      await newItemOf(jobs[3], FAILED),
    ];
    const second = await newItemOf(jobs[0], { ...FAILED, error: "Another." });
    const dismissed = { dismissed_at: 0 };
    const byReason = { reason: "Declined." };
    const dismissal = async (which: Parameters<typeof dismissFailures>[1]) =>
      (await changesBy(() => dismissFailures(owner.id, which))) as unknown;
    expect(await dismissal({ ...byReason, jobType: PUBLISHING, projectId: elsewhere.projectId })).toEqual({
      answer: 1,
      changed: { [nameOf(other)]: dismissed, [nameOf(jobs[3])]: { revision: 1 } },
    });
    expect(await dismissal({ ...byReason, jobType: OUTLINE })).toEqual({
      answer: 1,
      changed: { [nameOf(outline)]: dismissed, [nameOf(jobs[0])]: { revision: 1 } },
    });
    expect(await dismissal({})).toEqual({
      answer: 2,
      changed: {
        [nameOf(second)]: dismissed,
        [nameOf(text)]: dismissed,
        [nameOf(jobs[0])]: { revision: 2 },
        [nameOf(jobs[1])]: { revision: 1 },
      },
    });
    expect(await dismissal({ jobType: PUBLISHING })).toEqual({
      answer: 1,
      changed: { [nameOf(post)]: dismissed, [nameOf(jobs[2])]: { revision: 1 } },
    });
  });

  it("are not dismissed while they are tried again", async () => {
    const item = await newItemOf(await jobOf(await newOwner(), OUTLINE), FAILED);
    const retry = "UPDATE processing_queue SET status = 'pending', completed_at = NULL WHERE id = $1";
    expect(await afterChange(retry, item.id, () => dismissFailures(item.job.owner.id, {}))).toBe(0);
    expect(await query("SELECT 1 FROM processing_queue WHERE dismissed_at IS NOT NULL")).toEqual([]);
  });

  it("can be tried again where no other job of their topic and type is live, else those of the live job", async () => {
    const owner = await newOwner();
    await newStranger();
    const free = await newTopicOf(owner);
    const busy = await newTopicOf(owner);
    const cancelled = await newTopicOf(owner);
    const itemIn = async (at: Owner, columns: Columns, job_type = OUTLINE) =>
      (
        await newItemOf(await newJobOf(at, { job_type, ...columns }), {
          ...FAILED,
          content_piece_id: await newPieceOf(owner, job_type === CONTENT ? OUTLINED : {}),
        })
      ).id;
    const live = { status: "processing", completed_at: null };
    const ended = (minutes: number) => ({ status: "failed", completed_at: inMinutes(minutes) });
    const [older, latest] = [await itemIn(free, ended(-9)), await itemIn(free, ended(-8))];
    const text = await itemIn(free, ended(-10), CONTENT);
    const [before, during] = [await itemIn(busy, ended(-7)), await itemIn(busy, live)];
    const textOfBusy = await itemIn(busy, ended(-7), CONTENT);
    await itemIn(cancelled, { ...live, cancel_requested_at: inMinutes(-1) });
    await itemIn(cancelled, ended(-7));
    // A live job without failures.
    const waiting = await newTopicOf(owner);
    await newJobOf(waiting);
    await itemIn(waiting, ended(-7));
    const { ids, total } = await selectRetriable(owner.id, {});
    expect(ids.toSorted()).toEqual([latest, text, during, textOfBusy].toSorted());
    expect(total).toBe(9);
    expect(ids).not.toEqual(expect.arrayContaining([older, before]));
    expect(await selectRetriable(owner.id, { jobType: CONTENT })).toMatchObject({ total: 2 });
    expect(await selectRetriable(owner.id, { reason: "Another." })).toEqual({ ids: [], total: 0 });
    expect(await selectRetriable(owner.id, { reason: "Declined." })).toMatchObject({ total: 9 });
  });
});

/** Another project of the user, with a topic. */
async function newProjectOf({ id }: Owner, title: string): Promise<Owner> {
  const projectId = await newProject({ id }, title);
  const { topicId } = await newTopicOf({ id, projectId, topicId: 0 });
  return { id, projectId, topicId };
}
