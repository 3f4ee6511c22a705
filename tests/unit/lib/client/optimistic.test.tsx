/** @jest-environment jsdom */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import {
  type Edit,
  edit,
  optimisticData,
  useOptimisticInfiniteQuery,
  useOptimisticQuery,
} from "@/lib/client/optimistic";
import { createQueryClient } from "@/lib/client/query-client";
import { toast, toastError } from "@/lib/client/toast";
import { useOptimisticMutation } from "@/lib/client/use-optimistic-mutation";

jest.mock("@/lib/client/toast", () => ({ toast: jest.fn(), toastError: jest.fn() }));
beforeEach(() => jest.clearAllMocks());

const KEY = ["/api/letters"] as const;

const dropLetter = (letter: string) => edit<string[]>(KEY, (letters) => letters.filter((each) => each !== letter));

/** A list on screen, whose server answers `server.letters`; and calls that the test answers. */
function letters(stored?: string[]) {
  const client = createQueryClient();
  if (stored) client.setQueryData(KEY, stored);
  const server = { fetch: async () => stored ?? [] };
  const { result, unmount } = renderHook(
    () => useOptimisticQuery({ queryKey: KEY, queryFn: () => server.fetch(), enabled: stored !== undefined }),
    { wrapper: wrapperOf(client) },
  );
  return { client, server, shown: () => result.current.data, unmount };
}

function wrapperOf(client: QueryClient) {
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

/** Starts a mutation with these edits; the test decides how it ends. */
async function mutate(client: QueryClient, edits: Edit[], onRejected?: () => void) {
  let settle = { answer: (_: unknown) => {}, refuse: (_: Error) => {} };
  const { result, unmount } = renderHook(
    () =>
      useOptimisticMutation<void, unknown>({
        mutationFn: () =>
          new Promise((answer, refuse) => {
            settle = { answer, refuse };
          }),
        edits: () => edits,
        success: "Done",
        failure: "Not done",
        subject: () => "letters",
        ...(onRejected ? { onRejected } : {}),
      }),
    { wrapper: wrapperOf(client) },
  );
  await act(async () => result.current.mutate());
  return {
    unmount,
    answer: () => act(async () => settle.answer({})),
    refuse: () => act(async () => settle.refuse(new Error("No"))),
  };
}

it("shows an edit at once and takes it back when it is refused", async () => {
  const { client, shown } = letters(["a", "b", "c"]);
  const { refuse } = await mutate(client, [dropLetter("b")]);
  await waitFor(() => expect(shown()).toEqual(["a", "c"]));
  await refuse();
  await waitFor(() => expect(shown()).toEqual(["a", "b", "c"]));
  expect(toastError).toHaveBeenCalledTimes(1);
});

it("rolls back one edit and leaves the others, whichever came first", async () => {
  const { client, shown } = letters(["a", "b", "c"]);
  const first = await mutate(client, [dropLetter("a")]);
  const second = await mutate(client, [dropLetter("b")]);
  await first.refuse();
  await waitFor(() => expect(shown()).toEqual(["a", "c"]));
  await second.answer();
  await waitFor(() => expect(shown()).toEqual(["a", "c"]));

  const third = await mutate(client, [dropLetter("c")]);
  const fourth = await mutate(client, [dropLetter("a")]);
  await third.answer();
  await fourth.refuse();
  await waitFor(() => expect(shown()).toEqual(["a"]));
});

it("keeps a pending edit on top of fetched data, and rolls back to that data", async () => {
  const { client, shown } = letters(["a", "b"]);
  const { refuse } = await mutate(client, [dropLetter("b")]);
  act(() => void client.setQueryData(KEY, ["a", "b", "from another tab"]));
  await waitFor(() => expect(shown()).toEqual(["a", "from another tab"]));
  await refuse();
  await waitFor(() => expect(shown()).toEqual(["a", "b", "from another tab"]));
});

it("edits a list that loads later, and no other", async () => {
  const { client, shown } = letters();
  const { answer } = await mutate(client, [dropLetter("b")]);
  await act(() => client.fetchQuery({ queryKey: KEY, queryFn: async () => ["a", "b"] }));
  await act(() => client.fetchQuery({ queryKey: ["/api/others"], queryFn: async () => ["b"] }));
  await waitFor(() => expect(shown()).toEqual(["a"]));
  expect(optimisticData(client, ["/api/others"])).toEqual(["b"]);
  await answer();
  await waitFor(() => expect(client.getQueryData(KEY)).toEqual(["a"]));
  expect(shown()).toEqual(["a"]);
  expect(client.getQueryData(["/api/others"])).toEqual(["b"]);
});

it("applies an edit only once, even when the mutation has just succeeded", async () => {
  const client = createQueryClient();
  const count = ["/api/count"] as const;
  client.setQueryData(count, 5);
  const seen: (number | undefined)[] = [];
  renderHook(() => seen.push(useOptimisticQuery({ queryKey: count, queryFn: async () => 5 }).data), {
    wrapper: wrapperOf(client),
  });
  const { answer } = await mutate(client, [edit<number>(count, (now) => now - 1)]);
  await waitFor(() => expect(seen.at(-1)).toBe(4));
  await answer();
  await waitFor(() => expect(client.getQueryData(count)).toBe(4));
  expect(new Set(seen)).toEqual(new Set([5, 4]));
});

it("puts a row back into its page when the next page was loaded meanwhile", async () => {
  type Page = { items: string[] };
  const dropB = edit<{ pages: Page[] }>(KEY, (data) => ({
    ...data,
    pages: data.pages.map(({ items }) => ({ items: items.filter((each) => each !== "b") })),
  }));
  const client = createQueryClient();
  const pages: Page[] = [{ items: ["a", "b"] }, { items: ["c"] }];
  const { result } = renderHook(
    () =>
      useOptimisticInfiniteQuery({
        queryKey: KEY,
        queryFn: async ({ pageParam }: { pageParam: number }) => pages[pageParam] as Page,
        initialPageParam: 0,
        getNextPageParam: (_last: Page, all: Page[]) => (all.length < 2 ? all.length : null),
      }),
    { wrapper: wrapperOf(client) },
  );
  const items = () => result.current.data?.pages.flatMap((page) => page.items);
  await waitFor(() => expect(items()).toEqual(["a", "b"]));
  const { refuse } = await mutate(client, [dropB]);
  await act(() => result.current.fetchNextPage());
  await waitFor(() => expect(items()).toEqual(["a", "c"]));
  await refuse();
  await waitFor(() => expect(items()).toEqual(["a", "b", "c"]));
});

it("does not let a fetch from before the answer put a row back", async () => {
  const { client, server, shown } = letters(["a", "b"]);
  let give: (letters: string[]) => void = () => undefined;
  server.fetch = () => new Promise((resolve) => (give = resolve));
  const { answer } = await mutate(client, [dropLetter("b")]);
  void client.refetchQueries({ queryKey: KEY });
  await answer();
  await act(async () => give(["a", "b"]));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(shown()).toEqual(["a"]);
});

it("leaves an edited list stale until it is fetched, and does not touch one without the row", async () => {
  const { client } = letters(["a", "b"]);
  const { answer } = await mutate(client, [dropLetter("b"), dropLetter("not there")]);
  await client.invalidateQueries({ queryKey: KEY, refetchType: "none" });
  const none = [...KEY, "other filter"];
  client.setQueryData(none, ["c"]);
  await answer();
  expect(client.getQueryState(KEY)).toMatchObject({ isInvalidated: true, data: ["a"] });
  expect(client.getQueryState(none)?.isInvalidated).toBe(false);
});

it("reports the outcome even when the row that started it is gone", async () => {
  const { client, shown } = letters(["a", "b", "c"]);
  const onRejected = jest.fn();
  const refused = await mutate(client, [dropLetter("a")], onRejected);
  const done = await mutate(client, [dropLetter("b")]);
  refused.unmount();
  done.unmount();
  await refused.refuse();
  await done.answer();
  await waitFor(() => expect(shown()).toEqual(["a", "c"]));
  expect(onRejected).toHaveBeenCalledTimes(1);
  expect(toastError).toHaveBeenCalledWith(new Error("No"), { fallback: "Not done", subject: "letters" });
  expect(toast).toHaveBeenCalledWith({ title: "Success", description: "Done", subject: "letters" });
});
