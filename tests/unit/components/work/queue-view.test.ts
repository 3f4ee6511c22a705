import { groupRows, shortId } from "@/components/work/queue-view";
import { progressPercent, retryDelaySeconds } from "@/lib/features/work/rules";
import type { ProcessingStatus } from "@/lib/features/work/states";

function row(id: string, status: ProcessingStatus, minute = 0) {
  return { id, status, createdAt: `2026-11-21T10:${String(minute).padStart(2, "0")}:00Z` };
}

const NONE = { live: 0, finished: 0, cancelled: 0 };
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("groups of the queue monitor", () => {
  it("puts what is neither completed nor failed under Active, and the rest under Completed", () => {
    const statuses = ["completed", "pending", "failed", "processing", "cancelled"] as const;
    const { active, done } = groupRows(
      statuses.map((status) => row(status, status)),
      { live: 2, finished: 90, cancelled: 7 },
    );
    expect(ids(active.rows)).toEqual(["processing", "pending", "cancelled"]);
    expect(ids(done.rows)).toEqual(["completed", "failed"]);
    expect([active.total, done.total]).toEqual([9, 90]);
  });

  it("sorts processing first, then the others, newest first, cancelled ones last", () => {
    const rows = [
      row("old", "pending", 1),
      row("gone", "cancelled", 9),
      row("new", "pending", 5),
      row("now", "processing"),
    ];
    expect(ids(groupRows(rows, NONE).active.rows)).toEqual(["now", "new", "old", "gone"]);
  });

  it("collapses cancelled rows beyond the newest five, and no live ones", () => {
    const cancelled = Array.from({ length: 7 }, (_, n) => row(`x${n}`, "cancelled", n));
    const live = Array.from({ length: 30 }, (_, n) => row(`p${n}`, "pending", n));
    const { active, shown, folded } = groupRows([...cancelled, ...live], { live: 30, finished: 0, cancelled: 7 });
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

describe("progress and retries of a job", () => {
  it("counts completed and failed items, rounded, and 0 without items", () => {
    expect(progressPercent({ completedItems: 1, failedItems: 1, totalItems: 3 })).toBe(67);
    expect(progressPercent({ completedItems: 0, failedItems: 0, totalItems: 0 })).toBe(0);
  });

  it("waits longer before each retry, five minutes at most", () => {
    expect([1, 2, 3, 4, 9].map(retryDelaySeconds)).toEqual([5, 20, 80, 300, 300]);
  });
});
