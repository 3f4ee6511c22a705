/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aPiece } from "@/tests/support/pieces";
import { openPublishing, publishSelected, rowOf } from "@/tests/support/publishing-screen";
import { failure, heldAnswer } from "@/tests/support/render";

jest.mock("@/lib/features/account/actions", () => ({}));

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

describe("while something is published", () => {
  const goAway = () => fireEvent.click(screen.getByText("Go"));

  it("the bulk buttons wait for a row, and only that row waits with them", async () => {
    const held = heldAnswer();
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
    // Left and come back.
    goAway();
    goAway();
    expect(await screen.findByRole("button", { name: "Publish All Content" })).toBeDisabled();
    await act(async () => held.give({ json: aPiece({ id: "b" }) }));
    await waitFor(() => expect(button("Publish All Content")).toBeEnabled());
  });

  it("boxes and rows wait for the bulk run, which is still there for those who come back", async () => {
    const held = heldAnswer();
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

describe("publishing all, as long as there is time left over", () => {
  /** Asks as often as the server says that it ran out of time, and answers of each call what became of one piece. */
  async function asksFor(resultOf: (round: number) => object) {
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

  it("asks a hundred times at most", async () => {
    expect(await asksFor(() => ({}))).toBe(100);
  });

  it.each([
    ["failed", { success: false, error: "No." }],
    ["was there already", { unchanged: true }],
  ])("ends with a call in which all that was tried %s", async (_what, result) => {
    expect(await asksFor((round) => (round < 2 ? {} : result))).toBe(3);
  });
});

it("shows a failure that all pieces share once, by its own name", async () => {
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

describe("publishing what is selected", () => {
  it("is disabled while nothing is selected", async () => {
    const { user } = await openPublishing();
    expect(button("Publish Selected (0)")).toBeDisabled();
    await user.click(box("Select “Sowing”"));
    expect(button("Publish Selected (1)")).toBeEnabled();
  });

  it("goes on past a failure, names each topic as the category, and clears the selection", async () => {
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
