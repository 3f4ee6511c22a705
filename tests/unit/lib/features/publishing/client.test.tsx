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
  usePublishContent,
  usePublishing,
  useStartPublishing,
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
const CREDENTIALS_NOT_FOUND = "WordPress credentials not found. Please add them in your profile settings.";
const NO_CREDENTIALS = {
  publish: "Please add your WordPress credentials in your profile settings.",
  unpublish: CREDENTIALS_NOT_FOUND,
  sync: CREDENTIALS_NOT_FOUND,
};
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
    const done = aPiece({ id: "a", status: verb === "publish" ? "wp_published" : "wp_draft" });
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
    const words = { fallback, subject: "piece:a", noCredentials: NO_CREDENTIALS[verb] };
    expect(jest.mocked(toastError).mock.calls).toEqual(
      Array(verb === "publish" ? 1 : 2).fill([expect.any(ApiError), words]),
    );
    expect(toast).not.toHaveBeenCalled();
  });
});

it.each([
  ["future", "Scheduled on your site", "Your site will publish the post on Nov 30, 2026, 9:00 AM."],
  ["pending", "It waits for review on your site", "Readers see the post once somebody has approved it there."],
  ["private", "Private on your site", expect.stringContaining("signed in to your site")],
  ["in-editing", "WordPress Draft", expect.stringContaining("not yet for readers")],
])("a publish says where the post is that the site keeps as %s", async (wpPostStatus, title, description) => {
  const wpPostDate = wpPostStatus === "future" ? "2026-11-30T09:00:00.000Z" : null;
  const json = aPiece({ id: "a", status: "wp_draft", wpPostStatus, wpPostDate });
  mockApi({ "POST /api/content/a/publish": () => ({ json }) });
  const { hook } = use(CALLS.publish);
  await act(hook());
  expect(toast).toHaveBeenCalledWith({ title, description, variant: "neutral", subject: "piece:a" });
});

it("the toast of a live post opens it in a new tab", async () => {
  const wpPermalink = "https://blog.example.com/sowing";
  mockApi({ "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a", wpPermalink }) }) });
  await act(use(CALLS.publish).hook());
  expect(jest.mocked(toast).mock.calls[0]?.[0].action).toEqual({
    label: "View post",
    href: wpPermalink,
    newWindow: true,
  });
});

it("a sync mentions an edit on the site, which is not part of the piece", async () => {
  const synced = aPiece({ id: "a", status: "wp_published" });
  mockApi({ "POST /api/content/a/sync": () => ({ json: { ...synced, remoteChanged: true } }) });
  const { hook, client } = use(CALLS.sync);
  await act(hook());
  expect(jest.mocked(toast).mock.calls[0]?.[0].description).toBe(
    "Content synced with WordPress successfully. The post was edited there since it was last published from here",
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
  const idleJob = { json: { job: null, engineAwaySince: null } };
  mockApi({
    "POST /api/content/a/publish": held.answer,
    "POST /api/content/a/sync": held.answer,
    "POST /api/projects/3/publishing-jobs": held.answer,
    "GET /api/projects/3/publishing-jobs": () => idleJob,
  });
  const { hook } = use(() => ({
    here: usePublishing(3),
    elsewhere: usePublishing(4),
    publish: usePublishContent().mutate,
    sync: useSyncContent().mutate,
    many: useStartPublishing(3).mutate,
  }));
  const idle = { bulk: null, pieceIds: new Set(), isBusy: false };
  expect(hook().here).toEqual(idle);
  for (const begin of [() => hook().publish({ piece }), () => hook().sync(piece)]) {
    await act(async () => begin());
    await waitFor(() => expect(hook().here).toEqual({ bulk: null, pieceIds: new Set(["a"]), isBusy: true }));
    expect(hook().elsewhere).toEqual(idle);
  }
  await act(async () => hook().many({ verb: "publish_selected", contentIds: ["a"] }));
  await waitFor(() =>
    expect(hook().here).toEqual({ bulk: "publish_selected", pieceIds: new Set(["a"]), isBusy: true }),
  );
  expect(hook().elsewhere).toEqual(idle);
  await act(async () => held.give({ json: aPiece({ id: "a" }) }));
  await waitFor(() => expect(hook().here).toEqual(idle));
});
