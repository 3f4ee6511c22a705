/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { ProjectsSection } from "@/components/projects/projects-section";
import { keys } from "@/lib/client/query-keys";
import { createProjectAction } from "@/lib/features/projects/actions";
import { queueStatusQuery } from "@/lib/features/work/client";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));

const GARDEN = {
  id: 3,
  title: "Garden",
  description: null,
  userId: USER_ID,
  siteId: null,
  createdAt: "2026-01-05T12:00:00.000Z",
};

it("shows a toast when a list cannot be refreshed after a change, and keeps the older list", async () => {
  let isDown = false;
  mockApi({ "GET /api/projects?description=300": () => (isDown ? { status: 500, json: {} } : { json: [GARDEN] }) });
  jest.mocked(createProjectAction).mockResolvedValue({ ok: true, data: { ...GARDEN, id: 4, title: "Tools" } });
  const { user } = renderScreen(<ProjectsSection />);
  expect(await screen.findByText("Garden")).toBeInTheDocument();
  isDown = true;
  await user.click(screen.getByRole("button", { name: "New Project" }));
  await user.type(await screen.findByLabelText("Title"), "Tools");
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  expect(await screen.findByText("Failed to fetch projects")).toBeVisible();
  expect(screen.getByText("The server did not answer as expected. What you see may be out of date.")).toBeVisible();
  expect(screen.getByText("Garden")).toBeInTheDocument();
});

describe("a polled query", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  /** In steps, so that React renders after each. */
  async function pass(ms: number) {
    for (let passed = 0; passed < ms; passed += 100) await act(() => jest.advanceTimersByTimeAsync(100));
  }

  it("shows a failure once, and withdraws the toast when it loads again", async () => {
    let answer: { status?: number; json: unknown } = { json: { jobs: [] } };
    mockApi({ "GET /api/queue/status": () => answer });
    const { client } = renderScreen(<p>Any screen</p>);
    const refetch = () => act(() => client.fetchQuery({ ...queueStatusQuery(), staleTime: 0 }).catch(() => undefined));
    const toastCount = () => screen.queryAllByText("The queues did not load").length;
    await refetch();
    answer = { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") };
    await refetch();
    await pass(1_000);
    expect(toastCount()).toBe(1);
    expect(screen.getByText("Not available right now. What you see may be out of date.")).toBeInTheDocument();
    await pass(7_000);
    await refetch();
    await pass(1_000);
    expect(toastCount()).toBe(0);

    answer = { json: { jobs: [] } };
    await refetch();
    answer = { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") };
    await refetch();
    await pass(1_000);
    expect(toastCount()).toBe(1);
    answer = { json: { jobs: [] } };
    await refetch();
    await pass(2_000);
    expect(toastCount()).toBe(0);
  });

  it("shows no toast where the whole screen shows the failure: signed out or not found", async () => {
    const { client } = renderScreen(<p>Any screen</p>);
    for (const [status, type] of [
      [401, "UNAUTHENTICATED"],
      [404, "NOT_FOUND"],
    ] as const) {
      mockApi({ "GET /api/projects/3": () => ({ status, json: failure("No.", type) }) });
      await act(() => client.fetchQuery({ queryKey: keys.project(3), staleTime: 0 }).catch(() => undefined));
      await pass(1_000);
      expect(screen.queryByText("Failed to fetch project")).not.toBeInTheDocument();
    }
  });

  it.each([
    [400, keys.project(3), "Failed to fetch project"],
    [402, keys.project(3), "Failed to fetch project"],
    [500, ["/api/unlisted"], "This did not load"],
  ])("names what did not load for any other failure: %i", async (status, queryKey, title) => {
    const { client } = renderScreen(<p>Any screen</p>);
    mockApi({ [`GET ${queryKey[0]}`]: () => ({ status, json: failure("No.", "VALIDATION_ERROR") }) });
    await act(() => client.fetchQuery({ queryKey, staleTime: 0 }).catch(() => undefined));
    await pass(1_000);
    expect(screen.getByText(title)).toBeInTheDocument();
    expect(screen.getByText("No.")).toBeInTheDocument();
  });
});
