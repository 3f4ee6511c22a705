/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { ProjectScreen } from "@/components/topics/project-screen";
import { aTopic } from "@/tests/support/pieces";
import { answerCalls, expectLoadFailure, failure, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
afterEach(() => window.history.replaceState(null, "", "/"));
jest.mock("@/lib/features/projects/actions", () => ({}));

const GARDEN = { id: 3, title: "Garden", description: "Beds and soil", createdAt: "2026-11-03T10:00:00.000Z" };

function open(table: Parameters<typeof answerCalls>[0] = {}) {
  answerCalls({
    "GET /api/projects/3": () => ({ json: GARDEN }),
    "GET /api/projects/3/topics": () => ({ json: [aTopic()] }),
    "GET /api/projects/3/buyer-persona": () => ({ json: null }),
    ...table,
  });
  return renderScreen(<ProjectScreen projectId={3} />);
}

it("shows a spinner, and then the project with its ways out", async () => {
  open();
  expect(screen.getByRole("status")).toHaveTextContent("Loading the project");
  expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
  expect(screen.getByText("Beds and soil")).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/");
  expect(screen.getByRole("link", { name: "WordPress Publishing" })).toHaveAttribute("href", "/wp-publishing/3");
});

it("leads to the assistant, which knows the project", async () => {
  open();
  const link = await screen.findByRole("link", { name: "Plan with the assistant" });
  expect(link).toHaveAttribute("href", "/assistant/3");
});

it("has topics at the left and the persona at the right", async () => {
  open();
  const topics = await screen.findByRole("heading", { name: /^Topics & Keywords/ });
  const persona = screen.getByRole("heading", { name: "Buyer Persona" });
  expect(await screen.findByRole("button", { name: "Add Buyer Persona" })).toBeVisible();
  expect(topics.compareDocumentPosition(persona)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("says so where there is no description", async () => {
  open({ "GET /api/projects/3": () => ({ json: { ...GARDEN, description: "" } }) });
  expect(await screen.findByText("No description provided")).toBeVisible();
});

it("creates content ideas where there are topics", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Create Content Ideas" }));
  expect(screen.getByRole("dialog", { name: "Create Content Ideas" })).toBeVisible();
});

it("creates no content ideas without topics", async () => {
  open({ "GET /api/projects/3/topics": () => ({ json: [] }) });
  expect(await screen.findByText(/A topic is one corner of your subject/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create Content Ideas" })).not.toBeInTheDocument();
});

it.each([
  ["/api/projects/3", "Failed to fetch project"],
  ["/api/projects/3/topics", "Failed to fetch topics"],
])("tells when %s fails: %s", async (path, sentence) => {
  open({ [`GET ${path}`]: () => ({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }) });
  await expectLoadFailure(sentence);
  await expectLoadFailure("Not now.");
});
