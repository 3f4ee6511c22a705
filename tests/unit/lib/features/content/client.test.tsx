/** @jest-environment jsdom */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { optimisticData } from "@/lib/client/optimistic";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import {
  type LibraryFilters,
  libraryGroupsQuery,
  libraryRowsQuery,
  librarySearchQuery,
  revisionsQuery,
  topicContentQuery,
  useDeleteContent,
  useRenameContent,
  useRestoreRevision,
} from "@/lib/features/content/client";
import type { ContentGroup } from "@/lib/features/content/schema";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer } from "@/tests/support/render";

jest.mock("@/lib/client/toast", () => ({ toast: jest.fn(), toastError: jest.fn() }));

beforeEach(() => jest.clearAllMocks());

function use<Hook>(
  hook: () => Hook,
  client: QueryClient = createQueryClient(),
): { hook: () => Hook; client: QueryClient } {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(hook, { wrapper });
  return { hook: () => result.current, client };
}

const ROWS = "/api/content?projectId=3&topicId=7&limit=50";

describe("lists", () => {
  const empty = { json: [] };

  it("load fifty rows at a time, and sixteen in the search palette", async () => {
    const calls = mockApi({
      "GET /api/projects/3/topics/7/content?limit=50": () => empty,
      [`GET /api/content/${PIECE_ID}/revisions?limit=50`]: () => empty,
      [`GET ${ROWS}`]: () => empty,
      "GET /api/content?search=frost&limit=16": () => empty,
    });
    const client = createQueryClient();
    await client.fetchInfiniteQuery(topicContentQuery(3, 7));
    await client.fetchInfiniteQuery(revisionsQuery(PIECE_ID));
    await client.fetchInfiniteQuery(libraryRowsQuery({ search: "" }, 3, 7));
    await client.fetchQuery(librarySearchQuery("frost"));
    expect(calls).toHaveLength(4);
  });

  it("can be aborted only when they belong to a search", async () => {
    mockApi({
      "GET /api/content/groups": () => empty,
      "GET /api/content/groups?search=frost&status=review": () => empty,
    });
    const client = createQueryClient();
    await client.fetchQuery(libraryGroupsQuery({}));
    await client.fetchQuery(libraryGroupsQuery({ search: "frost", status: "review" }));
    const signals = jest.mocked(fetch).mock.calls.map(([, init]) => init?.signal);
    expect(signals).toEqual([undefined, expect.any(AbortSignal)]);
  });

  it("are not retried on mount in the library", () => {
    expect(libraryRowsQuery({}, 3, 7).retryOnMount).toBe(false);
  });
});

describe("a restored revision", () => {
  const URL = `POST /api/content/${PIECE_ID}/revisions/r/restore`;
  const subject = `piece:${PIECE_ID}`;

  it("shows a toast, and its texts in the editor", async () => {
    const restored = aPiece({ body: "As it was.", version: 9 });
    mockApi({ [URL]: () => ({ json: restored }) });
    const { hook, client } = use(() => useRestoreRevision(PIECE_ID));
    await act(() => hook().mutateAsync("r"));
    expect(client.getQueryData(keys.content(PIECE_ID))).toEqual(restored);
    expect(jest.mocked(toast).mock.calls).toEqual([
      [{ title: "Success", description: "Content has been updated successfully", subject }],
    ]);
  });
});

const useRename = () => useRenameContent(aSummary());

describe("a new title", () => {
  const URL = `PATCH /api/content/${PIECE_ID}`;
  const conflict = (title: string) => ({
    status: 409,
    json: { ...failure("Changed elsewhere.", "VERSION_CONFLICT"), current: aPiece({ title, version: 9 }) },
  });

  async function rename(first: { status: number; json: unknown }) {
    const calls = mockApi({
      [URL]: (body) => (Object(body).version === 9 ? { json: aPiece({ title: "New", version: 10 }) } : first),
    });
    const { hook } = use(useRename);
    await act(() =>
      hook()
        .mutateAsync({ title: "New" })
        .catch(() => undefined),
    );
    return calls.map(({ body }) => body);
  }

  it("is saved again on the newer version when only another field changed", async () => {
    expect(await rename(conflict(aSummary().title))).toEqual([
      { title: "New", version: 4 },
      { title: "New", version: 9 },
    ]);
    expect(toastError).not.toHaveBeenCalled();
  });

  it.each([
    ["another title was saved meanwhile", conflict("Another one")],
    [
      "the server refuses it for another reason",
      { status: 409, json: { ...failure("Busy.", "ALREADY_RUNNING"), current: aPiece() } },
    ],
  ])("fails, so that the user decides, when %s", async (_why, answer) => {
    expect(await rename(answer)).toEqual([{ title: "New", version: 4 }]);
    expect(toastError).toHaveBeenCalledTimes(1);
  });

  it("shows a toast when it does not reach the server", async () => {
    const lost = new TypeError("no network");
    mockApi({ [URL]: () => Promise.reject(lost) });
    const { hook } = use(useRename);
    await act(() =>
      hook()
        .mutateAsync({ title: "New" })
        .catch(() => undefined),
    );
    expect(jest.mocked(toastError).mock.calls[0]?.[0]).toBe(lost);
  });

  it("appears in the lists on its own piece only", async () => {
    const held = pendingAnswer();
    mockApi({ [URL]: held.answer });
    const { hook, client } = use(useRename);
    const other = aSummary({ id: "other", title: "Frost cloth" });
    const list = [...keys.projectContent(3), "publishable"];
    client.setQueryData(list, [aSummary(), other]);
    await act(async () => hook().mutate({ title: "New" }));
    expect(optimisticData(client, list)).toEqual([aSummary({ title: "New" }), other]);
  });
});

it("a deleted piece lowers every count of the library that includes it, and no other", async () => {
  const held = pendingAnswer();
  mockApi({ [`DELETE /api/content/${PIECE_ID}`]: held.answer });
  const { hook, client } = use(useDeleteContent);
  const groups = (count: number): ContentGroup[] => [
    { projectId: 3, title: "Garden", count, topics: [{ topicId: 7, name: "Seeds", count }] },
  ];
  const counted: LibraryFilters[] = [
    {},
    { projectId: 3 },
    { status: "draft" },
    { projectId: 3, status: "draft" },
    { search: "water" },
    { newerHere: "true" },
  ];
  const others: LibraryFilters[] = [
    { projectId: 4 },
    { status: "review" },
    { projectId: 4, status: "draft" },
    { projectId: 3, status: "review" },
    { search: "frost" },
    { search: "not looked at yet" },
  ];
  for (const filters of [...counted, ...others]) client.setQueryData(keys.libraryGroups(filters), groups(4));
  const page = (...ids: string[]) => ({
    pages: [{ items: ids.map((id) => aSummary({ id })), next: null }],
    pageParams: [""],
  });
  const rowsOf = (search: string) => libraryRowsQuery({ search }, 3, 7).queryKey;
  client.setQueryData(rowsOf("water"), page("other", PIECE_ID));
  client.setQueryData(rowsOf("frost"), page("other"));
  await act(async () => hook().mutate(aSummary({ isNewerHere: true })));
  const countOf = (filters: LibraryFilters) =>
    optimisticData<ContentGroup[]>(client, keys.libraryGroups(filters))?.map(({ count }) => count);
  expect(counted.map(countOf)).toEqual(counted.map(() => [3]));
  expect(others.map(countOf)).toEqual(others.map(() => [4]));
});
