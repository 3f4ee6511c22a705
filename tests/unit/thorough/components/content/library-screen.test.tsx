/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { ContentLibrary } from "@/components/content/content-library";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aSummary, PIECE_ID } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams() }));

const GROUPS = [
  { projectId: 3, title: "Spring", count: 1, topics: [{ topicId: 7, name: "Seed starting", count: 1 }] },
  { projectId: 5, title: "Autumn", count: 12, topics: [] },
];

async function open(table: Parameters<typeof mockApi>[0] = {}, piece: Partial<ContentSummary> = {}) {
  mockApi({
    "GET /api/projects?description=300": () => ({
      json: [{ id: 3, title: "Spring", description: null, createdAt: "2026-11-03" }],
    }),
    "GET /api/content/groups": () => ({ json: GROUPS }),
    "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: [aSummary(piece)] }),
    ...table,
  });
  const { user } = renderScreen(<ContentLibrary />);
  await screen.findByRole("button", { name: "Autumn 12 items" });
  return user;
}

const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);

it("has a heading, a search and two filters", async () => {
  const user = await open();
  expect(screen.getByRole("heading", { name: "Content Library" })).toBeVisible();
  expect(screen.getByPlaceholderText("Search content...")).toBeVisible();
  await user.click(screen.getByRole("combobox", { name: "Project" }));
  expect(options()).toEqual(["All Projects", "Spring"]);
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("combobox", { name: "Status" }));
  expect(options()).toHaveLength(8);
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "Reset Filters" })).toBeVisible();
});

it("counts the items of each project in a badge", async () => {
  await open();
  expect(screen.getByRole("button", { name: "Spring 1 item" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Autumn 12 items" })).toBeVisible();
});

it.each([
  ["Generate Topic Outline", "Generate a comprehensive outline for this topic"],
  ["Write Topic Content with AI", "Generate content for all outlines in this topic"],
])("explains %s in a tooltip", async (label, tip) => {
  const user = await open();
  await user.hover(await screen.findByRole("button", { name: label }));
  expect(await screen.findByRole("tooltip")).toHaveTextContent(tip);
});

it.each([
  ["Generate Topic Outline", "generate-outline-queue", "Failed to queue topic outline generation"],
  ["Write Topic Content with AI", "generate-all-content-queue", "Failed to queue content generation"],
])("says when %s fails", async (label, path, sentence) => {
  const user = await open({ [`POST /api/topics/7/${path}`]: () => ({ status: 500, json: {} }) });
  await user.click(await screen.findByRole("button", { name: label }));
  expect(await screen.findByText(sentence)).toBeVisible();
});

it("says when a topic's rows fail to load", async () => {
  await open({ "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ status: 500, json: {} }) });
  expect(await screen.findByText("Failed to fetch content")).toBeVisible();
});

describe("a row", () => {
  const action = (label: string) => screen.findByRole("button", { name: `${label}: Bottom watering, explained` });

  it("shows N/A when the creation date is unknown", async () => {
    await open({}, { createdAt: null as unknown as string });
    const row = (await screen.findByRole("link", { name: "Bottom watering, explained" })).closest("[role=listitem]");
    expect(row).toHaveTextContent("Created: N/A");
  });

  it("names its unpublish button in a tooltip", async () => {
    const user = await open({}, { status: "wp_published", wpPostId: "12" });
    await user.hover(await action("Unpublish from WordPress"));
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Unpublish from WordPress");
  });

  it("says when its outline cannot be generated", async () => {
    const user = await open({ [`POST /api/content/${PIECE_ID}/generate-outline`]: () => ({ status: 500, json: {} }) });
    await user.click(await action("Generate outline"));
    expect(await screen.findByText("Failed to generate outline")).toBeVisible();
  });

  it("asks with Cancel and Delete before deleting, and says when that fails", async () => {
    const user = await open({ [`DELETE /api/content/${PIECE_ID}`]: () => ({ status: 500, json: {} }) });
    await user.click(await action("Delete"));
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this content?" });
    expect(dialog).toHaveTextContent("This action cannot be undone. This will permanently delete the content.");
    const buttons = within(dialog).getAllByRole("button");
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Cancel", "Delete"]);
    await user.click(buttons[1] as HTMLElement);
    expect(await screen.findByText("Failed to delete content")).toBeVisible();
  });
});
