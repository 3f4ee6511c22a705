import { jobBadge } from "@/lib/features/work/states";

const LOOK = { failed: "failed", completed: "done", cancelled: "cancelled" } as const;

it.each([
  ["Completed", LOOK.completed, { status: "completed", failedItems: 0 }],
  ["Completed, 8 of 1,200 failed", LOOK.failed, { status: "completed", failedItems: 8 }],
  ["Cancelled", LOOK.cancelled, { status: "cancelled", failedItems: 0 }],
  ["Cancelled, 8 of 1,200 failed", LOOK.failed, { status: "cancelled", failedItems: 8 }],
  // All of its items have.
  ["Failed", LOOK.failed, { status: "failed", failedItems: 1200 }],
  // It has not ended.
  ["Pending", "queued", { status: "pending", failedItems: 8 }],
  ["Processing", "running", { status: "processing", failedItems: 8 }],
] as const)("a job's badge says %s", (label, look, job) => {
  expect(jobBadge({ ...job, totalItems: 1200 })).toEqual({ label, look });
});
