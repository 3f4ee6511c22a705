/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { FollowJobs } from "@/components/jobs/follow-jobs";
import { LiveCount } from "@/components/jobs/live-count";
import { keys } from "@/lib/client/query-keys";
import type { JobOut, QueueStatus } from "@/lib/features/jobs/schema";
import { answerCalls, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ usePathname: () => "/settings" }));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const NOW = "2026-11-09T10:00:00.000Z";

const job = (over: Partial<JobOut> = {}) =>
  ({ id: "ae1276ec", projectId: 3, topicId: 7, status: "processing", totalItems: 30, ...ended(0), ...over }) as JobOut;
const ended = (completedItems: number) => ({ completedItems, failedItems: 0, cancelledItems: 0, completedAt: null });
const status = (...jobs: JobOut[]) =>
  ({ jobs, outlineQueue: [], contentQueue: [], now: NOW }) as unknown as QueueStatus;

/** Any page of the app, with lists of other pages in memory. */
function openApp(answer: () => QueueStatus) {
  answerCalls({ "GET /api/queue/status": () => ({ json: answer() }) });
  const { client } = renderScreen(
    <>
      <LiveCount />
      <FollowJobs />
    </>,
  );
  client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
  client.setQueryData(keys.topicContent(3, 8), { pages: [], pageParams: [] });
  client.setQueryData(keys.allLibraryGroups(), []);
  const isOld = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  const fetchedAgain = () => client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
  return { client, isOld, fetchedAgain };
}

it("marks what a job has finished, on a page that did not begin it", async () => {
  let now = status(job());
  const { isOld, fetchedAgain } = openApp(() => now);
  await pass(100);
  expect(screen.getByText("1")).toBeInTheDocument();
  fetchedAgain();
  await pass(10_000);
  expect(isOld(keys.topicContent(3, 7))).toBe(false);
  now = status(job(ended(4)));
  await pass(10_000);
  expect(isOld(keys.topicContent(3, 7))).toBe(true);
  expect(isOld(keys.allLibraryGroups())).toBe(true);
  expect(isOld(keys.topicContent(3, 8))).toBe(false);
});

it("marks at the first look what may have been done since the page was read", async () => {
  const justNow = openApp(() => status(job({ completedAt: "2026-11-09T09:55:00.001Z", status: "completed" })));
  await pass(100);
  expect(justNow.isOld(keys.topicContent(3, 7))).toBe(true);
});

it("but nothing that ended before", async () => {
  const earlier = openApp(() => status(job({ completedAt: "2026-11-09T09:55:00.000Z", status: "completed" })));
  await pass(100);
  expect(earlier.isOld(keys.topicContent(3, 7))).toBe(false);
});

it("hears of a job that another tab has begun", async () => {
  let now = status();
  const { client, isOld } = openApp(() => now);
  await pass(60_000);
  now = status(job(ended(30)));
  await act(async () => void client.invalidateQueries({ queryKey: keys.queueStatus() }));
  await pass(100);
  expect(isOld(keys.topicContent(3, 7))).toBe(true);
});
