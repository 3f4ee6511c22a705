/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { aPiece, aSummary, aTopic } from "@/tests/support/pieces";
import { aJob } from "@/tests/support/publishing-jobs";
import {
  answer,
  jobServer,
  openPublishing,
  PIECES,
  publishSelected,
  rowOf,
  TOPICS,
  USER,
  Visited,
} from "@/tests/support/publishing-screen";
import {
  expectLoadFailure,
  failure,
  mockApi,
  pendingAnswer,
  pressAndConfirm,
  renderScreen,
} from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const button = (name: string) => screen.getByRole("button", { name });
const box = (name: string) => screen.getByRole("checkbox", { name });

describe("the page", () => {
  it("names the project, links back to it, and reloads on Refresh", async () => {
    const { user, calls } = await openPublishing();
    expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to Project" })).toHaveAttribute("href", "/projects/3");
    // The categories are cached from an earlier use; nothing shows them now.
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await user.click(await screen.findByRole("combobox", { name: "Category" }));
    await screen.findByRole("option", { name: "Guides" });
    await user.keyboard("{Escape}{Escape}");
    const before = calls.length;
    await user.click(button("Refresh"));
    const again = () => calls.slice(before).map(({ url }) => url);
    await waitFor(() => expect(again()).toHaveLength(8));
    expect(again().sort()).toEqual([
      "/api/content/reviews?ids=a,b,c",
      "/api/projects/3",
      "/api/projects/3/content?limit=1000",
      "/api/projects/3/publishing-jobs",
      "/api/projects/3/topics?description=300",
      "/api/sites",
      "/api/user",
      "/api/wordpress/categories",
    ]);
  });

  it("shows Refresh as busy until everything has loaded but the counts, which take longer", async () => {
    const held = pendingAnswer();
    let times = 0;
    let isCounted = false;
    const { user } = await openPublishing({
      "GET /api/content/reviews?ids=a,b,c": () => {
        if (isCounted) return pendingAnswer().answer();
        isCounted = true;
        return { json: [] };
      },
      "GET /api/projects/3": () => (times++ === 0 ? { json: { id: 3, title: "Garden" } } : held.answer()),
    });
    await user.click(button("Refresh"));
    await waitFor(() => expect(button("Refresh")).toHaveAttribute("aria-busy", "true"));
    await act(async () => held.give({ json: { id: 3, title: "Allotment" } }));
    expect(await screen.findByRole("heading", { name: "Allotment" })).toBeVisible();
    await waitFor(() => expect(button("Refresh")).not.toHaveAttribute("aria-busy"));
  });

  it("shows only the notice while a credential is missing: no table, checkbox or bulk button", async () => {
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

  it("lists by topic the pieces that have a body", async () => {
    await openPublishing();
    expect(screen.getByRole("tab", { name: "By Topic", selected: true })).toBeVisible();
    const seeds = screen.getByRole("table", { name: "Seeds" });
    const links = within(seeds).getAllByRole("link", { name: /^(?!Open)/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/content/a", "/content/b"]);
    expect(screen.queryByText("A title alone")).not.toBeInTheDocument();
    expect(screen.queryByText("A blank body")).not.toBeInTheDocument();
    expect(screen.getByText("No description")).toBeVisible();
  });

  it("lists every piece with its topic under All Content", async () => {
    const { user } = await openPublishing();
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    const [head, first] = screen.getAllByRole("row");
    expect(head).toHaveTextContent("TitleTopicStatusActions");
    expect(first).toHaveTextContent("Sowing");
    expect(first).toHaveTextContent("Seeds");
  });

  it("says that nothing is publishable", async () => {
    await openPublishing({}, PIECES.slice(3));
    expect(screen.getByText("No publishable content found in this project.")).toBeVisible();
    expect(screen.getByText("Create content with body text to publish it to WordPress.")).toBeVisible();
    expect(button("Publish All Content")).toBeDisabled();
  });

  it("says that no content is organized by topics when the project has none", async () => {
    const { user } = await openPublishing({ "GET /api/projects/3/topics?description=300": () => ({ json: [] }) }, []);
    expect(screen.getByText("No publishable content found in this project.")).toBeVisible();
    expect(screen.getByText("No content organized by topics.")).toBeVisible();
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(screen.queryByText("No content organized by topics.")).not.toBeInTheDocument();
  });

  it("says when the topics fail to load, and loses no piece", async () => {
    let isDown = true;
    const { user, posts } = await openPublishing({
      "GET /api/projects/3/topics?description=300": () => (isDown ? { status: 500, json: {} } : { json: TOPICS }),
      ...jobServer(aJob({ verb: "publish_selected" })).table,
    });
    expect(screen.getByText("No content organized by topics.")).toBeVisible();
    await expectLoadFailure("Failed to fetch topics");
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(screen.getAllByText("Topic 7").length).toBeGreaterThan(0);
    await publishSelected(user, "Sowing");
    // Without a category: the server names the topic.
    expect(posts()[0]?.body).toEqual({ verb: "publish_selected", contentIds: ["a"] });
    isDown = false;
    await user.click(screen.getByRole("tab", { name: "By Topic" }));
    await user.click(button("Try again"));
    expect(await screen.findByRole("table", { name: "Seeds" })).toBeVisible();
    expect(screen.queryByText("No content organized by topics.")).not.toBeInTheDocument();
  });

  it("reloads the topics when a piece is in an unknown one, and lists the piece meanwhile", async () => {
    let topics = TOPICS.slice(0, 1);
    const held = pendingAnswer();
    const { calls } = await openPublishing({
      "GET /api/projects/3/topics?description=300": () => {
        const answer = topics === TOPICS ? held.answer() : { json: topics };
        topics = TOPICS;
        return answer;
      },
    });
    expect(screen.getByRole("table", { name: "Topic 8" })).toBeVisible();
    expect(rowOf("Turning").getByText("Failed")).toBeVisible();
    await act(async () => held.give({ json: TOPICS }));
    expect(await screen.findByRole("table", { name: "Compost" })).toBeVisible();
    expect(calls.filter(({ url }) => url === "/api/projects/3/topics?description=300")).toHaveLength(2);
  });

  it("checks the site once when it is unknown whether the pieces are on it", async () => {
    let look = 0;
    const { calls } = await openPublishing({
      "GET /api/projects/3/content?limit=1000": () => ({
        json: [
          aSummary({
            id: "b",
            title: "Watering",
            ...(look++
              ? { status: "unpublished", wpPlace: "elsewhere" }
              : { status: "wp_published", wpPlace: "unknown" }),
          }),
        ],
      }),
    });
    expect(await screen.findByText("Not Published")).toBeVisible();
    expect(button("Publish with Category")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Update" })).not.toBeInTheDocument();
    expect(calls.filter(({ url }) => url === "/api/wordpress/categories")).toHaveLength(1);
  });

  it("says when the content fails to load", async () => {
    mockApi({
      "GET /api/projects/3": () => ({ json: null }),
      "GET /api/projects/3/topics?description=300": () => ({ json: TOPICS }),
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
  it("shows the piece's status, a link to its post, and Update when it is live", async () => {
    await openPublishing();
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

  it("publishes into a category named after the topic when the piece has none", async () => {
    const { user, posts } = await openPublishing({
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    });
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Seeds");
    await user.click(button("Publish"));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(posts()[0]?.body).toEqual({ categoryName: "Seeds" });
  });

  it("publishes into the piece's own category when it has one", async () => {
    const { user, posts } = await openPublishing(
      { "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) },
      [aSummary({ id: "a", title: "Sowing", wpPlace: "here", wpCategoryId: "21", wpCategoryName: "Guides" })],
    );
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Guides");
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ categoryId: "21", categoryName: "Guides" });
  });

  describe("of a topic whose name several of the site's categories have", () => {
    const several = [
      { id: 30, name: "News", parent: 0 },
      { id: 31, name: "seeds", parent: 30 },
      { id: 32, name: "Seeds ", parent: 0 },
    ];
    const sowing = aSummary({ id: "a", title: "Sowing" });
    const table = {
      "GET /api/wordpress/categories": () => ({ json: several }),
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    };

    it("asks which one is meant", async () => {
      const { user, posts } = await openPublishing(table, [sowing]);
      await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
      expect(await screen.findByText(/^Your site has several categories/)).toBeVisible();
      expect(button("Publish")).toBeDisabled();
      await user.click(screen.getByRole("combobox", { name: "Category" }));
      expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual([
        "Seeds  (top level)",
        "seeds (in News)",
        "News",
      ]);
      await user.click(screen.getByRole("option", { name: "seeds (in News)" }));
      await user.click(button("Publish"));
      await waitFor(() => expect(posts()[0]?.body).toEqual({ categoryId: "31", categoryName: "seeds" }));
    });

    it("offers the one that the topic's pieces have first", async () => {
      const other = aSummary({
        id: "b",
        title: "Thinning",
        wpPlace: "here",
        wpCategoryId: "31",
        wpCategoryName: "seeds",
      });
      const again = await openPublishing(table, [sowing, other]);
      await again.user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
      await waitFor(() =>
        expect(screen.getByRole("combobox", { name: "Category" })).toHaveTextContent("seeds (in News)"),
      );
      expect(button("Publish")).toBeEnabled();
    });
  });

  it("asks in the row whether a scheduled post goes live now, and leaves it scheduled otherwise", async () => {
    const scheduled = { wpPostStatus: "future", wpPostDate: "2026-11-30T09:00:00.000Z" };
    const { user, posts } = await openPublishing(
      { "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) },
      [aSummary({ id: "a", title: "Sowing", status: "wp_draft", wpPlace: "here", ...scheduled })],
    );
    const open = () => user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await open();
    expect(await screen.findByText(/^It is scheduled on your site/)).toHaveTextContent(/for Nov 30, 2026/);
    await user.click(button("Leave it scheduled"));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Publish now" })).not.toBeInTheDocument());
    expect(posts()).toEqual([]);
    await open();
    await user.click(await screen.findByRole("button", { name: "Publish now" }));
    await waitFor(() => expect(posts()[0]?.body).toEqual({ categoryName: "Seeds", now: true }));
  });

  it.each([
    ["before the site's list has loaded", () => new Promise<never>(() => undefined)],
    ["when the site's list fails to load", () => ({ status: 500, json: {} })],
    ["when the category is gone from the site's list", () => ({ json: [{ id: 30, name: "News" }] })],
  ])("preselects the piece's own category %s", async (_when, list) => {
    const { user, posts } = await openPublishing(
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

  it.each(["elsewhere", "unknown"] as const)("never preselects a category of another site (%s)", async (wpPlace) => {
    const { user, posts } = await openPublishing(
      { "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }) },
      [aSummary({ id: "a", title: "Sowing", wpPlace, wpCategoryId: "21", wpCategoryName: "Old guides" })],
    );
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByRole("combobox", { name: "Category" })).toHaveTextContent("Seeds");
    await user.click(button("Publish"));
    await screen.findByText("Content published to WordPress successfully");
    expect(posts()[0]?.body).toEqual({ categoryName: "Seeds" });
  });

  it("does not send a placeholder topic name as a category", async () => {
    const { user, posts } = await openPublishing(
      {
        "GET /api/projects/3/topics?description=300": () => ({ json: [aTopic({ name: "" })] }),
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

  it("says why the site's categories cannot be reached, and offers the settings and a retry", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    let isDown = true;
    const { user } = await openPublishing({
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

  it("shows the details of a failed connection in the notification", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    const { user } = await openPublishing({
      "POST /api/content/b/publish": () => ({
        status: 502,
        json: { ...failure(sentence, "CONNECTION_ERROR"), detail },
      }),
    });
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText(`${sentence} ${detail}`)).toBeVisible();
  });

  it("says when the site's categories fail to load", async () => {
    const { user } = await openPublishing({ "GET /api/wordpress/categories": () => ({ status: 500, json: {} }) });
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await expectLoadFailure("Failed to fetch WordPress categories");
  });

  it("says when the site cannot be reached", async () => {
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const { user } = await openPublishing({
      "POST /api/content/b/publish": () => ({ status: 502, json: failure(sentence, "CONNECTION_ERROR") }),
    });
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText("Connection Error")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });
});

describe("the checkboxes", () => {
  it("stay in sync: each piece, its topic, and all of them", async () => {
    const { user } = await openPublishing();
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
