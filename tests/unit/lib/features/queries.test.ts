/** @jest-environment jsdom */
import {
  focusManager,
  MutationObserver,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/react-query";
import { createQueryClient } from "@/lib/client/query-client";
import { projectsQuery } from "@/lib/features/projects/client";
import { categoriesQuery, publishingJobQuery, publishingJobsQuery } from "@/lib/features/publishing/client";
import { queueStatusQuery } from "@/lib/features/work/client";
import { mockApi } from "@/tests/support/render";

jest.mock("@/lib/features/projects/actions", () => ({}));

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  focusManager.setFocused(undefined);
});

const MINUTE = 60_000;

/** `show` mounts this query and returns the function that unmounts it; `calls` are its requests. */
function watch<T, K extends QueryKey>(options: QueryObserverOptions<T, Error, T, T, K>, jobs: unknown[] = []) {
  const calls = mockApi({
    "GET /api/projects?description=300": () => ({ json: [] }),
    "GET /api/queue/status": () => ({ json: {} }),
    "GET /api/wordpress/categories": () => ({ json: [] }),
    "GET /api/publishing-jobs": () => ({ json: jobs }),
    "GET /api/projects/3/publishing-jobs": () => ({ json: { job: null, engineAwaySince: null } }),
  });
  const client = createQueryClient();
  client.mount();
  const show = () => new QueryObserver(client, options).subscribe(() => undefined);
  return { calls, client, show };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

async function refocus() {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await pass(0);
}

it("fetches the queue's status every ten seconds, on focus and on mount", async () => {
  const { calls, client, show } = watch(queueStatusQuery());
  const leave = show();
  await pass(9_999);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(calls).toHaveLength(2);
  await refocus();
  expect(calls).toHaveLength(3);
  leave();
  const leaveAgain = show();
  await pass(0);
  expect(calls).toHaveLength(4);
  leaveAgain();
  client.unmount();
});

it("reads a publishing job on mount, but not on focus", async () => {
  const { calls, client, show } = watch(publishingJobQuery(3));
  const leave = show();
  await pass(MINUTE);
  await refocus();
  expect(calls).toHaveLength(1);
  leave();
  const leaveAgain = show();
  await pass(0);
  expect(calls).toHaveLength(2);
  leaveAgain();
  client.unmount();
});

it.each([
  ["each second while one of them runs", "processing", 10],
  ["every ten seconds when all have ended", "completed", 1],
])("reads the newest publishing jobs %s", async (_when, status, reads) => {
  const { calls, client, show } = watch(publishingJobsQuery(), [{ status: "completed" }, { status }]);
  const leave = show();
  await pass(0);
  calls.length = 0;
  await pass(10_000);
  expect(calls).toHaveLength(reads);
  leave();
  client.unmount();
});

it("refetches the site's categories neither on focus nor on mount, and keeps them for ten minutes", async () => {
  const { calls, client, show } = watch(categoriesQuery());
  const leave = show();
  await pass(6 * MINUTE);
  await refocus();
  leave();
  const leaveAgain = show();
  await refocus();
  expect(calls).toHaveLength(1);

  leaveAgain();
  const { queryKey } = categoriesQuery();
  await pass(10 * MINUTE - 1);
  expect(client.getQueryData(queryKey)).toEqual([]);
  await pass(2);
  expect(client.getQueryData(queryKey)).toBeUndefined();
  client.unmount();
});

it("considers the site's categories fresh for five minutes", async () => {
  const { calls, client } = watch(categoriesQuery());
  await client.fetchQuery(categoriesQuery());
  await pass(5 * MINUTE - 1);
  await client.fetchQuery(categoriesQuery());
  expect(calls).toHaveLength(1);
  await pass(1);
  await client.fetchQuery(categoriesQuery());
  expect(calls).toHaveLength(2);
  client.unmount();
});

it("fetches anything else once: neither time, nor focus, nor another screen refetches it", async () => {
  const { calls, client, show } = watch(projectsQuery());
  const leave = show();
  await pass(4 * 60 * MINUTE);
  await refocus();
  const leaveOther = show();
  await pass(MINUTE);
  expect(calls).toHaveLength(1);
  leave();
  leaveOther();
  client.unmount();
});

it("does not retry a change", async () => {
  const change = jest.fn().mockRejectedValue(new Error("Broken."));
  const mutation = new MutationObserver(createQueryClient(), { mutationFn: change });
  const refused = expect(mutation.mutate(undefined)).rejects.toThrow("Broken.");
  await pass(MINUTE);
  await refused;
  expect(change).toHaveBeenCalledTimes(1);
});
