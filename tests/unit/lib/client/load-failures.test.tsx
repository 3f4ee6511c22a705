/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { ProjectsSection } from "@/components/projects/projects-section";
import { keys } from "@/lib/client/query-keys";
import { queueStatusQuery } from "@/lib/features/jobs/client";
import { createProjectAction } from "@/lib/features/projects/actions";
import { answerCalls, closeToast, failure, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));

const GARDEN = { id: 3, title: "Garden", description: null, userId: USER_ID, createdAt: "2026-01-05T12:00:00.000Z" };

it("tells that a list could not be refreshed after a success, while the older one stands", async () => {
  let isDown = false;
  answerCalls({ "GET /api/projects": () => (isDown ? { status: 500, json: {} } : { json: [GARDEN] }) });
  jest.mocked(createProjectAction).mockResolvedValue({ ok: true, data: { ...GARDEN, id: 4, title: "Tools" } });
  const { user } = renderScreen(<ProjectsSection />);
  expect(await screen.findByText("Garden")).toBeInTheDocument();
  isDown = true;
  await user.click(screen.getByRole("button", { name: "New Project" }));
  await user.type(await screen.findByLabelText("Title"), "Tools");
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  await closeToast("Project created successfully");
  expect(await screen.findByText("Failed to fetch projects")).toBeVisible();
  expect(screen.getByText("The server did not answer as expected. What you see may be out of date.")).toBeVisible();
  expect(screen.getByText("Garden")).toBeInTheDocument();
});

describe("what is asked for again and again", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  it("tells of a failure once, until it loads again; then that is taken back", async () => {
    let answer: { status?: number; json: unknown } = { json: { jobs: [] } };
    answerCalls({ "GET /api/queue/status": () => answer });
    const { client } = renderScreen(<p>Any screen</p>);
    const ask = () => act(() => client.fetchQuery({ ...queueStatusQuery(), staleTime: 0 }).catch(() => undefined));
    const told = () => screen.queryAllByText("The queues did not load").length;
    await ask();
    answer = { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") };
    await ask();
    await pass(1_000);
    expect(told()).toBe(1);
    expect(screen.getByText("Not available right now. What you see may be out of date.")).toBeInTheDocument();
    await pass(7_000);
    await ask();
    await pass(1_000);
    expect(told()).toBe(0);

    answer = { json: { jobs: [] } };
    await ask();
    answer = { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") };
    await ask();
    await pass(1_000);
    expect(told()).toBe(1);
    answer = { json: { jobs: [] } };
    await ask();
    await pass(2_000);
    expect(told()).toBe(0);
  });

  it("says nothing where the whole screen says it: signed out, or not there any more", async () => {
    const { client } = renderScreen(<p>Any screen</p>);
    for (const [status, type] of [
      [401, "UNAUTHENTICATED"],
      [404, "NOT_FOUND"],
    ] as const) {
      answerCalls({ "GET /api/projects/3": () => ({ status, json: failure("No.", type) }) });
      await act(() => client.fetchQuery({ queryKey: keys.project(3), staleTime: 0 }).catch(() => undefined));
      await pass(1_000);
      expect(screen.queryByText("Failed to fetch project")).not.toBeInTheDocument();
    }
  });
});
