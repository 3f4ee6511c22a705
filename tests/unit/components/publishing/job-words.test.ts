import { endOf, progressOf } from "@/components/publishing/job-words";
import { jobBadge } from "@/lib/features/work/states";
import { aJob, endedJob } from "@/tests/support/publishing-jobs";

describe("a publishing job in words", () => {
  it.each([
    ["Completed · 3 of 3 pieces published", {}],
    ["Completed, 1 of 3 failed · 2 of 3 pieces published", { completedItems: 2, failedItems: 1 }],
    ["Failed · 0 of 3 pieces published", { status: "failed", completedItems: 0, failedItems: 3 }],
    [
      "Cancelled, 1 of 3 failed · 1 of 3 pieces published, 1 cancelled",
      { status: "cancelled", completedItems: 1, failedItems: 1, cancelledItems: 1 },
    ],
    ["Completed · 3 of 3 pieces published, 1 of them a WordPress Draft", { liveItems: 2 }],
    [
      "Completed · 3 of 3 pieces published, 1 of them needed no change, 2 of them WordPress Drafts",
      { liveItems: 1, unchangedItems: 1 },
    ],
    // None of them is meant to be live.
    ["Completed · 3 of 3 pieces unpublished", { verb: "unpublish_selected", liveItems: 0 }],
  ] as const)("has ended: %s", (words, counts) => {
    const job = endedJob({
      liveItems: 3,
      ...counts,
      ...("completedItems" in counts ? { liveItems: counts.completedItems } : {}),
    });
    expect(endOf(job)).toBe(words);
    expect(words.startsWith(`${jobBadge(job).label} · `)).toBe(true);
  });

  it.each([
    ["0 of 3 published", {}],
    ["1 of 3 published", { completedItems: 1 }],
    ["0 of 3 published, 1 of 3 failed", { failedItems: 1 }],
  ])("is under way: %s", (words, counts) => {
    expect(progressOf(aJob(counts))).toBe(words);
  });
});
