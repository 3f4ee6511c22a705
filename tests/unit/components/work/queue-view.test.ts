import {
  doingOf,
  groupJobs,
  isWaiting,
  secondsLeft,
  shortId,
  timeInWords,
  withFurther,
} from "@/components/work/queue-view";
import { progressPercent, retryDelaySeconds } from "@/lib/features/work/rules";
import type { JobOut, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";

function aJob(id: string, status: ProcessingStatus, minute = 0) {
  return { id, status, createdAt: `2026-11-21T10:${String(minute).padStart(2, "0")}:00Z` } as JobOut;
}

const NONE = { live: 0, finished: 0, cancelled: 0 };
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("groups of the queue monitor", () => {
  it("puts what is neither completed nor failed under Active, and the rest under Completed", () => {
    const statuses = ["completed", "pending", "failed", "processing", "cancelled"] as const;
    const { active, done } = groupJobs(
      statuses.map((status) => aJob(status, status)),
      { live: 2, finished: 90, cancelled: 7 },
    );
    expect(ids(active.rows)).toEqual(["processing", "pending", "cancelled"]);
    expect(ids(done.rows)).toEqual(["completed", "failed"]);
    expect([active.total, done.total]).toEqual([9, 90]);
  });

  it("sorts processing first, then the others, newest first, cancelled ones last", () => {
    const jobs = [
      aJob("old", "pending", 1),
      aJob("gone", "cancelled", 9),
      aJob("new", "pending", 5),
      aJob("now", "processing"),
    ];
    expect(ids(groupJobs(jobs, NONE).active.rows)).toEqual(["now", "new", "old", "gone"]);
  });

  it("collapses cancelled jobs beyond the newest five, and no live ones", () => {
    const cancelled = Array.from({ length: 7 }, (_, n) => aJob(`x${n}`, "cancelled", n));
    const live = Array.from({ length: 30 }, (_, n) => aJob(`p${n}`, "pending", n));
    const { active, shown, folded } = groupJobs([...cancelled, ...live], { live: 30, finished: 0, cancelled: 7 });
    expect(active.rows).toHaveLength(37);
    expect(ids(shown).slice(-5)).toEqual(["x6", "x5", "x4", "x3", "x2"]);
    expect(shown).toHaveLength(35);
    expect(ids(folded.rows)).toEqual(["x1", "x0"]);
    expect(folded.total).toBe(2);
  });

  it("shows ids as their first eight characters", () => {
    expect(shortId("123e4567-e89b-42d3-a456-426614174000")).toBe("123e4567");
  });
});

describe("what an item is doing", () => {
  const item = (over: Partial<QueueItemOut> = {}) =>
    ({ status: "pending", waits: null, section: null, ...over }) as QueueItemOut;
  const UNTIL = "2026-11-21T14:05:00.000Z";

  it.each<[string, Partial<QueueItemOut>, number | null, ReturnType<typeof doingOf>]>([
    [
      "its section",
      { status: "processing", section: { number: 4, of: 8 } },
      9,
      { words: "section 4 of 8", until: null },
    ],
    ["that it is written", { status: "processing" }, 9, { words: "is being written", until: null }],
    ["when its turn comes", {}, 40, { words: "queued, about 6 minutes", until: null }],
    ["only that it is queued while the pace is unknown", {}, null, { words: "queued", until: null }],
    [
      "until when the provider waits",
      { waits: { for: "provider", until: UNTIL } },
      9,
      { words: "for the provider until", until: UNTIL },
    ],
    [
      "that the provider is tried",
      { waits: { for: "provider", until: null } },
      9,
      { words: "for the provider", until: null },
    ],
    ["its next try", { waits: { for: "retry", until: UNTIL } }, 9, { words: "tries again at", until: UNTIL }],
    ["nothing of a hold, which a word tells", { waits: { for: "user", until: null } }, 9, null],
    ["nothing of a pause, which a word tells", { waits: { for: "pause", until: null } }, 9, null],
  ])("says %s", (_what, over, pace, said) => {
    expect(doingOf(item(over), { ahead: 8, pace })).toEqual(said);
  });

  it("tells a time in words", () => {
    expect([5, 44, 45, 89, 91, 3_000, 3_599, 5_400, 7_000].map(timeInWords)).toEqual([
      "less than a minute",
      "less than a minute",
      "about 1 minute",
      "about 1 minute",
      "about 2 minutes",
      "about 50 minutes",
      "about 1 hour",
      "about 2 hours",
      "about 2 hours",
    ]);
  });
});

describe("a live job", () => {
  const job = {
    id: "j",
    jobType: "content_generation",
    status: "processing",
    totalItems: 10,
    completedItems: 3,
    failedItems: 1,
    cancelledItems: 0,
  } as JobOut;
  const statusOf = (pace: number | null, ...items: Partial<QueueItemOut>[]) =>
    ({
      outlineQueue: [],
      contentQueue: items.map((each) => ({ jobId: "j", status: "pending", waits: null, ...each })),
      pace: { outlineQueue: 99, contentQueue: pace },
    }) as unknown as QueueStatus;
  const held = { waits: { for: "user", until: null } } as const;

  it("tells how long it still takes, unless that is unknown or something of it waits", () => {
    expect(secondsLeft(job, statusOf(20, {}))).toBe(120);
    expect(secondsLeft(job, statusOf(null, {}))).toBeNull();
    expect(secondsLeft(job, statusOf(20, {}, held))).toBeNull();
    expect(secondsLeft(job, statusOf(20, { ...held, jobId: "other" }))).toBe(120);
    expect(secondsLeft({ ...job, status: "completed" }, statusOf(20))).toBeNull();
  });

  it("waits when an item waits and none is at work", () => {
    expect(isWaiting(job, statusOf(1, held, { ...held, status: "processing" }))).toBe(true);
    expect(isWaiting(job, statusOf(1, held, { status: "processing" }))).toBe(false);
    expect(isWaiting(job, statusOf(1, {}))).toBe(false);
  });
});

describe("rows of further pages", () => {
  const item = (id: string, minute: number, over: Partial<QueueItemOut> = {}) =>
    ({
      id,
      status: "pending",
      createdAt: `2026-11-21T10:0${minute}:00.000Z`,
      completedAt: null,
      ...over,
    }) as QueueItemOut;
  const ended = (id: string, minute: number) =>
    item(id, 0, { status: "failed", completedAt: `2026-11-21T10:0${minute}:00.000Z` });

  it("follow the first ones, without those that are known and those that have moved on", () => {
    const further = [item("moved on", 1), item("b", 2), item("c", 3), item("d", 4)];
    expect(ids(withFurther([item("b", 2), item("c", 3)], further))).toEqual(["b", "c", "d"]);
    expect(ids(withFurther([], further))).toEqual(ids(further));
  });

  it("go back in time where the rows have ended", () => {
    const further = [ended("retried", 5), ended("b", 4), ended("c", 3)];
    expect(ids(withFurther([ended("b", 4)], further))).toEqual(["b", "c"]);
    // It has been tried again since that page came.
    expect(ids(withFurther([ended("c", 9), ended("b", 4)], further))).toEqual(["c", "b"]);
  });
});

describe("progress and retries of a job", () => {
  it("counts completed and failed items, rounded, and 0 without items", () => {
    expect(progressPercent({ completedItems: 1, failedItems: 1, totalItems: 3 })).toBe(67);
    expect(progressPercent({ completedItems: 0, failedItems: 0, totalItems: 0 })).toBe(0);
  });

  it("waits longer before each retry, five minutes at most", () => {
    expect([1, 2, 3, 4, 9].map(retryDelaySeconds)).toEqual([5, 20, 80, 300, 300]);
  });
});
