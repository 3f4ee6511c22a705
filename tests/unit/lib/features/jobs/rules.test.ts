import {
  GATE_LATE_SECONDS,
  GATE_QUIET_SECONDS,
  type ItemNow,
  PROBE_SECONDS,
  progressPercent,
  queuedMessage,
  retryDelaySeconds,
  whatNow,
} from "@/lib/features/jobs/rules";

const WAITING: ItemNow = {
  status: "pending",
  isCurrent: true,
  isHeld: false,
  isTryOpen: false,
  isOrphan: false,
  cancelRequested: false,
  error: null,
  waitSeconds: 0,
  leaseSeconds: 0,
};
const AT_WORK: ItemNow = { ...WAITING, status: "processing", leaseSeconds: 200 };
const wait = (waitSeconds: number) => ({ next: "wait", waitSeconds });
const end = (as: string) => ({ next: "end", as });

describe("a run that cannot claim its item", () => {
  it.each<[string, ItemNow | undefined, unknown]>([
    ["is cancelled when the item is gone", undefined, end("cancelled")],
    [
      "is cancelled when the item was handed over again, whatever it is",
      { ...WAITING, isCurrent: false, status: "failed" },
      end("cancelled"),
    ],
    ["ends as completed with its item", { ...WAITING, status: "completed" }, end("completed")],
    ["ends as cancelled with its item", { ...WAITING, status: "cancelled", isOrphan: true }, end("cancelled")],
    ["ends while the item is held", { ...WAITING, isHeld: true }, end("held")],
    [
      "cancels an item whose piece is gone, also one at work",
      { ...AT_WORK, isOrphan: true, isTryOpen: true },
      "cancel",
    ],
    ["cancels an item whose job is cancelled", { ...WAITING, cancelRequested: true }, "cancel"],
    ["cancels a held item whose job is cancelled", { ...WAITING, cancelRequested: true, isHeld: true }, "cancel"],
    [
      "lets a call of a cancelled job come to its end",
      { ...AT_WORK, cancelRequested: true, isTryOpen: true, leaseSeconds: 9 },
      wait(9),
    ],
    ["frees an item whose holder has died", { ...AT_WORK, leaseSeconds: 0 }, "lost"],
    [
      "frees it also when its job is cancelled and a call was under way",
      { ...AT_WORK, cancelRequested: true, isTryOpen: true, leaseSeconds: 0 },
      "lost",
    ],
    ["looks again in a second at least", WAITING, wait(1)],
    ["comes back when the item's wait is over", { ...WAITING, waitSeconds: 600, leaseSeconds: 3 }, wait(600)],
    ["looks again at a piece that somebody works on when that may end", { ...WAITING, leaseSeconds: 7 }, wait(7)],
    ["and every 15 seconds at least", { ...AT_WORK, leaseSeconds: 200 }, wait(15)],
    ["a second before its holder's time is over, too", { ...AT_WORK, leaseSeconds: 1 }, wait(1)],
  ])("%s", (_what, item, expected) => {
    expect(whatNow(item)).toEqual(expected);
  });

  it("fails with its item's sentence", () => {
    expect(() => whatNow({ ...WAITING, status: "failed", error: "The provider said no." })).toThrow(
      "The provider said no.",
    );
    expect(() => whatNow({ ...WAITING, status: "failed" })).toThrow(expect.objectContaining({ message: "" }));
  });
});

it("waits longer before each further try, five minutes at most", () => {
  expect([0, 1, 2, 3, 4, 9].map(retryDelaySeconds)).toEqual([5, 5, 20, 80, 300, 300]);
});

it("counts what is completed and what failed as done", () => {
  const percent = (completedItems: number, failedItems: number, totalItems: number) =>
    progressPercent({ completedItems, failedItems, totalItems });
  expect([percent(1, 1, 3), percent(1, 0, 1), percent(0, 3, 3), percent(0, 0, 0), percent(1, 0, 8)]).toEqual([
    67, 100, 100, 0, 13,
  ]);
});

it("says what was queued, and whether it has begun", () => {
  const here = "You can go on working while they are written.";
  const away = "The job engine is away; the work begins when it is back.";
  expect(queuedMessage("outline_generation", 1, true)).toBe(`1 outline queued. ${here}`);
  expect(queuedMessage("outline_generation", 2, false)).toBe(`2 outlines queued. ${away}`);
  expect(queuedMessage("content_generation", 1, false)).toBe(`1 post queued. ${away}`);
  expect(queuedMessage("content_generation", 3, true)).toBe(`3 posts queued. ${here}`);
});

it("knows a limit as decided: late after an hour, forgotten after ten minutes, and tried for a minute and a half", () => {
  expect([GATE_LATE_SECONDS, GATE_QUIET_SECONDS, PROBE_SECONDS]).toEqual([3600, 600, 90]);
});
