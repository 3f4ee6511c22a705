/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { FollowWork } from "@/components/work/follow-work";
import { LiveCount } from "@/components/work/live-count";
import { keys } from "@/lib/client/query-keys";
import { endedMeanwhile } from "@/lib/features/work/client/absence";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";
import { mockApi, renderScreen } from "@/tests/support/render";
import { someUser, USER_ID } from "@/tests/support/user";

jest.mock("next/navigation", () => ({ usePathname: () => "/settings" }));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const NOW = "2026-11-09T10:00:00.000Z";

const job = (over: Partial<JobOut> = {}) =>
  ({ id: "ae1276ec", projectId: 3, topicId: 7, status: "processing", totalItems: 30, ...ended(0), ...over }) as JobOut;
const ended = (completedItems: number) => ({ completedItems, failedItems: 0, cancelledItems: 0, completedAt: null });
const status = (...jobs: JobOut[]) =>
  ({ jobs, needs: [], outlineQueue: [], contentQueue: [] }) as unknown as QueueStatus;

/** Any page of the app, with the lists of other pages in the cache. */
function openApp(answer: () => QueueStatus) {
  // The server's time moves on, whether or not a job does.
  let time = Date.parse(NOW);
  mockApi({
    "GET /api/queue/status": () => ({ json: { ...answer(), now: new Date(time++).toISOString() } }),
  });
  const { client } = renderScreen(
    <AuthProvider user={someUser()}>
      <LiveCount />
      <FollowWork />
    </AuthProvider>,
  );
  client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
  client.setQueryData(keys.topicContent(3, 8), { pages: [], pageParams: [] });
  client.setQueryData(keys.allLibraryGroups(), []);
  const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  const refetch = () => client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
  return { client, isStale, refetch };
}

it("invalidates what a job has changed, on a page that did not start it", async () => {
  let now = status(job());
  const { isStale, refetch } = openApp(() => now);
  await pass(100);
  expect(screen.getByText("1")).toBeInTheDocument();
  refetch();
  await pass(10_000);
  expect(isStale(keys.topicContent(3, 7))).toBe(false);
  now = status(job(ended(4)));
  await pass(10_000);
  expect(isStale(keys.topicContent(3, 7))).toBe(true);
  expect(isStale(keys.allLibraryGroups())).toBe(true);
  expect(isStale(keys.topicContent(3, 8))).toBe(false);
});

it("invalidates on the first poll what a job of the last five minutes has changed", async () => {
  const justNow = openApp(() => status(job({ completedAt: "2026-11-09T09:55:00.001Z", status: "completed" })));
  await pass(100);
  expect(justNow.isStale(keys.topicContent(3, 7))).toBe(true);
});

it("ignores on the first poll a job that ended five minutes ago", async () => {
  const earlier = openApp(() => status(job({ completedAt: "2026-11-09T09:55:00.000Z", status: "completed" })));
  await pass(100);
  expect(earlier.isStale(keys.topicContent(3, 7))).toBe(false);
});

it("reads lists at once, and again after a second while a job goes on", async () => {
  const { client, isStale, refetch } = openApp(() => status(job()));
  await pass(100);
  const done = async (items: number) => {
    refetch();
    client.setQueryData(keys.queueStatus(), { ...status(job(ended(items))), now: "2026-11-09T11:00:00.000Z" });
    await pass(10);
    return isStale(keys.topicContent(3, 7));
  };
  await pass(1_000);
  expect([await done(1), await done(2)]).toEqual([true, false]);
  await pass(1_000);
  expect(isStale(keys.topicContent(3, 7))).toBe(true);
});

it("keeps what the stream has told when an older answer comes", async () => {
  let now = status(job());
  const { client } = openApp(() => now);
  await pass(100);
  act(
    () =>
      void client.setQueryData(keys.queueStatus(), {
        ...status(job(), job({ id: "b" })),
        now: "2026-11-09T11:00:00.000Z",
      }),
  );
  now = status();
  await act(async () => void client.invalidateQueries({ queryKey: keys.queueStatus() }));
  await pass(100);
  expect(screen.getByText("2")).toBeInTheDocument();
});

describe("at the next visit", () => {
  const SEEN = `queue-seen:${USER_ID}`;
  const over = (parts: Partial<JobOut>) =>
    job({ jobType: "content_generation", status: "completed", completedAt: "2026-11-09T08:00:00.000Z", ...parts });
  afterEach(() => localStorage.clear());

  it("tells once what has ended while no tab was open", async () => {
    localStorage.setItem(SEEN, "2026-11-09T07:00:00.000Z");
    openApp(() =>
      status(
        over({ completedItems: 12, failedItems: 2 }),
        over({ id: "b", jobType: "outline_generation", completedItems: 1 }),
        over({ id: "earlier", completedItems: 9, completedAt: "2026-11-09T06:59:00.000Z" }),
      ),
    );
    await pass(100);
    expect(screen.getByText("While you were away")).toBeVisible();
    expect(screen.getByText("1 outline and 12 posts were written, 2 failed.")).toBeVisible();
    expect(localStorage.getItem(SEEN)).toBe(NOW);
  });

  it.each([
    ["has never been here", null],
    ["was here a minute ago", "2026-11-09T09:59:00.000Z"],
  ])("tells nothing to a user who %s", async (_what, seen) => {
    if (seen) localStorage.setItem(SEEN, seen);
    openApp(() => status(over({ completedItems: 12, completedAt: "2026-11-09T09:59:30.000Z" })));
    await pass(100);
    expect(screen.queryByText("While you were away")).toBeNull();
    expect(localStorage.getItem(SEEN)).toBe(NOW);
  });

  it.each([
    [{ completedItems: 1, failedItems: 0 }, "1 post was written."],
    [{ completedItems: 0, failedItems: 1 }, "1 piece failed."],
    [{ completedItems: 0, failedItems: 0 }, null],
  ])("says it of %j in words", (counts, said) => {
    expect(endedMeanwhile([{ jobType: "content_generation", ...counts }])).toBe(said);
  });
});

it("notices a job that another tab has started", async () => {
  let now = status();
  const { client, isStale } = openApp(() => now);
  await pass(60_000);
  now = status(job(ended(30)));
  await act(async () => void client.invalidateQueries({ queryKey: keys.queueStatus() }));
  await pass(100);
  expect(isStale(keys.topicContent(3, 7))).toBe(true);
});
