import {
  GATE_LATE_SECONDS,
  GATE_QUIET_SECONDS,
  gateWait,
  type ItemSnapshot,
  limitSentence,
  nextForUnclaimed,
  PROBE_SECONDS,
  progressPercent,
  queuedMessage,
  retryDelaySeconds,
} from "@/lib/features/work/rules";

const WAITING: ItemSnapshot = {
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
const IN_PROGRESS: ItemSnapshot = { ...WAITING, status: "processing", leaseSeconds: 200 };
const wait = (waitSeconds: number) => ({ next: "wait", waitSeconds });
const end = (as: string) => ({ next: "end", as });

describe("a run that cannot claim its item", () => {
  it.each<[string, ItemSnapshot | undefined, unknown]>([
    ["is cancelled when the item is gone", undefined, end("cancelled")],
    [
      "is cancelled when the item was handed over again, whatever its status",
      { ...WAITING, isCurrent: false, status: "failed" },
      end("cancelled"),
    ],
    ["ends as completed with its item", { ...WAITING, status: "completed" }, end("completed")],
    ["ends as cancelled with its item", { ...WAITING, status: "cancelled", isOrphan: true }, end("cancelled")],
    ["ends while the item is held", { ...WAITING, isHeld: true }, end("held")],
    [
      "cancels an item whose piece is gone, even one in progress",
      { ...IN_PROGRESS, isOrphan: true, isTryOpen: true },
      "cancel",
    ],
    ["cancels an item whose job is cancelled", { ...WAITING, cancelRequested: true }, "cancel"],
    ["cancels a held item whose job is cancelled", { ...WAITING, cancelRequested: true, isHeld: true }, "cancel"],
    [
      "lets a running call of a cancelled job finish",
      { ...IN_PROGRESS, cancelRequested: true, isTryOpen: true, leaseSeconds: 9 },
      wait(9),
    ],
    ["frees an item whose holder has died", { ...IN_PROGRESS, leaseSeconds: 0 }, "reclaim"],
    [
      "frees such an item even when its job is cancelled and a call was running",
      { ...IN_PROGRESS, cancelRequested: true, isTryOpen: true, leaseSeconds: 0 },
      "reclaim",
    ],
    ["checks again in a second at the earliest", WAITING, wait(1)],
    ["waits until the item's own wait is over", { ...WAITING, waitSeconds: 600, leaseSeconds: 3 }, wait(600)],
    ["checks a piece that is in use again when its lease may end", { ...WAITING, leaseSeconds: 7 }, wait(7)],
    ["checks again every 15 seconds at least", { ...IN_PROGRESS, leaseSeconds: 200 }, wait(15)],
    ["checks again in a second when the lease is about to end", { ...IN_PROGRESS, leaseSeconds: 1 }, wait(1)],
  ])("%s", (_what, item, expected) => {
    expect(nextForUnclaimed(item)).toEqual(expected);
  });

  it("fails with its item's error message, without the provider's words", () => {
    const quoting = { ...WAITING, status: "failed" as const, error: "It declined. The provider says: “No.”" };
    expect(() => nextForUnclaimed(quoting)).toThrow(/^It declined\.$/);
    expect(() => nextForUnclaimed({ ...WAITING, status: "failed", error: "The provider said no." })).toThrow(
      "The provider said no.",
    );
    expect(() => nextForUnclaimed({ ...WAITING, status: "failed" })).toThrow(expect.objectContaining({ message: "" }));
  });
});

it("waits longer before each retry, five minutes at most", () => {
  expect([0, 1, 2, 3, 4, 9].map(retryDelaySeconds)).toEqual([5, 5, 20, 80, 300, 300]);
});

it("counts completed and failed items as done", () => {
  const percent = (completedItems: number, failedItems: number, totalItems: number) =>
    progressPercent({ completedItems, failedItems, totalItems });
  expect([percent(1, 1, 3), percent(1, 0, 1), percent(0, 3, 3), percent(0, 0, 0), percent(1, 0, 8)]).toEqual([
    67, 100, 100, 0, 13,
  ]);
});

it("says what was queued, and whether the engine is running", () => {
  const here = "You can keep working while they are written.";
  const away = "The job engine is away; the work begins when it is back.";
  expect(queuedMessage("outline_generation", 1, true)).toBe(`1 outline queued. ${here}`);
  expect(queuedMessage("outline_generation", 2, false)).toBe(`2 outlines queued. ${away}`);
  expect(queuedMessage("content_generation", 1, false)).toBe(`1 post queued. ${away}`);
  expect(queuedMessage("content_generation", 3, true)).toBe(`3 posts queued. ${here}`);
});

it("keeps the documented times of a limit: late after an hour, forgotten after ten minutes, probed for 90 seconds", () => {
  expect([GATE_LATE_SECONDS, GATE_QUIET_SECONDS, PROBE_SECONDS]).toEqual([3600, 600, 90]);
});

it.each([
  ["five minutes", 300, 0, null],
  ["longer", 301, 0, 301],
  ["a day, which the item waits", 86_400, 0, 86_400],
  ["longer than what is left of the item's day", 200, 86_300, 200],
])("has an end that is said if it lasts %s: %i seconds after %i", (_what, told, waited, limitedFor) => {
  expect(gateWait(told, waited).limitedFor).toBe(limitedFor);
});

it("says until when a long limit lasts", () => {
  expect(limitSentence(new Date("2026-12-03T14:00:30Z"))).toBe(
    "The AI provider is limiting your requests until 3 December, 14:00 UTC.",
  );
  expect(limitSentence(null)).toBe("The AI provider is limiting your requests. Wait a little, then try again.");
});
