/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { ProjectScreen } from "@/components/projects/project-screen";
import { aTopic } from "@/tests/support/pieces";
import { expectLoadFailure, failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
afterEach(() => window.history.replaceState(null, "", "/"));

const NO_STYLE = { tone: null, language: null, words: null, instructions: null };
const GARDEN = {
  id: 3,
  title: "Garden",
  description: "Beds and soil",
  createdAt: "2026-11-03T10:00:00.000Z",
  writing: NO_STYLE,
};

function open(table: Parameters<typeof mockApi>[0] = {}) {
  mockApi({
    "GET /api/projects/3": () => ({ json: GARDEN }),
    "GET /api/projects/3/topics?description=300": () => ({ json: [aTopic()] }),
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
  open({ "GET /api/projects/3/topics?description=300": () => ({ json: [] }) });
  expect(await screen.findByText(/A topic is one corner of your subject/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create Content Ideas" })).not.toBeInTheDocument();
});

it.each([
  ["/api/projects/3", "Failed to fetch project"],
  ["/api/projects/3/topics?description=300", "Failed to fetch topics"],
])("says when %s fails: %s", async (path, sentence) => {
  open({ [`GET ${path}`]: () => ({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }) });
  await expectLoadFailure(sentence);
  await expectLoadFailure("Not now.");
});

describe("the writing style", () => {
  const STYLE = { tone: "dry", language: "British English", words: 900, instructions: "No jokes.\nMetric units." };

  it("is shown where it is set, and offered where it is not", async () => {
    const { unmount } = open();
    expect(await screen.findByRole("button", { name: "Set Writing Style" })).toBeVisible();
    unmount();
    open({ "GET /api/projects/3": () => ({ json: { ...GARDEN, writing: STYLE } }) });
    expect(await screen.findByText("About 900 words")).toBeVisible();
    expect(screen.getByText("British English")).toBeVisible();
    expect(screen.getByText(/Metric units/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Set Writing Style" })).not.toBeInTheDocument();
  });

  it("is saved, with what was left empty as nothing", async () => {
    const sent: unknown[] = [];
    const { user } = open({
      "PATCH /api/projects/3": (body) => {
        sent.push(body);
        return { json: { ...GARDEN, writing: { ...NO_STYLE, tone: "dry", words: 1200 } } };
      },
    });
    await user.click(await screen.findByRole("button", { name: "Set Writing Style" }));
    await user.type(await screen.findByRole("textbox", { name: "Tone" }), "dry");
    await user.type(screen.getByRole("textbox", { name: "Words of a post" }), "1,200");
    await user.click(screen.getByRole("button", { name: "Save Writing Style" }));
    expect(await screen.findByText("Writing style updated successfully")).toBeVisible();
    expect(sent).toEqual([{ writing: { tone: "dry", language: "", words: 1200, instructions: "" } }]);
    expect(await screen.findByText("About 1,200 words")).toBeVisible();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it.each(["12", "7000", "many"])("asks for a length it can use instead of %s words", async (words) => {
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Set Writing Style" }));
    await user.type(await screen.findByRole("textbox", { name: "Words of a post" }), words);
    await user.click(screen.getByRole("button", { name: "Save Writing Style" }));
    expect(await screen.findByText(/^Use (?:300 to 6,000|a whole number)\.$/)).toBeVisible();
  });
});
