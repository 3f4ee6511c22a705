import { doneOf, groupRows, shortId } from "@/components/jobs/queue-view";
import { progressPercent, retryDelaySeconds } from "@/lib/features/jobs/rules";
import type { ProcessingStatus } from "@/lib/features/jobs/schema";

const NOON = "2026-11-21T12:00:00Z";
const NOW = Date.parse(NOON);

function row(id: string, status: ProcessingStatus, completedAt: string | null = null, minute = 0) {
  return { id, status, completedAt, createdAt: `2026-11-21T10:${String(minute).padStart(2, "0")}:00Z` };
}

describe("groups of the monitor", () => {
  it("puts what is neither completed nor failed under Active, and the rest under Completed", () => {
    const { active, done } = groupRows(
      [row("a", "completed"), row("b", "pending"), row("c", "failed"), row("d", "processing")],
      NOW,
    );
    expect(active.map(({ id }) => id)).toEqual(["d", "b"]);
    expect(done.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  it("sorts processing first, then the others, newest first, cancelled ones last", () => {
    const rows = [
      row("old", "pending", null, 1),
      row("gone", "cancelled", "2026-11-21T11:00:00Z", 9),
      row("new", "pending", null, 5),
      row("now", "processing"),
    ];
    expect(groupRows(rows, NOW).active.map(({ id }) => id)).toEqual(["now", "new", "old", "gone"]);
  });

  it("forgets cancelled ones after a day", () => {
    expect(groupRows([row("x", "cancelled", "2026-11-20T11:59:00Z")], NOW).active).toEqual([]);
  });

  it("does not count cancelled rows among those to show as done", () => {
    const rows = [
      row("a", "completed", NOON),
      row("b", "cancelled", NOON),
      row("c", "cancelled"),
      row("d", "failed", NOON),
    ];
    expect(doneOf(rows, 3)).toBe(2);
    expect(doneOf(rows, 203)).toBe(202);
  });

  it("shows ids as their first eight characters", () => {
    expect(shortId("123e4567-e89b-42d3-a456-426614174000")).toBe("123e4567");
  });
});

describe("figures of a job", () => {
  it("counts completed and failed, rounded, and 0 without items", () => {
    expect(progressPercent({ completedItems: 1, failedItems: 1, totalItems: 3 })).toBe(67);
    expect(progressPercent({ completedItems: 0, failedItems: 0, totalItems: 0 })).toBe(0);
  });

  it("waits longer before each try, five minutes at most", () => {
    expect([1, 2, 3, 4, 9].map(retryDelaySeconds)).toEqual([5, 20, 80, 300, 300]);
  });
});
