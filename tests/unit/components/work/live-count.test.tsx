/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { LiveCount } from "@/components/work/live-count";
import { QUEUE_POLL_MS } from "@/lib/features/work/client";
import { mockApi, renderScreen } from "@/tests/support/render";

let pathname = "/";
jest.mock("next/navigation", () => ({ usePathname: () => pathname }));

afterEach(() => jest.useRealTimers());

const statusOf = (...states: string[]) => ({
  json: { jobs: states.map((status, id) => ({ id: String(id), status })), needs: [] },
});

it("counts pending and processing jobs", async () => {
  pathname = "/";
  mockApi({ "GET /api/queue/status": () => statusOf("pending", "processing", "completed", "failed", "cancelled") });
  const { container } = renderScreen(<LiveCount />);
  await waitFor(() => expect(container).toHaveTextContent("2 jobs pending or processing"));
});

it("is hidden while there are none", async () => {
  pathname = "/content";
  const calls = mockApi({ "GET /api/queue/status": () => statusOf("completed") });
  renderScreen(<LiveCount />);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByText(/jobs?/)).toBeNull();
});

it("tells how many pieces need the user, but not of a pause", async () => {
  pathname = "/";
  const needs = [
    { kind: "paused", items: 9 },
    { kind: "failed", items: 2 },
    { kind: "held", items: 3 },
  ];
  mockApi({ "GET /api/queue/status": () => ({ json: { jobs: [], needs } }) });
  const { container } = renderScreen(<LiveCount />);
  await waitFor(() => expect(container).toHaveTextContent("5 pieces need you"));
});

it("polls only while jobs live", async () => {
  jest.useFakeTimers();
  pathname = "/";
  const states = ["processing", "processing", "completed"];
  const calls = mockApi({ "GET /api/queue/status": () => statusOf(states.shift() ?? "completed") });
  renderScreen(<LiveCount />);
  for (let n = 0; n < 6; n++) await act(() => jest.advanceTimersByTimeAsync(QUEUE_POLL_MS));
  expect(calls).toHaveLength(3);
});

it("does not poll while the queue monitor is open", () => {
  pathname = "/queue-monitor";
  const calls = mockApi({});
  renderScreen(<LiveCount />);
  expect(calls).toEqual([]);
});
