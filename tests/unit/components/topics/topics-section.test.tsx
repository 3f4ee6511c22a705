/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { TopicsSection } from "@/components/topics/topics-section";
import type { TopicOut } from "@/lib/features/topics/schema";
import { aKeyword, aSummary, aTopic } from "@/tests/support/pieces";
import { expectLoadFailure, failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
afterEach(() => window.history.replaceState(null, "", "/"));

const COMPOST = aTopic({ id: 8, name: "Compost", category: null, keywordCount: 2 });

function open(table: Parameters<typeof mockApi>[0] = {}) {
  const topics: TopicOut[] = [aTopic(), COMPOST];
  const calls = mockApi({
    "GET /api/projects/3/topics?description=300": () => ({ json: [...topics] }),
    "POST /api/projects/3/topics": (body) => {
      topics.push(aTopic({ id: 9, ...(body as object) }));
      return { status: 201, json: topics.at(-1) };
    },
    "GET /api/topics/7/keywords": () => ({ json: [aKeyword(1, "leggy seedlings")] }),
    "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [aSummary()] }),
    "GET /api/topics/8/keywords": () => ({ json: [] }),
    "GET /api/projects/3/topics/8/content?limit=50": () => ({ json: [] }),
    ...table,
  });
  const { user } = renderScreen(<TopicsSection projectId={3} />);
  return { user, writes: () => calls.filter(({ method }) => method !== "GET") };
}

const topic = (name: RegExp) => screen.findByRole("button", { name });

it("names each topic, with its category, if any, in brackets", async () => {
  open();
  expect(screen.getByRole("heading", { name: /^Topics & Keywords/ })).toBeVisible();
  expect(await topic(/^Seed starting/)).toHaveTextContent("Seed starting indoors (Growing from seed)");
  expect(await topic(/^Compost/)).not.toHaveTextContent("(");
});

it("opens one topic at a time, and closes it again", async () => {
  const { user } = open();
  const [seeds, compost] = [await topic(/^Seed starting/), await topic(/^Compost/)];
  await user.click(seeds);
  expect(await screen.findByText("leggy seedlings")).toBeVisible();
  await user.click(compost);
  expect(compost).toHaveAttribute("aria-expanded", "true");
  expect(seeds).toHaveAttribute("aria-expanded", "false");
  await user.click(compost);
  expect(compost).toHaveAttribute("aria-expanded", "false");
});

it("lists the content pieces under their topic", async () => {
  const { user } = open();
  await user.click(await topic(/^Seed starting/));
  const content = within(await screen.findByRole("region", { name: "Content of Seed starting indoors" }));
  expect(await content.findByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
});

it("says under a topic without content how to get some", async () => {
  const { user } = open();
  await user.click(await topic(/^Compost/));
  expect(
    await screen.findByText("No content pieces yet. Click the button above to generate content ideas."),
  ).toBeVisible();
});

it("puts the button that generates ideas for this topic above that sentence", async () => {
  const { user, writes } = open({
    "POST /api/projects/3/generate-content-ideas": () => ({
      json: { message: "3 content ideas created.", contentIdeas: [] },
    }),
  });
  await user.click(await topic(/^Compost/));
  const sentence = await screen.findByText(/^No content pieces yet/);
  const content = within(screen.getByRole("region", { name: "Content of Compost" }));
  const generate = content.getByRole("button", { name: "Create Ideas" });
  expect(generate.compareDocumentPosition(sentence)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.click(generate);
  const dialog = within(await screen.findByRole("dialog", { name: "Create Content Ideas" }));
  expect(dialog.getByRole("combobox", { name: "Topic" })).toHaveTextContent("Compost");
  await user.click(dialog.getByRole("button", { name: "Create Content Ideas" }));
  expect(await screen.findByText("3 content ideas created.")).toBeVisible();
  expect(writes()[0]?.body).toEqual({ topicId: 8, ideasPerKeyword: 3 });
});

it("says when a topic's content fails to load", async () => {
  const { user } = open({
    "GET /api/projects/3/topics/8/content?limit=50": () => ({ status: 500, json: failure("Broken.", "INTERNAL") }),
  });
  await user.click(await topic(/^Compost/));
  await expectLoadFailure("Failed to fetch content");
});

describe("a new topic", () => {
  it("has name, description and category, opens, and takes the cursor to its keywords", async () => {
    const { user, writes } = open();
    await topic(/^Compost/);
    await user.click(screen.getByRole("button", { name: "Add Topic" }));
    const dialog = within(screen.getByRole("dialog"));
    await user.type(dialog.getByLabelText("Name"), " Watering ");
    await user.type(dialog.getByLabelText("Description"), "Little and often.");
    await user.type(dialog.getByLabelText("Category"), "Care");
    await user.click(dialog.getByRole("button", { name: "Create Topic" }));
    expect(await screen.findByText("Topic created successfully")).toBeVisible();
    expect(writes()[0]?.body).toEqual({ name: "Watering", description: "Little and often.", category: "Care" });
    expect(await screen.findByRole("button", { name: /^Watering/, expanded: true })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Add a keyword to Watering" })).toHaveFocus());
  });

  it("requires a name and a description, but no category", async () => {
    const { user, writes } = open();
    await topic(/^Compost/);
    await user.click(screen.getByRole("button", { name: "Add Topic" }));
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Create Topic" }));
    expect(dialog.getByLabelText("Name")).toBeInvalid();
    expect(dialog.getByLabelText("Description")).toBeInvalid();
    expect(dialog.getByLabelText("Category")).toBeValid();
    expect(writes()).toEqual([]);
  });
});

describe("the open topic", () => {
  it("is read from the address", async () => {
    window.history.replaceState(null, "", "/projects/3?topic=7");
    open();
    expect(await screen.findByRole("button", { name: /Seed starting/, expanded: true })).toBeVisible();
  });

  it("is added to the address, and removed when it closes", async () => {
    window.history.replaceState(null, "", "/projects/3");
    const { user } = open();
    const head = await screen.findByRole("button", { name: /Seed starting/ });
    await user.click(head);
    expect(window.location.search).toBe("?topic=7");
    await user.click(head);
    expect(window.location.search).toBe("");
  });
});
