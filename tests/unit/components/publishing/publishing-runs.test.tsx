/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aPiece } from "@/tests/support/pieces";
import { openPublishing, publishSelected, rowOf } from "@/tests/support/publishing-screen";
import { failure, pendingAnswer } from "@/tests/support/render";

const button = (name: string) => screen.getByRole("button", { name });
const box = (name: string) => screen.getByRole("checkbox", { name });

describe("publishing all", () => {
  const ALL = "POST /api/projects/3/publish-all-to-wordpress";
  const results = [
    { contentId: "a", title: "Sowing", success: true },
    { contentId: "b", title: "Watering", success: true },
    { contentId: "c", title: "Turning", success: false, error: "No." },
  ];

  async function publishAll(answer: { status?: number; json?: unknown }) {
    const opened = await openPublishing({ [ALL]: () => answer });
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

  it("says that it failed", async () => {
    await publishAll({ status: 500, json: {} });
    expect(await screen.findByText("Failed to publish all content")).toBeVisible();
  });

  it("asks for missing credentials", async () => {
    await publishAll({ status: 400, json: failure("WordPress credentials not found.", "MISSING_CREDENTIALS") });
    expect(await screen.findByText("Credentials Required")).toBeVisible();
    expect(screen.getByText("Please add your WordPress credentials in your profile settings.")).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });
});

describe("while something is being published", () => {
  const navigate = () => fireEvent.click(screen.getByText("Go"));

  it("disables the bulk buttons while a row is published, but no other row", async () => {
    const held = pendingAnswer();
    const { user } = await openPublishing({ "POST /api/content/b/publish": held.answer });
    await user.click(box("Select “Sowing”"));
    await user.click(rowOf("Watering").getByRole("button", { name: "Update" }));
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

  it("disables checkboxes and rows during a bulk run, even after leaving and coming back", async () => {
    const held = pendingAnswer();
    const { user } = await openPublishing({
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
    navigate();
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
    navigate();
    await isWaiting();
    await act(async () => held.give({ json: aPiece({ id: "c" }) }));
    expect(await screen.findByText("Successfully published 2 out of 3 selected content pieces")).toBeVisible();
    expect(screen.getByText("Sowing: Failed to publish to WordPress")).toBeVisible();
    expect(button("Publish All Content")).toBeEnabled();
    for (const each of screen.getAllByRole("checkbox")) expect(each).toBeEnabled();
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  });

  it("adds up the progress of publishing all over several calls", async () => {
    const held = pendingAnswer();
    const done = (id: string, title: string) => ({ contentId: id, title, success: true });
    const late = (id: string, title: string) => ({
      ...done(id, title),
      success: false,
      error: "No time.",
      type: "TIME_BUDGET",
    });
    let round = 0;
    const { user } = await openPublishing({
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

describe("publishing all while the server runs out of time", () => {
  /** Counts the calls to a server that runs out of time after one piece; `resultOf` is that piece's result. */
  async function countCalls(resultOf: (round: number) => object) {
    let round = 0;
    const { user, posts } = await openPublishing({
      "POST /api/projects/3/publish-all-to-wordpress": () => ({
        json: {
          results: [
            { contentId: "a", title: "Sowing", success: true, ...resultOf(round++) },
            { contentId: "c", title: "Turning", success: false, error: "No time.", type: "TIME_BUDGET" },
          ],
          totalProcessed: 1,
        },
      }),
    });
    await user.click(button("Publish All Content"));
    await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Publish All" }));
    await screen.findByText(/^(Successfully published \d+ out of 2 content pieces|No\.)$/);
    return posts().length;
  }

  it("calls the server a hundred times at most", async () => {
    expect(await countCalls(() => ({}))).toBe(100);
  });

  it.each([
    ["failed", { success: false, error: "No." }],
    ["was already there", { unchanged: true }],
  ])("stops after a call in which every piece it tried %s", async (_what, result) => {
    expect(await countCalls((round) => (round < 2 ? {} : result))).toBe(3);
  });
});

it("shows a failure shared by all pieces once, under its own title", async () => {
  const sentence = "Could not connect to WordPress site.";
  const failed = { success: false, error: sentence, type: "CONNECTION_ERROR", detail: "It is in maintenance mode." };
  const { user } = await openPublishing({
    "POST /api/projects/3/publish-all-to-wordpress": () => ({
      json: {
        results: [
          { contentId: "b", title: "Watering", success: false, error: "No.", type: "WORDPRESS_REJECTED" },
          { contentId: "a", title: "Sowing", ...failed },
        ],
        totalProcessed: 2,
      },
    }),
  });
  await user.click(button("Publish All Content"));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Publish All" }));
  expect(await screen.findByText("Connection Error")).toBeVisible();
  expect(screen.getByText(`${sentence} It is in maintenance mode.`)).toBeVisible();
  expect(screen.queryByText("Publishing Complete")).not.toBeInTheDocument();
});

describe("publishing the selection", () => {
  it("is disabled while nothing is selected", async () => {
    const { user } = await openPublishing();
    expect(button("Publish Selected (0)")).toBeDisabled();
    await user.click(box("Select “Sowing”"));
    expect(button("Publish Selected (1)")).toBeEnabled();
  });

  it("continues past a failure, sends each topic as the category, and clears the selection", async () => {
    let answerLast: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answerLast = resolve;
    });
    const { user, posts } = await openPublishing({
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
