/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aPiece, aSummary, aTopic } from "@/tests/support/pieces";
import { answerCalls, expectLoadFailure, failure, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/actions", () => ({}));

const USER = someUser({
  wordpressUrl: "https://blog.example.com",
  wordpressUsername: "editor",
  hasWordpressPassword: true,
});
const PIECES = [
  aSummary({ id: "a", title: "Sowing" }),
  aSummary({ id: "b", title: "Watering", status: "wp_published", wpPermalink: "https://blog.example.com/watering" }),
  aSummary({ id: "c", title: "Turning", topicId: 8, status: "wp_failed" }),
  aSummary({ id: "d", title: "A title alone", isTitleOnly: true, hasBody: false }),
  aSummary({ id: "e", title: "A blank body", hasBody: false }),
];
const TOPICS = [aTopic({ name: "Seeds" }), aTopic({ id: 8, name: "Compost", description: "" })];

async function open(table: Parameters<typeof answerCalls>[0] = {}, pieces: ContentSummary[] = PIECES) {
  const calls = answerCalls({
    "GET /api/projects/3": () => ({ json: { id: 3, title: "Garden", description: null, createdAt: "2026-11-03" } }),
    "GET /api/projects/3/content?limit=1000": () => ({ json: pieces }),
    "GET /api/projects/3/topics": () => ({ json: TOPICS }),
    "GET /api/wordpress/categories": () => ({ json: [{ id: 21, name: "Guides" }] }),
    ...table,
  });
  const { user } = renderScreen(
    <AuthProvider user={USER}>
      <ProjectPublishing projectId={3} />
    </AuthProvider>,
  );
  await screen.findByRole("button", { name: "Publish All Content" });
  return { user, calls, posts: () => calls.filter(({ method }) => method === "POST") };
}

const button = (name: string) => screen.getByRole("button", { name });
const box = (name: string) => screen.getByRole("checkbox", { name });
const rowOf = (title: string) => within(screen.getByRole("link", { name: title }).closest("tr") as HTMLElement);

describe("the page", () => {
  it("is headed by the project, leads back to it, and looks again on Refresh", async () => {
    const { user, calls } = await open();
    expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to Project" })).toHaveAttribute("href", "/projects/3");
    const before = calls.length;
    await user.click(button("Refresh"));
    await waitFor(() => expect(calls.slice(before).map(({ url }) => url)).toContain("/api/projects/3/topics"));
    expect(calls.slice(before).map(({ url }) => url)).toContain("/api/projects/3/content?limit=1000");
  });

  it("lists by topic what has a body and is no title alone", async () => {
    await open();
    expect(screen.getByRole("tab", { name: "By Topic", selected: true })).toBeVisible();
    const seeds = screen.getByRole("table", { name: "Seeds" });
    const links = within(seeds).getAllByRole("link", { name: /^(?!Open)/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/content/a", "/content/b"]);
    expect(screen.queryByText("A title alone")).not.toBeInTheDocument();
    expect(screen.queryByText("A blank body")).not.toBeInTheDocument();
    expect(screen.getByText("No description")).toBeVisible();
  });

  it("lists under All Content every piece with its topic", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    const [head, first] = screen.getAllByRole("row");
    expect(head).toHaveTextContent("TitleTopicStatusActions");
    expect(first).toHaveTextContent("Sowing");
    expect(first).toHaveTextContent("Seeds");
  });

  it("says so when nothing is publishable", async () => {
    await open({}, PIECES.slice(3));
    expect(screen.getByText("No publishable content found in this project.")).toBeVisible();
    expect(screen.getByText("Create content with body text to publish it to WordPress.")).toBeVisible();
    expect(button("Publish All Content")).toBeDisabled();
  });

  it("says so when no piece is in a topic", async () => {
    await open({}, [aSummary({ topicId: 99 })]);
    expect(screen.getByText("No content organized by topics.")).toBeVisible();
  });

  it("tells when the content does not load", async () => {
    answerCalls({
      "GET /api/projects/3": () => ({ json: null }),
      "GET /api/projects/3/topics": () => ({ json: TOPICS }),
      "GET /api/projects/3/content?limit=1000": () => ({ status: 500, json: {} }),
    });
    renderScreen(
      <AuthProvider user={USER}>
        <ProjectPublishing projectId={3} />
      </AuthProvider>,
    );
    expect(await screen.findByText("Failed to fetch content")).toBeVisible();
  });
});

describe("a row", () => {
  it("shows where the piece stands, the way to its post, and Update for what is live", async () => {
    await open();
    expect(rowOf("Sowing").getByText("Not Published")).toBeVisible();
    expect(rowOf("Sowing").queryByRole("link", { name: /^Open/ })).not.toBeInTheDocument();
    expect(rowOf("Sowing").queryByRole("button", { name: "Update" })).not.toBeInTheDocument();
    expect(rowOf("Turning").getByText("Failed")).toBeVisible();
    const live = rowOf("Watering");
    expect(live.getByText("Published")).toBeVisible();
    expect(live.getByRole("link", { name: /^Open/ })).toHaveAttribute("href", "https://blog.example.com/watering");
    expect(live.getByRole("button", { name: "Update" })).toBeVisible();
    expect(live.queryByRole("button", { name: "Publish with Category" })).not.toBeInTheDocument();
  });

  it("publishes into the topic's name where there was no category yet", async () => {
    const { user, posts } = await open({ "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) });
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Seeds");
    await user.click(button("Publish"));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(posts()[0]?.body).toEqual({ categoryName: "Seeds" });
  });

  it("publishes into the piece's own category where it has one", async () => {
    const { user, posts } = await open({ "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) }, [
      aSummary({ id: "a", title: "Sowing", wpCategoryId: "21", wpCategoryName: "Guides" }),
    ]);
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Category" })).toHaveTextContent("Guides"));
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ categoryId: "21", categoryName: "Guides" });
  });

  it("tells when the site's categories cannot be had", async () => {
    const { user } = await open({ "GET /api/wordpress/categories": () => ({ status: 500, json: {} }) });
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await expectLoadFailure("Failed to fetch WordPress categories");
  });

  it("tells when the site cannot be reached", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const { user } = await open({
      "POST /api/content/b/publish": () => ({ status: 502, json: failure(sentence, "CONNECTION_ERROR") }),
    });
    await user.click(rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText("Connection Error")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });
});

describe("the boxes", () => {
  it("stay in sync: each piece, its topic, and all of them", async () => {
    const { user } = await open();
    await user.click(box("Select “Sowing”"));
    expect(box("Select Seeds")).toHaveAttribute("aria-checked", "mixed");
    await user.click(box("Select “Watering”"));
    expect(box("Select Seeds")).toBeChecked();
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(box("Select all content")).toHaveAttribute("aria-checked", "mixed");
    await user.click(box("Select all content"));
    expect(box("Select “Turning”")).toBeChecked();
    await user.click(box("Select “Turning”"));
    expect(box("Select all content")).toHaveAttribute("aria-checked", "mixed");
  });
});

describe("publishing all", () => {
  const ALL = "POST /api/projects/3/publish-all-to-wordpress";
  const results = [
    { contentId: "a", title: "Sowing", success: true },
    { contentId: "b", title: "Watering", success: true },
    { contentId: "c", title: "Turning", success: false, error: "No." },
  ];

  async function publishAll(answer: { status?: number; json?: unknown }) {
    const opened = await open({ [ALL]: () => answer });
    await opened.user.click(button("Publish All Content"));
    const dialog = screen.getByRole("alertdialog", { name: "Publish all content?" });
    expect(dialog).toHaveTextContent("Each topic becomes a category on your site if it is not there yet.");
    expect(opened.posts()).toEqual([]);
    await opened.user.click(within(dialog).getByRole("button", { name: "Publish All" }));
    return opened;
  }

  it("asks first, sends no body, and counts what was published", async () => {
    const { posts } = await publishAll({ json: { results, totalProcessed: 3 } });
    expect(await screen.findByText("Publishing Complete")).toBeVisible();
    expect(screen.getByText("Successfully published 2 out of 3 content pieces")).toBeVisible();
    expect(posts()[0]?.body).toBeUndefined();
  });

  it("tells a failure", async () => {
    await publishAll({ status: 500, json: {} });
    expect(await screen.findByText("Failed to publish all content")).toBeVisible();
  });

  it("asks for credentials where there are none", async () => {
    await publishAll({ status: 400, json: failure("WordPress credentials not found.", "MISSING_CREDENTIALS") });
    expect(await screen.findByText("Credentials Required")).toBeVisible();
    expect(screen.getByText("Please add your WordPress credentials in your profile settings.")).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });
});

describe("publishing what is selected", () => {
  it("is disabled while nothing is selected", async () => {
    const { user } = await open();
    expect(button("Publish Selected (0)")).toBeDisabled();
    await user.click(box("Select “Sowing”"));
    expect(button("Publish Selected (1)")).toBeEnabled();
  });

  it("goes on past a failure, names each topic as the category, and clears the selection", async () => {
    let answerLast: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answerLast = resolve;
    });
    const { user, posts } = await open({
      "POST /api/content/a/publish": () => ({ status: 500, json: {} }),
      "POST /api/content/c/publish": () => ({ json: aPiece({ id: "c" }) }),
    });
    const answer = global.fetch;
    global.fetch = (async (url: string, init?: RequestInit) => {
      if (String(url).includes("/c/")) await held;
      return answer(url, init);
    }) as typeof fetch;
    await user.click(box("Select “Sowing”"));
    await user.click(box("Select “Turning”"));
    await user.click(button("Publish Selected (2)"));
    const dialog = screen.getByRole("alertdialog");
    expect(dialog).toHaveTextContent("Each topic becomes a category on your site if it is not there yet.");
    await user.click(within(dialog).getByRole("button", { name: "Publish Selected" }));
    expect(await screen.findByText("1 of 2 published")).toBeVisible();
    expect(button("Publish All Content")).toBeDisabled();
    await act(async () => answerLast());
    expect(await screen.findByText("Successfully published 1 out of 2 selected content pieces")).toBeVisible();
    expect(posts().map(({ body }) => body)).toEqual([{ categoryName: "Seeds" }, { categoryName: "Compost" }]);
    expect(screen.getByText("Sowing: Failed to publish to WordPress")).toBeVisible();
    expect(button("Publish Selected (0)")).toBeDisabled();
  });
});
