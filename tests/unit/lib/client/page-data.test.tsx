/** @jest-environment jsdom */
import { dehydrate, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { invalidate } from "@/lib/client/invalidation";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { mockApi } from "@/tests/support/render";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

/** The data that the server sends with a page; its clock is an hour ahead of the browser's. */
function pageWith(title: string) {
  const client = createQueryClient();
  client.setQueryData(keys.project(3), { title }, { updatedAt: Date.now() + 3_600_000 });
  return dehydrate(client);
}

function Title() {
  const { data } = useQuery<{ title: string }>({ queryKey: keys.project(3) });
  return <p>{data?.title}</p>;
}

/** A browser that opens and leaves pages; a fetch returns the title `now`. */
function browse() {
  const calls = mockApi({ "GET /api/projects/3": () => ({ json: { title: "now" } }) });
  const client = createQueryClient();
  const open = (state: ReturnType<typeof pageWith>) =>
    render(
      <QueryClientProvider client={client}>
        <PageData state={state}>
          <Title />
        </PageData>
      </QueryClientProvider>,
    );
  return { client, calls, open };
}

it("shows the page's data without a fetch", async () => {
  const { calls, open } = browse();
  open(pageWith("first"));
  expect(screen.getByText("first")).toBeInTheDocument();
  await pass(1_000);
  expect(calls).toEqual([]);
});

it("uses a later page's data, whatever the server's clock says", async () => {
  const { calls, open } = browse();
  const older = pageWith("first");
  const { unmount } = open(older);
  await pass(60_000);
  unmount();
  open(pageWith("second"));
  await pass(0);
  expect(screen.getByText("second")).toBeInTheDocument();
  expect(calls).toEqual([]);
});

it("does not let a page from the router's cache replace newer data", async () => {
  const { client, open } = browse();
  const page = pageWith("first");
  const { unmount } = open(page);
  await pass(1_000);
  client.setQueryData(keys.project(3), { title: "renamed" });
  unmount();
  await pass(60_000);
  open(page);
  await pass(0);
  expect(screen.getByText("renamed")).toBeInTheDocument();
});

it("refetches data that comes only from the router's cache", async () => {
  const { client, calls, open } = browse();
  const page = pageWith("first");
  open(page).unmount();
  await pass(6 * 60_000);
  client.clear();
  open(page);
  expect(screen.getByText("first")).toBeInTheDocument();
  await pass(100);
  expect(calls).toHaveLength(1);
  expect(screen.getByText("now")).toBeInTheDocument();
});

it.each([
  [30_000, "first", 0],
  [30_001, "first", 1],
])("shows a page again after %i ms, and refetches it after more than 30 seconds", async (ms, title, fetches) => {
  const { client, calls, open } = browse();
  const page = pageWith("first");
  open(page).unmount();
  await pass(ms);
  client.clear();
  open(page);
  expect(screen.getByText(title)).toBeInTheDocument();
  await pass(100);
  expect(calls).toHaveLength(fetches);
});

it("refetches data that changed while the page was loading", async () => {
  const { client, calls, open } = browse();
  const page = pageWith("before the change");
  invalidate(client, [{ noun: "project", projectId: 3 }]);
  await pass(2_000);
  open(page);
  await pass(100);
  expect(calls).toHaveLength(1);
  expect(screen.getByText("now")).toBeInTheDocument();
});

it("shows the response to the change until the refetch ends", async () => {
  const { client, open } = browse();
  client.setQueryData(keys.project(3), { title: "answered" });
  invalidate(client, [{ noun: "project", projectId: 3 }]);
  await pass(1_000);
  open(pageWith("before the change"));
  expect(screen.getByText("answered")).toBeInTheDocument();
  expect(client.getQueryData(keys.project(3))).toEqual({ title: "answered" });
  await pass(100);
  expect(screen.getByText("now")).toBeInTheDocument();
});
