import {
  BACKOFF_CAP_SECONDS,
  BACKOFF_LATE_CAP_SECONDS,
  BACKOFF_LATE_SECONDS,
  endedItems,
  type ItemSnapshot,
  limitSentence,
  MAX_LIMITED_SECONDS,
  nextWithoutClaim,
  progressPercent,
  QUIET_SECONDS,
  queuedMessage,
  retryDelaySeconds,
  spreadSeconds,
  TURN_SECONDS,
} from "@/lib/features/work/rules";

const WAITING: ItemSnapshot = {
  status: "pending",
  error: null,
  isOwn: false,
  isAtWork: false,
  isKept: false,
  isSpent: false,
  isOrphan: false,
  isCancelled: false,
  isHeld: false,
  leaseSeconds: 0,
  waitSeconds: 0,
  limitSeconds: null,
  liveItems: 0,
};
const AT_WORK: ItemSnapshot = { ...WAITING, status: "processing", isAtWork: true, isOwn: true, leaseSeconds: 200 };
const LIMITED = { ...WAITING, limitSeconds: 60, liveItems: 8 };
const wait = (waitSeconds: number) => ({ next: "wait", waitSeconds });
const end = (as: string) => ({ next: "end", as });

describe("a run that cannot claim its item", () => {
  it.each<[string, ItemSnapshot | undefined, unknown]>([
    ["is cancelled when the item is gone", undefined, end("cancelled")],
    ["ends as completed with its item", { ...WAITING, status: "completed" }, end("completed")],
    ["ends as cancelled with its item", { ...WAITING, status: "cancelled", isOrphan: true }, end("cancelled")],
    ["gives way to another run at work", { ...AT_WORK, isOwn: false, isCancelled: true }, end("taken")],
    ["takes over what the release before keeps", { ...AT_WORK, isKept: true, isCancelled: true }, "takeOver"],
    ["waits for its own call, also in a cancelled job", { ...AT_WORK, isCancelled: true, isOrphan: true }, wait(15)],
    ["looks again when that call's lease may end", { ...AT_WORK, leaseSeconds: 9 }, wait(9)],
    ["cancels an item whose piece is gone", { ...WAITING, isOrphan: true, isSpent: true }, "cancel"],
    [
      "cancels a held item of a cancelled job",
      { ...WAITING, isCancelled: true, isHeld: true, isSpent: true },
      "cancel",
    ],
    ["gives up an item lost with its last try, also a held one", { ...WAITING, isSpent: true, isHeld: true }, "giveUp"],
    ["parks a held item, whatever it waits for", { ...LIMITED, isHeld: true, waitSeconds: 9 }, "park"],
    ["looks again in a second at the earliest", WAITING, wait(1)],
    ["waits for a piece that a click uses", { ...WAITING, leaseSeconds: 7 }, wait(7)],
    ["looks again every 15 seconds at such a piece", { ...WAITING, leaseSeconds: 200 }, wait(15)],
    ["waits until the item is due", { ...WAITING, waitSeconds: 600, leaseSeconds: 3 }, wait(600)],
    ["waits until the item is due before it looks at the limit", { ...LIMITED, waitSeconds: 5 }, wait(5)],
    ["waits for a limit, spread over a quarter of a second for each live item", LIMITED, wait(61)],
    ["looks every two seconds after a limit while another takes the turn", { ...LIMITED, limitSeconds: 0 }, wait(3)],
  ])("%s", (_what, item, expected) => {
    expect(nextWithoutClaim(item, 0.5)).toEqual(expected);
  });

  it("fails with its item's error, without the provider's words", () => {
    const fail = (error: string | null) => () => nextWithoutClaim({ ...WAITING, status: "failed", error }, 0);
    expect(fail("It declined. The provider says: “No.”")).toThrow(/^It declined\.$/);
    expect(fail("The provider said no.")).toThrow("The provider said no.");
    expect(fail(null)).toThrow(expect.objectContaining({ message: "" }));
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

it("counts completed, failed and cancelled items as ended", () => {
  expect(endedItems({ completedItems: 1, failedItems: 2, cancelledItems: 4 })).toBe(7);
});

it("says what was queued, and whether the engine is running", () => {
  const here = "You can keep working while they are written.";
  const away = "The job engine is away; the work begins when it is back.";
  expect(queuedMessage("outline_generation", 1, true)).toBe(`1 outline queued. ${here}`);
  expect(queuedMessage("outline_generation", 2, false)).toBe(`2 outlines queued. ${away}`);
  expect(queuedMessage("content_generation", 1, false)).toBe(`1 post queued. ${away}`);
  expect(queuedMessage("content_generation", 3, true)).toBe(`3 posts queued. ${here}`);
});

it("keeps the documented times of a limit", () => {
  expect([BACKOFF_CAP_SECONDS, BACKOFF_LATE_SECONDS, BACKOFF_LATE_CAP_SECONDS]).toEqual([300, 3_600, 1_800]);
  expect([QUIET_SECONDS, TURN_SECONDS, MAX_LIMITED_SECONDS]).toEqual([600, 90, 86_400]);
  expect([spreadSeconds(12, 1), spreadSeconds(12, 0)]).toEqual([3, 0]);
});

it("says until when a long limit lasts", () => {
  expect(limitSentence(new Date("2026-12-03T14:00:30Z"))).toBe(
    "The AI provider is limiting your requests until 3 December, 14:00 UTC.",
  );
  expect(limitSentence(null)).toBe("The AI provider is limiting your requests. Wait a little, then try again.");
});
