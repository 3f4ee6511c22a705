/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { FollowWork } from "@/components/work/follow-work";
import { LiveCount } from "@/components/work/live-count";
import { keys } from "@/lib/client/query-keys";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";
import { mockApi, renderScreen } from "@/tests/support/render";

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
    <>
      <LiveCount />
      <FollowWork />
    </>,
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

it("notices a job that another tab has started", async () => {
  let now = status();
  const { client, isStale } = openApp(() => now);
  await pass(60_000);
  now = status(job(ended(30)));
  await act(async () => void client.invalidateQueries({ queryKey: keys.queueStatus() }));
  await pass(100);
  expect(isStale(keys.topicContent(3, 7))).toBe(true);
});
