/** @jest-environment jsdom */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { ApiError } from "@/lib/client/api";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import {
  isRemoteChanged,
  publishableQuery,
  usePublishAll,
  usePublishContent,
  usePublishing,
  usePublishRun,
  usePublishSelected,
  useSyncContent,
  useUnpublishContent,
} from "@/lib/features/publishing/client";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer } from "@/tests/support/render";

jest.mock("@/lib/client/toast", () => ({ toast: jest.fn(), toastError: jest.fn() }));

beforeEach(() => jest.clearAllMocks());
afterEach(() => jest.useRealTimers());

/** Renders these hooks as a screen would, with the cache behind them. */
function use<Hook>(hook: () => Hook): { hook: () => Hook; client: QueryClient; leave: () => void } {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(hook, { wrapper });
  return { hook: () => result.current, client, leave: unmount };
}

const piece = aSummary({ id: "a", title: "Sowing" });
const other = aSummary({ id: "b", title: "Watering" });
const NO_CREDENTIALS = "Please add your WordPress credentials in your profile settings.";
const refused = (type: string) => ({ status: 409, json: { ...failure("No.", type), detail: "Not today." } });

const CALLS = {
  publish: () => {
    const { mutateAsync } = usePublishContent();
    return () => mutateAsync({ piece });
  },
  unpublish: () => {
    const { mutateAsync } = useUnpublishContent();
    return () => mutateAsync(piece);
  },
  sync: () => {
    const { mutateAsync } = useSyncContent();
    return () => mutateAsync(piece);
  },
};

describe.each([
  ["publish", "Content published to WordPress successfully", "Error publishing to WordPress"],
  ["unpublish", "Content unpublished from WordPress successfully", "Error unpublishing from WordPress"],
  ["sync", "Content synced with WordPress successfully", "Error syncing with WordPress"],
] as const)("%s", (verb, description, fallback) => {
  it("shows a toast, and stores the piece for the editor", async () => {
    const done = aPiece({ id: "a", status: "wp_draft" });
    mockApi({ [`POST /api/content/a/${verb}`]: () => ({ json: done }) });
    const { hook, client } = use(CALLS[verb]);
    await act(hook());
    expect(jest.mocked(toast).mock.calls).toEqual([[{ title: "Success", description, subject: "piece:a" }]]);
    expect(client.getQueryData(keys.content("a"))).toEqual(done);
    expect(toastError).not.toHaveBeenCalled();
  });

  it("shows a failure, except for a post edited on the site, which the caller asks about", async () => {
    for (const type of ["CONNECTION_ERROR", "REMOTE_CHANGED"]) {
      mockApi({ [`POST /api/content/a/${verb}`]: () => refused(type) });
      const { hook } = use(CALLS[verb]);
      const error = await act(() => hook()().catch((reason: unknown) => reason));
      expect(isRemoteChanged(error)).toBe(type === "REMOTE_CHANGED");
    }
    const words = { fallback, subject: "piece:a", ...(verb === "publish" ? { noCredentials: NO_CREDENTIALS } : {}) };
    expect(jest.mocked(toastError).mock.calls).toEqual(
      Array(verb === "publish" ? 1 : 2).fill([expect.any(ApiError), words]),
    );
    expect(toast).not.toHaveBeenCalled();
  });
});

it("a sync mentions an edit on the site, which is not part of the piece", async () => {
  const synced = aPiece({ id: "a", status: "wp_published" });
  mockApi({ "POST /api/content/a/sync": () => ({ json: { ...synced, remoteChanged: true } }) });
  const { hook, client } = use(CALLS.sync);
  await act(hook());
  expect(jest.mocked(toast).mock.calls[0]?.[0].description).toBe(
    "Content synced with WordPress successfully. The post was edited on your site since it was last published from here",
  );
  expect(client.getQueryData(keys.content("a"))).toEqual(synced);
});

it("an error that is not an ApiError does not count as an edit on the site", () => {
  expect(isRemoteChanged(Object.assign(new Error(), { type: "REMOTE_CHANGED" }))).toBe(false);
});

it("the publishable pieces of a project are read to the last page", async () => {
  const first = "/api/projects/3/content?limit=1000";
  mockApi({
    [`GET ${first}`]: () => ({ json: [piece, aSummary({ hasBody: false })], link: `<${first}&cursor=x>; rel="next"` }),
    [`GET ${first}&cursor=x`]: () => ({ json: [other] }),
  });
  expect(await createQueryClient().fetchQuery(publishableQuery(3))).toEqual([piece, other]);
});

it("shows what is running in its own project, and what started it", async () => {
  const held = pendingAnswer();
  mockApi({ "POST /api/content/a/publish": held.answer, "POST /api/content/a/sync": held.answer });
  const { hook } = use(() => ({
    here: usePublishing(3),
    elsewhere: usePublishing(4),
    publish: usePublishContent().mutate,
    sync: useSyncContent().mutate,
    many: usePublishSelected(3).mutate,
  }));
  const idle = { bulk: null, pieceIds: new Set(), isBusy: false };
  expect(hook().here).toEqual(idle);
  for (const begin of [() => hook().publish({ piece }), () => hook().sync(piece)]) {
    await act(async () => begin());
    await waitFor(() => expect(hook().here).toEqual({ bulk: null, pieceIds: new Set(["a"]), isBusy: true }));
    expect(hook().elsewhere).toEqual(idle);
  }
  await act(async () => hook().many([{ piece, topicName: "Seeds" }]));
  await waitFor(() => expect(hook().here).toEqual({ bulk: "selected", pieceIds: new Set(["a"]), isBusy: true }));
  await act(async () => held.give({ json: aPiece({ id: "a" }) }));
  await waitFor(() => expect(hook().here).toEqual(idle));
});

const useRuns = () => ({ run: usePublishRun(3), selected: usePublishSelected(3), all: usePublishAll(3) });

describe("publishing several pieces", () => {
  const chosen = [
    { piece, topicName: "Seeds" },
    { piece: other, topicName: undefined },
  ];
  const failed = { contentId: "a", title: "Sowing", success: false, error: "No.", detail: "Not today." };
  const TOO_LATE = { ...failed, contentId: "b", title: "Watering", type: "TIME_BUDGET" };

  it("keeps the result of each piece, even a day later", async () => {
    jest.useFakeTimers();
    mockApi({
      "POST /api/content/a/publish": () => refused("WORDPRESS_REJECTED"),
      "POST /api/content/b/publish": () => ({ json: aPiece({ id: "b" }) }),
    });
    const { hook, client, leave } = use(useRuns);
    const refusal = { ...failed, type: "WORDPRESS_REJECTED" };
    expect(await act(() => hook().selected.mutateAsync(chosen))).toEqual([
      refusal,
      { contentId: "b", title: "Watering", success: true },
    ]);
    const run = { total: 2, published: 1, failures: [refusal] };
    await waitFor(() => expect(hook().run).toEqual(run));
    expect(jest.mocked(toast).mock.calls).toEqual([
      [expect.objectContaining({ title: "Publishing Complete", variant: "default", subject: "publishing:3" })],
    ]);
    leave();
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(client.getQueryData(keys.publishRun(3))).toEqual(run);
  });

  it("shows a failure when it published nothing", async () => {
    mockApi({
      "POST /api/content/a/publish": () => ({ status: 500, json: {} }),
      "POST /api/content/b/publish": () => Promise.reject(new TypeError("no network")),
    });
    const { hook } = use(useRuns);
    const results = await act(() => hook().selected.mutateAsync(chosen));
    expect(results).toEqual([
      { contentId: "a", title: "Sowing", success: false, error: "Failed to publish to WordPress" },
      { contentId: "b", title: "Watering", success: false, error: expect.any(String) },
    ]);
    expect(jest.mocked(toast).mock.calls[0]?.[0]).toMatchObject({
      variant: "destructive",
      description: "Successfully published 0 out of 2 selected content pieces",
    });
  });

  it.each(["MISSING_CREDENTIALS", "CONNECTION_ERROR"] as const)(
    "shows the reason when all failed with %s, and the numbers of a partial failure",
    async (type) => {
      const results = [TOO_LATE, { ...failed, type }];
      const call = "POST /api/projects/3/publish-all-to-wordpress";
      mockApi({ [call]: () => ({ json: { results, totalProcessed: 1 } }) });
      const { hook } = use(useRuns);
      await act(() => hook().all.mutateAsync(2));
      const [error, words] = jest.mocked(toastError).mock.calls[0] ?? [];
      expect(error).toMatchObject({ text: "No.", isOurs: true, type, details: { detail: "Not today." } });
      expect(words).toEqual({
        fallback: "Failed to publish to WordPress",
        noCredentials: NO_CREDENTIALS,
        subject: "publishing:3",
      });
      expect(toast).not.toHaveBeenCalled();
      // Pieces that there was no time for are neither published nor failed.
      await waitFor(() => expect(hook().run).toEqual({ total: 2, published: 0, failures: [{ ...failed, type }] }));

      const partly = [{ contentId: "b", title: "Watering", success: true, unchanged: true }, ...results.slice(1)];
      mockApi({ [call]: () => ({ json: { results: partly, totalProcessed: 2 } }) });
      await act(() => hook().all.mutateAsync(2));
      expect(toastError).toHaveBeenCalledTimes(1);
      expect(jest.mocked(toast).mock.calls[0]?.[0].description).toBe(
        "Successfully published 1 out of 2 content pieces",
      );
    },
  );
});
