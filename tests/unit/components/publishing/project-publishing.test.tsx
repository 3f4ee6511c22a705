/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { useState } from "react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aPiece, aSummary, aTopic } from "@/tests/support/pieces";
import { answerCalls, expectLoadFailure, failure, heldAnswer, renderScreen } from "@/tests/support/render";
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

type Table = Parameters<typeof answerCalls>[0];

function answer(table: Table = {}, pieces: ContentSummary[] = PIECES) {
  return answerCalls({
    "GET /api/user": () => ({ json: USER }),
    "GET /api/projects/3": () => ({ json: { id: 3, title: "Garden", description: null, createdAt: "2026-11-03" } }),
    "GET /api/projects/3/content?limit=1000": () => ({ json: pieces }),
    "GET /api/projects/3/topics": () => ({ json: TOPICS }),
    "GET /api/wordpress/categories": () => ({ json: [{ id: 21, name: "Guides" }] }),
    ...table,
  });
}

/** The screen, which can be left and come back to. */
function Visited({ user = USER }: { user?: typeof USER }) {
  const [isThere, setThere] = useState(true);
  return (
    <AuthProvider user={user}>
      <button type="button" onClick={() => setThere(!isThere)}>
        Go
      </button>
      {isThere ? <ProjectPublishing projectId={3} /> : null}
    </AuthProvider>
  );
}

async function open(table: Table = {}, pieces: ContentSummary[] = PIECES) {
  const calls = answer(table, pieces);
  const { user } = renderScreen(<Visited />);
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
    // The categories are there from an earlier look; nothing shows them now.
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await user.click(await screen.findByRole("combobox", { name: "Category" }));
    await screen.findByRole("option", { name: "Guides" });
    await user.keyboard("{Escape}{Escape}");
    const before = calls.length;
    await user.click(button("Refresh"));
    const again = () => calls.slice(before).map(({ url }) => url);
    await waitFor(() => expect(again()).toHaveLength(5));
    expect(again().sort()).toEqual([
      "/api/projects/3",
      "/api/projects/3/content?limit=1000",
      "/api/projects/3/topics",
      "/api/user",
      "/api/wordpress/categories",
    ]);
  });

  it("is refreshed when everything is there, and not before", async () => {
    const held = heldAnswer();
    let times = 0;
    const { user } = await open({
      "GET /api/projects/3": () => (times++ === 0 ? { json: { id: 3, title: "Garden" } } : held.answer()),
    });
    await user.click(button("Refresh"));
    await waitFor(() => expect(button("Refresh")).toHaveAttribute("aria-busy", "true"));
    await act(async () => held.give({ json: { id: 3, title: "Allotment" } }));
    expect(await screen.findByRole("heading", { name: "Allotment" })).toBeVisible();
    await waitFor(() => expect(button("Refresh")).not.toHaveAttribute("aria-busy"));
  });

  it("is the notice alone while a credential is missing: no table, no box, no bulk button", async () => {
    answer();
    renderScreen(<Visited user={someUser({ ...USER, hasWordpressPassword: false })} />);
    expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
    expect(screen.getByText("WordPress Credentials Required")).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to Project" })).toBeVisible();
    await act(async () => {});
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
    expect(screen.queryByRole("tab")).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Publish/ })).not.toBeInTheDocument();
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

  it("says that nothing is in topics where the project has none", async () => {
    const { user } = await open({ "GET /api/projects/3/topics": () => ({ json: [] }) }, []);
    expect(screen.getByText("No publishable content found in this project.")).toBeVisible();
    expect(screen.getByText("No content organized by topics.")).toBeVisible();
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(screen.queryByText("No content organized by topics.")).not.toBeInTheDocument();
  });

  it("says so too when the topics did not come, and loses no piece", async () => {
    let isDown = true;
    const { user, posts } = await open({
      "GET /api/projects/3/topics": () => (isDown ? { status: 500, json: {} } : { json: TOPICS }),
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    });
    expect(screen.getByText("No content organized by topics.")).toBeVisible();
    await expectLoadFailure("Failed to fetch topics");
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(screen.getAllByText("Topic 7").length).toBeGreaterThan(0);
    await publishSelected(user, "Sowing");
    // The stand-in for a name is nobody's category: the server names the topic.
    expect(posts()[0]?.body).toEqual({ byTopic: true });
    isDown = false;
    await user.click(screen.getByRole("tab", { name: "By Topic" }));
    await user.click(button("Try again"));
    expect(await screen.findByRole("table", { name: "Seeds" })).toBeVisible();
    expect(screen.queryByText("No content organized by topics.")).not.toBeInTheDocument();
  });

  it("asks for the topics again when a piece is in one it does not know, and keeps the piece meanwhile", async () => {
    let topics = TOPICS.slice(0, 1);
    const held = heldAnswer();
    const { calls } = await open({
      "GET /api/projects/3/topics": () => {
        const answer = topics === TOPICS ? held.answer() : { json: topics };
        topics = TOPICS;
        return answer;
      },
    });
    expect(screen.getByRole("table", { name: "Topic 8" })).toBeVisible();
    expect(rowOf("Turning").getByText("Failed")).toBeVisible();
    await act(async () => held.give({ json: TOPICS }));
    expect(await screen.findByRole("table", { name: "Compost" })).toBeVisible();
    expect(calls.filter(({ url }) => url === "/api/projects/3/topics")).toHaveLength(2);
  });

  it("looks at the site once when nobody knows whether it is the one the pieces stand on", async () => {
    let look = 0;
    const { calls } = await open({
      "GET /api/projects/3/content?limit=1000": () => ({
        json: [
          aSummary({ id: "b", title: "Watering", status: "wp_published", wpPlace: look++ ? "elsewhere" : "unknown" }),
        ],
      }),
    });
    expect(await screen.findByText("Not Published")).toBeVisible();
    expect(button("Publish with Category")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Update" })).not.toBeInTheDocument();
    expect(calls.filter(({ url }) => url === "/api/wordpress/categories")).toHaveLength(1);
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
      aSummary({ id: "a", title: "Sowing", wpPlace: "here", wpCategoryId: "21", wpCategoryName: "Guides" }),
    ]);
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Guides");
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ categoryId: "21", categoryName: "Guides" });
  });

  it.each([
    ["before the site's list has come", () => new Promise<never>(() => undefined)],
    ["when the site's list does not come", () => ({ status: 500, json: {} })],
    ["when the category is gone from the site's list", () => ({ json: [{ id: 30, name: "News" }] })],
  ])("has the piece's own category chosen %s", async (_when, list) => {
    const { user, posts } = await open(
      {
        "GET /api/wordpress/categories": list,
        "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
      },
      [aSummary({ id: "a", title: "Sowing", wpPlace: "here", wpCategoryId: "21", wpCategoryName: "Guides" })],
    );
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Guides");
    await user.click(button("Publish"));
    await waitFor(() => expect(posts()[0]?.body).toEqual({ categoryId: "21", categoryName: "Guides" }));
  });

  it.each(["elsewhere", "unknown"] as const)("never has a category of another site chosen (%s)", async (wpPlace) => {
    const { user, posts } = await open({ "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) }, [
      aSummary({ id: "a", title: "Sowing", wpPlace, wpCategoryId: "21", wpCategoryName: "Old guides" }),
    ]);
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Seeds");
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ categoryName: "Seeds" });
  });

  it("sends no stand-in for a topic's name as a category", async () => {
    const { user, posts } = await open(
      {
        "GET /api/projects/3/topics": () => ({ json: [aTopic({ name: "" })] }),
        "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
      },
      PIECES.slice(0, 1),
    );
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Topic 7");
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ byTopic: true });
  });

  it("says what is wrong when the site with the categories is not reached, and leads on", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    let isDown = true;
    const { user } = await open({
      "GET /api/wordpress/categories": () =>
        isDown
          ? { status: 502, json: { ...failure(sentence, "CONNECTION_ERROR"), detail } }
          : { json: [{ id: 21, name: "Guides" }] },
    });
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    const popover = within(await screen.findByRole("dialog"));
    expect(await popover.findByText("Connection Error")).toBeVisible();
    expect(popover.getByText(sentence)).toBeVisible();
    expect(popover.getByText(detail)).toBeVisible();
    expect(popover.getByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
    isDown = false;
    await user.click(popover.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(popover.queryByText("Connection Error")).not.toBeInTheDocument());
    await user.click(popover.getByRole("combobox", { name: "Category" }));
    expect(await screen.findByRole("option", { name: "Guides" })).toBeVisible();
  });

  it("shows what else is known of a failed connection in the notification", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    const { user } = await open({
      "POST /api/content/b/publish": () => ({
        status: 502,
        json: { ...failure(sentence, "CONNECTION_ERROR"), detail },
      }),
    });
    await user.click(rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText(`${sentence} ${detail}`)).toBeVisible();
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
    expect(dialog).toHaveTextContent(
      "A piece stays in the category it has there; for the others each topic becomes a category on your site if it is not there yet.",
    );
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

/** Ticks the piece and confirms. */
async function publishSelected(user: UserEvent, ...titles: string[]) {
  for (const title of titles) await user.click(box(`Select “${title}”`));
  await user.click(button(`Publish Selected (${titles.length})`));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Publish Selected" }));
}

describe("while something is published", () => {
  const goAway = () => fireEvent.click(screen.getByText("Go"));

  it("the bulk buttons wait for a row, and only that row waits with them", async () => {
    const held = heldAnswer();
    const { user } = await open({ "POST /api/content/b/publish": held.answer });
    await user.click(box("Select “Sowing”"));
    await user.click(rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(button("Publish All Content")).toBeDisabled();
    expect(button("Publish Selected (1)")).toBeDisabled();
    expect(box("Select “Sowing”")).toBeEnabled();
    expect(rowOf("Sowing").getByRole("button", { name: "Publish with Category" })).toBeEnabled();
    // The same piece in the other tab is another row.
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(rowOf("Watering").getByRole("button", { name: "Update" })).toHaveAttribute("aria-busy", "true");
    // Left and come back.
    goAway();
    goAway();
    expect(await screen.findByRole("button", { name: "Publish All Content" })).toBeDisabled();
    await act(async () => held.give({ json: aPiece({ id: "b" }) }));
    await waitFor(() => expect(button("Publish All Content")).toBeEnabled());
  });

  it("boxes and rows wait for the bulk run, which is still there for those who come back", async () => {
    const held = heldAnswer();
    const { user } = await open({
      "POST /api/content/a/publish": () => ({ status: 500, json: {} }),
      "POST /api/content/b/publish": () => ({ json: aPiece({ id: "b" }) }),
      "POST /api/content/c/publish": held.answer,
    });
    await publishSelected(user, "Sowing", "Watering", "Turning");
    const isWaiting = async () => {
      expect(await screen.findByText("1 of 3 published, 1 failed")).toBeVisible();
      for (const each of screen.getAllByRole("checkbox")) expect(each).toBeDisabled();
      expect(rowOf("Watering").getByRole("button", { name: "Update" })).toBeDisabled();
      expect(rowOf("Sowing").getByRole("button", { name: "Publish with Category" })).toBeDisabled();
      expect(button("Publish All Content")).toBeDisabled();
    };
    await isWaiting();
    goAway();
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
    goAway();
    await isWaiting();
    await act(async () => held.give({ json: aPiece({ id: "c" }) }));
    expect(await screen.findByText("Successfully published 2 out of 3 selected content pieces")).toBeVisible();
    expect(screen.getByText("Sowing: Failed to publish to WordPress")).toBeVisible();
    expect(button("Publish All Content")).toBeEnabled();
    for (const each of screen.getAllByRole("checkbox")) expect(each).toBeEnabled();
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  });

  it("publishing all is counted from call to call", async () => {
    const held = heldAnswer();
    const done = (id: string, title: string) => ({ contentId: id, title, success: true });
    const late = (id: string, title: string) => ({
      ...done(id, title),
      success: false,
      error: "No time.",
      type: "TIME_BUDGET",
    });
    let round = 0;
    const { user } = await open({
      "POST /api/projects/3/publish-all-to-wordpress": () =>
        round++ === 0
          ? {
              json: {
                results: [
                  done("a", "Sowing"),
                  { ...done("b", "Watering"), success: false, error: "No." },
                  late("c", "Turning"),
                ],
                totalProcessed: 2,
              },
            }
          : held.answer(),
    });
    await user.click(button("Publish All Content"));
    await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Publish All" }));
    expect(await screen.findByText("1 of 3 published, 1 failed")).toBeVisible();
    await act(async () => held.give({ json: { results: [done("c", "Turning")], totalProcessed: 1 } }));
    expect(await screen.findByText("Successfully published 2 out of 3 content pieces")).toBeVisible();
    expect(screen.getByText("Watering: No.")).toBeVisible();
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
    expect(dialog).toHaveTextContent(
      "Each goes into the category of its topic, also when it is in another one there: each topic becomes a category on your site if it is not there yet.",
    );
    await user.click(within(dialog).getByRole("button", { name: "Publish Selected" }));
    expect(await screen.findByText("0 of 2 published, 1 failed")).toBeVisible();
    expect(button("Publish All Content")).toBeDisabled();
    await act(async () => answerLast());
    expect(await screen.findByText("Successfully published 1 out of 2 selected content pieces")).toBeVisible();
    expect(posts().map(({ body }) => body)).toEqual([{ categoryName: "Seeds" }, { categoryName: "Compost" }]);
    expect(screen.getByText("Sowing: Failed to publish to WordPress")).toBeVisible();
    expect(button("Publish Selected (0)")).toBeDisabled();
  });
});
