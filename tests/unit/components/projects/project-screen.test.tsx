/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { ProjectScreen } from "@/components/projects/project-screen";
import { aTopic } from "@/tests/support/pieces";
import { expectLoadFailure, failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
afterEach(() => window.history.replaceState(null, "", "/"));

const GARDEN = { id: 3, title: "Garden", description: "Beds and soil", createdAt: "2026-11-03T10:00:00.000Z" };

function open(table: Parameters<typeof mockApi>[0] = {}) {
  mockApi({
    "GET /api/projects/3": () => ({ json: GARDEN }),
    "GET /api/projects/3/topics": () => ({ json: [aTopic()] }),
    "GET /api/projects/3/buyer-persona": () => ({ json: null }),
    ...table,
  });
  return renderScreen(<ProjectScreen projectId={3} />);
}

it("shows a spinner, then the project with its links", async () => {
  open();
  expect(screen.getByRole("status")).toHaveTextContent("Loading the project");
  expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
  expect(screen.getByText("Beds and soil")).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/");
  expect(screen.getByRole("link", { name: "WordPress Publishing" })).toHaveAttribute("href", "/wp-publishing/3");
});

it("links to the assistant for this project", async () => {
  open();
  const link = await screen.findByRole("link", { name: "Plan with the assistant" });
  expect(link).toHaveAttribute("href", "/assistant/3");
});

it("shows topics on the left and the persona on the right", async () => {
  open();
  const topics = await screen.findByRole("heading", { name: /^Topics & Keywords/ });
  const persona = screen.getByRole("heading", { name: "Buyer Persona" });
  expect(await screen.findByRole("button", { name: "Add Buyer Persona" })).toBeVisible();
  expect(topics.compareDocumentPosition(persona)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("says that there is no description", async () => {
  open({ "GET /api/projects/3": () => ({ json: { ...GARDEN, description: "" } }) });
  expect(await screen.findByText("No description provided")).toBeVisible();
});

it("offers content ideas when there are topics", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Create Content Ideas" }));
  expect(screen.getByRole("dialog", { name: "Create Content Ideas" })).toBeVisible();
});

it("offers no content ideas without topics", async () => {
  open({ "GET /api/projects/3/topics": () => ({ json: [] }) });
  expect(await screen.findByText(/A topic is one corner of your subject/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create Content Ideas" })).not.toBeInTheDocument();
});

it.each([
  ["/api/projects/3", "Failed to fetch project"],
  ["/api/projects/3/topics", "Failed to fetch topics"],
])("says when %s fails: %s", async (path, sentence) => {
  open({ [`GET ${path}`]: () => ({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }) });
  await expectLoadFailure(sentence);
  await expectLoadFailure("Not now.");
});
