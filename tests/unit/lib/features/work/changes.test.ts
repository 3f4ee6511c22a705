import { withChanges, workOn } from "@/lib/features/work/client/changes";
import type { JobOut, QueueChanges, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`;
const item = (id: string, parts: Partial<QueueItemOut> = {}) =>
  ({
    id,
    jobId: "j",
    contentPieceId: `piece ${id}`,
    status: "pending",
    waits: null,
    section: null,
    completedAt: null,
    createdAt: at(0),
    ...parts,
  }) as QueueItemOut;
const ended = (id: string, minute: number, status: QueueItemOut["status"] = "completed") =>
  item(id, { status, completedAt: at(minute) });
const job = (parts: Partial<JobOut> = {}) =>
  ({
    id: "j",
    topicId: 7,
    jobType: "outline_generation",
    status: "processing",
    totalItems: 2,
    completedItems: 0,
    failedItems: 0,
    cancelledItems: 0,
    createdAt: at(5),
    completedAt: null,
    ...parts,
  }) as JobOut;
const statusOf = (parts: Partial<QueueStatus>) =>
  ({ jobs: [], outlineQueue: [], contentQueue: [], now: at(30), ...parts }) as unknown as QueueStatus;
const changesOf = (parts: Partial<QueueChanges>) => ({ ...statusOf({}), whole: false, ...parts }) as QueueChanges;
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("a status with changes", () => {
  it("has each row once, as it is now, in the order of the server", () => {
    const before = statusOf({
      outlineQueue: [
        item("b", { createdAt: at(2) }),
        item("a", { createdAt: at(1) }),
        ended("x", 4),
        ended("c", 3, "cancelled"),
      ],
    });
    const { outlineQueue } = withChanges(
      before,
      changesOf({ outlineQueue: [ended("a", 9, "failed"), item("d", { createdAt: at(1), status: "processing" })] }),
    );
    expect(ids(outlineQueue)).toEqual(["d", "b", "a", "x", "c"]);
  });

  it("has the newest live job first, and the ended ones by their end", () => {
    const before = statusOf({ jobs: [job({ id: "old", createdAt: at(1) }), job({ id: "new", createdAt: at(9) })] });
    const { jobs } = withChanges(
      before,
      changesOf({
        jobs: [job({ id: "done", status: "completed", completedAt: at(8) }), job({ id: "newer", createdAt: at(10) })],
      }),
    );
    expect(ids(jobs)).toEqual(["newer", "new", "old", "done"]);
  });

  it("keeps no more ended rows than the server lists, and all live ones", () => {
    const live = Array.from({ length: 120 }, (_, n) => item(`live ${n}`));
    const done = Array.from({ length: 100 }, (_, n) => ended(`done ${n}`, 1));
    const { outlineQueue } = withChanges(
      statusOf({ outlineQueue: [...live, ...done] }),
      changesOf({ outlineQueue: [ended("last", 2)] }),
    );
    expect(outlineQueue).toHaveLength(220);
    expect(outlineQueue[120]?.id).toBe("last");
  });

  it("is what the stream sent when that is whole", () => {
    const before = statusOf({ outlineQueue: [item("gone")] });
    expect(
      withChanges(before, changesOf({ whole: true, outlineQueue: [item("a")] })).outlineQueue.map(({ id }) => id),
    ).toEqual(["a"]);
  });

  it("takes everything else from the changes", () => {
    const needs = [{ kind: "paused" }] as unknown as QueueStatus["needs"];
    expect(withChanges(statusOf({}), changesOf({ needs, now: at(31) }))).toMatchObject({ needs, now: at(31) });
  });
});

describe("what the queues do with a piece", () => {
  const piece = { id: "piece a", topicId: 7, createdAt: at(1), isOutline: false, hasBody: false };

  it("is its live item", () => {
    const at4 = item("a", { status: "processing", section: { number: 4, of: 8 } });
    const content = job({ jobType: "content_generation" });
    expect(workOn(piece, statusOf({ jobs: [content], contentQueue: [item("b"), at4] }))).toBe(at4);
  });

  it("is nothing once the item or its job has ended, or in another topic", () => {
    expect(
      workOn(piece, statusOf({ jobs: [job({ totalItems: 1, completedItems: 1 })], outlineQueue: [ended("a", 1)] })),
    ).toBeUndefined();
    expect(
      workOn(piece, statusOf({ jobs: [job({ status: "completed" })], outlineQueue: [item("a")] })),
    ).toBeUndefined();
    expect(workOn({ ...piece, topicId: 8 }, statusOf({ jobs: [job()], outlineQueue: [item("a")] }))).toBeUndefined();
  });

  it("is waiting in a job whose rows are not all listed, if the job took the piece", () => {
    const queued = { status: "pending", waits: null, section: null };
    const outlines = statusOf({ jobs: [job({ totalItems: 3 })], outlineQueue: [item("b"), item("c")] });
    expect(workOn(piece, outlines)).toEqual(queued);
    expect(workOn({ ...piece, isOutline: true }, outlines)).toBeUndefined();
    expect(workOn({ ...piece, createdAt: at(6) }, outlines)).toBeUndefined();
    const texts = statusOf({ jobs: [job({ jobType: "content_generation" })], contentQueue: [item("b")] });
    expect(workOn({ ...piece, isOutline: true }, texts)).toEqual(queued);
    expect(workOn({ ...piece, isOutline: true, hasBody: true }, texts)).toBeUndefined();
    expect(workOn(piece, texts)).toBeUndefined();
    expect(workOn(piece, statusOf({ jobs: [job()], outlineQueue: [item("b"), item("c")] }))).toBeUndefined();
  });
});
