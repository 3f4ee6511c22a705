/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { invalidate } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { publishableQuery } from "@/lib/features/publishing/client";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { aJob, aResult, endedJob, JOB_ID } from "@/tests/support/publishing-jobs";
import { jobServer, openPublishing, PIECES, publishSelected, rowOf } from "@/tests/support/publishing-screen";
import { failure, pendingAnswer, pressAndConfirm } from "@/tests/support/render";

const button = (name: string) => screen.getByRole("button", { name });
const box = (name: string) => screen.getByRole("checkbox", { name });
const panel = () => within(screen.getByRole("region", { name: "Publishing job" }));
const START = "POST /api/projects/3/publishing-jobs";

async function confirm(opened: Awaited<ReturnType<typeof openPublishing>>, name: string) {
  const dialog = screen.getByRole("alertdialog");
  const { textContent } = dialog;
  await opened.user.click(within(dialog).getByRole("button", { name }));
  return textContent;
}

/** Opens the menu of less frequent actions: the bar's for wide screens, or its last, for phones. */
async function more({ user }: Awaited<ReturnType<typeof openPublishing>>, place = -2) {
  await user.click(screen.getAllByRole("button", { name: "More actions" }).at(place) as HTMLElement);
  return within(await screen.findByRole("menu"));
}

describe("publishing all", () => {
  it("asks first, starts a job, shows its progress, and counts what was published", async () => {
    const server = jobServer();
    const opened = await openPublishing(server.table);
    await opened.user.click(button("Publish All Content"));
    expect(screen.getByRole("alertdialog", { name: "Publish all content?" })).toBeVisible();
    expect(opened.posts()).toEqual([]);
    expect(await confirm(opened, "Publish All")).toContain(
      "All 3 publishable pieces of this project will be published on blog.example.com. A piece stays in the category it has there; for the others each topic becomes a category on your site if it is not there yet.",
    );
    expect(await screen.findByText("0 of 3 published")).toHaveAttribute("aria-live", "polite");
    expect(opened.posts().map(({ body }) => body)).toEqual([{ verb: "publish_all" }]);
    expect(panel().getByText("Publishing all content")).toBeVisible();
    expect(panel().getByText("You can leave this page: it goes on in the background.")).toBeVisible();
    server.job = aJob({ completedItems: 1, failedItems: 1 });
    expect(await screen.findByText("1 of 3 published, 1 of 3 failed")).toBeVisible();
    const bar = panel().getByRole("progressbar", { name: "Publishing all content, 67 percent done" });
    expect(bar).toHaveAttribute("aria-valuenow", "67");
    expect(panel().getByText("67%")).toBeVisible();
    server.results = [aResult({ contentId: "c", title: "Turning", status: "failed", error: "No.", detail: "Why." })];
    server.job = endedJob({ completedItems: 2, failedItems: 1 });
    expect(await screen.findByText("Publishing Complete")).toBeVisible();
    expect(screen.getByText("Successfully published 2 out of 3 content pieces")).toBeVisible();
    expect(panel().getByText(/^Last job: Completed, 1 of 3 failed · 2 of 3 pieces published/)).toBeVisible();
    expect(await panel().findByText("1 of 3 failed")).toBeVisible();
    expect(panel().getByRole("link", { name: "Turning" })).toHaveAttribute("href", "/content/c");
    expect(panel().getByRole("alert")).toHaveTextContent("Turning: No. Why.");
  });

  it("says that it failed to start", async () => {
    const opened = await openPublishing({ [START]: () => ({ status: 500, json: {} }) });
    await opened.user.click(button("Publish All Content"));
    await confirm(opened, "Publish All");
    expect(await screen.findByText("Failed to publish all content")).toBeVisible();
    expect(button("Publish All Content")).toBeEnabled();
  });

  it("asks for missing credentials", async () => {
    const opened = await openPublishing({
      [START]: () => ({ status: 400, json: failure("WordPress credentials not found.", "MISSING_CREDENTIALS") }),
    });
    await opened.user.click(button("Publish All Content"));
    await confirm(opened, "Publish All");
    expect(await screen.findByText("Credentials Required")).toBeVisible();
    expect(screen.getByText("Please add your WordPress credentials in your profile settings.")).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });

  it("shows the reason under its own title when the site could not be reached at all", async () => {
    const server = jobServer();
    const opened = await openPublishing(server.table);
    await opened.user.click(button("Publish All Content"));
    await confirm(opened, "Publish All");
    await screen.findByText("0 of 3 published");
    const error = "Could not connect to WordPress site.";
    server.job = aJob({ error, errorType: "CONNECTION_ERROR" });
    expect(await screen.findByText("Your site cannot be reached")).toBeVisible();
    expect(panel().getByText(`${error} The job tries again by itself.`)).toBeVisible();
    const failed = {
      status: "failed",
      completedItems: 0,
      failedItems: 3,
      error,
      errorType: "CONNECTION_ERROR",
    } as const;
    server.job = endedJob(failed);
    expect(await screen.findByText("Connection Error")).toBeVisible();
    expect(screen.queryByText("Publishing Complete")).not.toBeInTheDocument();
  });
});

describe("the notification at the end of a job", () => {
  const REFUSED = "Your WordPress site refused this. The title is too long.";

  it.each([
    [{ failedItems: 1, firstFailure: REFUSED }, "Error", REFUSED, "toast-destructive"],
    [{ failedItems: 3, firstFailure: REFUSED }, "Error", `${REFUSED} + 2 more`, "toast-destructive"],
    [
      { completedItems: 3, liveItems: 0 },
      "WordPress Draft",
      "The pieces are on your WordPress site, but not yet for readers: scheduled, private or waiting for review there.",
      "",
    ],
    [{ completedItems: 2, liveItems: 0, failedItems: 1, firstFailure: REFUSED }, "Error", REFUSED, "toast-destructive"],
    [
      { completedItems: 2, liveItems: 1, failedItems: 1, firstFailure: REFUSED },
      "Publishing Complete",
      "Successfully published 1 out of 3 content pieces",
      "",
    ],
  ])("says whether anything is live: %j", async (counts, title, description, style) => {
    const server = jobServer();
    const opened = await openPublishing(server.table);
    await opened.user.click(button("Publish All Content"));
    await confirm(opened, "Publish All");
    await screen.findByText("0 of 3 published");
    server.job = endedJob({ completedItems: 0, ...counts });
    const card = (await screen.findByText(title)).closest(".toast") as HTMLElement;
    expect(within(card).getByText(description)).toBeVisible();
    expect(card.classList.contains("toast-destructive")).toBe(style !== "");
    expect(card.dataset.type).toBe(title === "WordPress Draft" ? "info" : style ? "error" : "success");
  });
});

describe("publishing the selection", () => {
  it("is disabled while nothing is selected", async () => {
    const { user } = await openPublishing();
    expect(button("Publish Selected (0)")).toBeDisabled();
    await user.click(box("Select “Sowing”"));
    expect(button("Publish Selected (1)")).toBeEnabled();
  });

  it("sends the pieces, clears the selection, and counts selected pieces", async () => {
    const server = jobServer(aJob({ verb: "publish_selected", totalItems: 2 }));
    const { user, posts } = await openPublishing(server.table);
    await user.click(box("Select “Sowing”"));
    await user.click(box("Select “Turning”"));
    await user.click(button("Publish Selected (2)"));
    const dialog = screen.getByRole("alertdialog");
    expect(dialog).toHaveTextContent(
      "Each goes into the category of its topic, also when it is in another one there: each topic becomes a category on your site if it is not there yet.",
    );
    await user.click(within(dialog).getByRole("button", { name: "Publish Selected" }));
    expect(await screen.findByText("0 of 2 published")).toBeVisible();
    expect(posts().map(({ body }) => body)).toEqual([{ verb: "publish_selected", contentIds: ["a", "c"] }]);
    expect(button("Publish Selected (0)")).toBeDisabled();
    server.job = endedJob({ verb: "publish_selected", totalItems: 2, completedItems: 1, failedItems: 1 });
    expect(await screen.findByText("Successfully published 1 out of 2 selected content pieces")).toBeVisible();
  });

  it("keeps the selection when the job does not start", async () => {
    const { user } = await openPublishing({ [START]: () => ({ status: 500, json: {} }) });
    await publishSelected(user, "Sowing");
    expect(await screen.findByText("Failed to publish to WordPress")).toBeVisible();
    expect(box("Select “Sowing”")).toBeChecked();
  });
});

describe("what is published already", () => {
  it("is updated where it is newer here, and nothing else", async () => {
    const server = jobServer(aJob({ verb: "update_all", totalItems: 1 }));
    const live = { status: "wp_published", isNewerHere: true } as const;
    const changed = [aSummary({ id: "f", title: "Pruning", ...live }), aSummary({ id: "g", ...live, hasBody: false })];
    const opened = await openPublishing(server.table, [...PIECES, ...changed]);
    await opened.user.click((await more(opened)).getByRole("menuitem", { name: "Update 1 changed post" }));
    const question = await confirm(opened, "Update");
    expect(question).toContain("Update 1 changed post?");
    expect(question).toContain("1 piece whose text is newer here will be updated on blog.example.com");
    expect(await screen.findByText("0 of 1 updated")).toBeVisible();
    expect(opened.posts().map(({ body }) => body)).toEqual([{ verb: "update_all" }]);
    server.job = endedJob({ verb: "update_all", totalItems: 1, completedItems: 1, unchangedItems: 1 });
    expect(await screen.findByText("Successfully updated 1 out of 1 changed posts")).toBeVisible();
    expect(panel().getByText(/1 of 1 pieces updated, 1 of them needed no change/)).toBeVisible();
  });

  it("has no update while nothing is newer here, and says so", async () => {
    const opened = await openPublishing();
    const update = (await more(opened)).getByRole("menuitem", { name: /^Update changed posts/ });
    expect(update).toHaveAttribute("aria-disabled", "true");
    expect(update).toHaveTextContent("Nothing is newer here than on your site");
  });

  it("is unpublished by selection; pieces that are not online are left out", async () => {
    const server = jobServer(aJob({ verb: "unpublish_selected", totalItems: 1 }));
    const opened = await openPublishing(server.table);
    await opened.user.click(box("Select “Sowing”"));
    const idle = await more(opened);
    expect(idle.getByRole("menuitem", { name: /^Unpublish Selected \(0\)/ })).toHaveAttribute("aria-disabled", "true");
    await opened.user.keyboard("{Escape}");
    await opened.user.click(box("Select “Watering”"));
    await opened.user.click((await more(opened, -1)).getByRole("menuitem", { name: "Unpublish Selected (1)" }));
    expect(await confirm(opened, "Unpublish Selected")).toContain(
      "1 selected piece will be unpublished from blog.example.com. Readers will get a page that is not found.",
    );
    expect(await screen.findByText("0 of 1 unpublished")).toBeVisible();
    expect(opened.posts().map(({ body }) => body)).toEqual([{ verb: "unpublish_selected", contentIds: ["b"] }]);
    server.job = endedJob({ verb: "unpublish_selected", totalItems: 1, completedItems: 1 });
    expect(await screen.findByText("Successfully unpublished 1 out of 1 selected content pieces")).toBeVisible();
  });
});

describe("while something is being published", () => {
  const navigate = () => fireEvent.click(screen.getByText("Go"));

  it("disables the bulk buttons while a row is published, but no other row", async () => {
    const held = pendingAnswer();
    const { user } = await openPublishing({ "POST /api/content/b/publish": held.answer });
    await user.click(box("Select “Sowing”"));
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(button("Publish All Content")).toBeDisabled();
    expect(button("Publish Selected (1)")).toBeDisabled();
    expect(box("Select “Sowing”")).toBeEnabled();
    expect(rowOf("Sowing").getByRole("button", { name: "Publish with Category" })).toBeEnabled();
    // The same piece in the other tab is another row.
    await user.click(screen.getByRole("tab", { name: "All Content" }));
    expect(rowOf("Watering").getByRole("button", { name: "Update" })).toHaveAttribute("aria-busy", "true");
    // Leave and come back.
    navigate();
    navigate();
    expect(await screen.findByRole("button", { name: "Publish All Content" })).toBeDisabled();
    await act(async () => held.give({ json: aPiece({ id: "b" }) }));
    await waitFor(() => expect(button("Publish All Content")).toBeEnabled());
  });

  it("disables checkboxes and rows during a job, and reports its end on another screen", async () => {
    const server = jobServer();
    const opened = await openPublishing(server.table);
    await opened.user.click(button("Publish All Content"));
    await confirm(opened, "Publish All");
    expect(await screen.findByText("0 of 3 published")).toBeVisible();
    for (const each of screen.getAllByRole("checkbox")) expect(each).toBeDisabled();
    expect(rowOf("Watering").getByRole("button", { name: "Update" })).toBeDisabled();
    expect(rowOf("Sowing").getByRole("button", { name: "Publish with Category" })).toBeDisabled();
    expect(button("Publish All Content")).toHaveAttribute("aria-busy", "true");
    expect(button("Publish Selected (0)")).toBeDisabled();
    navigate();
    // It goes on without this page.
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
    server.job = endedJob();
    expect(await screen.findByText("Successfully published 3 out of 3 content pieces")).toBeVisible();
    navigate();
    await waitFor(() => expect(button("Publish All Content")).toBeEnabled());
    for (const each of screen.getAllByRole("checkbox")) expect(each).toBeEnabled();
  });

  it("shows a job that was running before the page was opened, and reads the pieces again at its end alone", async () => {
    const server = jobServer();
    server.job = aJob({ verb: "publish_selected", completedItems: 1 });
    const { calls, client } = await openPublishing(server.table);
    expect(await screen.findByText("1 of 3 published")).toBeVisible();
    server.job = aJob({ verb: "publish_selected", completedItems: 2 });
    expect(await screen.findByText("2 of 3 published")).toBeVisible();
    const reads = () => calls.filter(({ url }) => url === "/api/projects/3/content?limit=1000").length;
    // A screen that opens now reads its rows again.
    expect(client.getQueryState(publishableQuery(3).queryKey)?.isInvalidated).toBe(true);
    const before = reads();
    expect(before).toBe(1);
    server.job = endedJob({ verb: "publish_selected" });
    expect(await screen.findByText("Successfully published 3 out of 3 selected content pieces")).toBeVisible();
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
  });

  it("says nothing of a job that had ended before, but shows how", async () => {
    const server = jobServer();
    server.job = endedJob({ status: "cancelled", completedItems: 1, cancelledItems: 2 });
    await openPublishing(server.table);
    expect(await screen.findByText(/1 of 3 pieces published, 2 cancelled/)).toBeVisible();
    expect(screen.queryByText("Publishing Cancelled")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Retry failed pieces" })).not.toBeInTheDocument();
  });

  it("refreshes what a job of another tab changes, without reporting its end", async () => {
    const server = jobServer();
    const { client, calls } = await openPublishing(server.table);
    navigate();
    const piecesAt = () => client.getQueryState(publishableQuery(3).queryKey)?.isInvalidated;
    const looks = () => calls.filter(({ url }) => url === "/api/projects/3/publishing-jobs").length;
    const before = looks();
    server.job = aJob({ completedItems: 2 });
    // As the other tab reports its start.
    act(() => invalidate(client, [{ noun: "publishing", projectId: 3 }]));
    await waitFor(() => expect(looks()).toBeGreaterThan(before + 1));
    expect(piecesAt()).toBe(true);
    server.job = endedJob();
    await waitFor(() => expect(client.getQueryData(keys.followedPublishing())).toEqual(new Map()));
    navigate();
    expect(await screen.findByText(/^Last job: Completed · 3 of 3 pieces published/)).toBeVisible();
    expect(screen.queryByText("Publishing Complete")).not.toBeInTheDocument();
  });

  it("stops following a project that is gone", async () => {
    const { client } = await openPublishing({
      "GET /api/projects/3/publishing-jobs": () => ({ status: 404, json: failure("Gone.", "NOT_FOUND") }),
    });
    navigate();
    act(() => invalidate(client, [{ noun: "publishing", projectId: 3 }]));
    await waitFor(() => expect(client.getQueryData(keys.followedPublishing())).toEqual(new Map()));
  });

  it("says that the job engine is away", async () => {
    const server = jobServer();
    server.job = aJob({ status: "pending" });
    server.engineAwaySince = "2026-11-03T08:59:00.000Z";
    await openPublishing(server.table);
    expect(await screen.findByText("The job engine does not answer")).toBeVisible();
  });
});

describe("a job", () => {
  it("is cancelled after a question", async () => {
    const server = jobServer();
    server.job = aJob();
    const opened = await openPublishing({
      ...server.table,
      [`POST /api/publishing-jobs/${JOB_ID}/cancel`]: () => {
        server.job = aJob({ cancelRequestedAt: "2026-11-03T09:00:30.000Z", cancelledItems: 2 });
        return { json: server.job };
      },
    });
    await opened.user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(opened.posts()).toEqual([]);
    await confirm(opened, "Cancel job");
    expect(await screen.findByText("Cancelling…")).toBeVisible();
    server.job = endedJob({ status: "cancelled", completedItems: 1, cancelledItems: 2 });
    expect(await screen.findByText("Publishing Cancelled")).toBeVisible();
    expect(screen.getByText("Successfully published 1 out of 3 content pieces")).toBeVisible();
  });

  it("retries what failed", async () => {
    const server = jobServer();
    server.job = endedJob({ completedItems: 2, failedItems: 1 });
    server.results = [aResult({ status: "failed", error: "No." })];
    const { user, posts } = await openPublishing({
      ...server.table,
      [`POST /api/publishing-jobs/${JOB_ID}/retry`]: () => {
        server.job = aJob({ completedItems: 2 });
        return { json: server.job };
      },
    });
    await user.click(await screen.findByRole("button", { name: "Retry failed pieces" }));
    expect(await screen.findByText("2 of 3 published")).toBeVisible();
    expect(posts()).toEqual([expect.objectContaining({ body: undefined })]);
    server.job = endedJob();
    expect(await screen.findByText("Successfully published 3 out of 3 content pieces")).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  it("asks which site it is, and goes on with the answer", async () => {
    const server = jobServer();
    const question = "Is b the same site as a at a new address, or another site?";
    server.job = endedJob({
      status: "failed",
      completedItems: 0,
      failedItems: 3,
      error: question,
      errorType: "SITE_UNCERTAIN",
    });
    const { user, posts } = await openPublishing({
      ...server.table,
      [`POST /api/publishing-jobs/${JOB_ID}/retry`]: () => {
        server.job = aJob();
        return { json: server.job };
      },
    });
    expect(await screen.findByText("Which site is this?")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Retry failed pieces" })).not.toBeInTheDocument();
    await user.click(button("Another site"));
    expect(await screen.findByText("0 of 3 published")).toBeVisible();
    expect(posts().map(({ body }) => body)).toEqual([{ site: "other" }]);
  });

  it("lists the result of each piece, page by page", async () => {
    const server = jobServer();
    server.job = endedJob({ completedItems: 2, failedItems: 1 });
    const failed = aResult({ contentId: "c", title: "Turning", status: "failed", error: "No.", detail: "Why." });
    server.results = [failed];
    const first = `/api/publishing-jobs/${JOB_ID}/results`;
    const { user } = await openPublishing({
      ...server.table,
      [`GET ${first}`]: () => ({
        json: [
          aResult({ wpPermalink: "https://blog.example.com/sowing" }),
          aResult({ contentId: "b", title: "Watering", unchanged: true }),
          aResult({
            contentId: "d",
            title: "Thinning",
            wpPostStatus: "future",
            wpPostDate: "2026-11-30T09:00:00.000Z",
          }),
          aResult({
            contentId: "e",
            title: "Mulching",
            wpPostStatus: "pending",
            detail: "It is in the one with the ID 7.",
          }),
        ],
        link: `<${first}?cursor=1>; rel="next"`,
      }),
      [`GET ${first}?cursor=1`]: () => ({ json: [failed] }),
    });
    await user.click(await screen.findByRole("button", { name: "Results" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Results of the job" }));
    expect(dialog.getByText("Completed, 1 of 3 failed · 2 of 3 pieces published.")).toBeVisible();
    expect(await dialog.findByRole("link", { name: "Sowing" })).toHaveAttribute("href", "/content/a");
    expect(dialog.getByRole("link", { name: "Open the post “Sowing”" })).toBeVisible();
    expect(dialog.getByText("No change needed")).toBeVisible();
    expect(dialog.getByText(/^Scheduled on your site/)).toHaveTextContent(/ for Nov 30, 2026/);
    expect(dialog.getByText("It waits for review on your site")).toBeVisible();
    expect(dialog.getByText("It is in the one with the ID 7.")).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Show more" }));
    expect(await dialog.findByText("No. Why.")).toBeVisible();
    await user.click(dialog.getByRole("checkbox", { name: "Only failed pieces (1)" }));
    await waitFor(() => expect(dialog.queryByRole("link", { name: "Sowing" })).not.toBeInTheDocument());
    expect(dialog.getByRole("link", { name: "Turning" })).toBeVisible();
  });
});

describe("a site that may be one or the other", () => {
  const question = "Is b the same site as a at a new address, or another site?";
  const PUBLISH = "POST /api/content/b/publish";
  const uncertain = { status: 409, json: failure(question, "SITE_UNCERTAIN") };

  it.each([
    ["The same site", "same"],
    ["Another site", "other"],
  ])("is asked about at the button: %s", async (name, site) => {
    const { user, posts } = await openPublishing({
      [PUBLISH]: (body) =>
        (body as { site?: string }).site ? { json: aPiece({ id: "b", status: "wp_published" }) } : uncertain,
    });
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Which site is this?" });
    expect(dialog).toHaveTextContent(question);
    await user.click(within(dialog).getByRole("button", { name }));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(posts().map(({ body }) => (body as { site?: string }).site)).toEqual([undefined, site]);
  });

  it("is not written to when the question is closed", async () => {
    const { user, posts } = await openPublishing({ [PUBLISH]: () => uncertain });
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    const dialog = await screen.findByRole("alertdialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText("Which site is this?")).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
    expect(posts()).toHaveLength(1);
    expect(rowOf("Watering").getByRole("button", { name: "Update" })).toBeEnabled();
  });
});
