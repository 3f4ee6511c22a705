/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { PieceActions } from "@/components/publishing/piece-actions";
import { MAX_COMPARED } from "@/lib/features/publishing/rules";
import type { ProjectRenderingChanges, RenderingChanges } from "@/lib/features/publishing/schema";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { openPublishing, PIECES } from "@/tests/support/publishing-screen";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

type Answer = { status?: number; json?: unknown };

const CHANGES: RenderingChanges = {
  changes: [
    {
      before: [{ kind: "Paragraph", text: "Fast Cheap" }],
      after: [{ kind: "Paragraph", text: "Fast\nCheap" }],
    },
    {
      before: [
        { kind: "Numbered list", text: "1. One" },
        { kind: "List", text: "• a" },
      ],
      after: [{ kind: "Numbered list", text: "1. One\n◦ a" }],
    },
    { before: [], after: [{ kind: "Separator", text: "" }] },
  ],
  more: 0,
  includesEdits: false,
};

const ALSO =
  "This update also changes the layout of the post, since Content Planner turns Markdown into blocks differently now:";
const CHECKING = "Checking whether the layout of the post changes too…";

describe("the question of a row's Update", () => {
  async function ask(answer: () => Answer | Promise<Answer>) {
    const calls = mockApi({
      "GET /api/content/a/rendering-changes": answer,
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    });
    const piece = aSummary({ id: "a", title: "Sowing", status: "wp_published" });
    const { user } = renderScreen(<PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />);
    expect(calls).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Update" }));
    const question = await screen.findByRole("alertdialog", { name: "Update this piece?" });
    const update = () => user.click(within(question).getByRole("button", { name: "Update" }));
    return { user, calls, question: within(question), update };
  }

  it("shows each changed block before and after, with its line breaks", async () => {
    const { question } = await ask(() => ({ json: CHANGES }));
    expect(await question.findByText(ALSO)).toBeVisible();
    const region = await question.findByRole("region", { name: "Changes of the layout" });
    const items = within(region).getAllByRole("listitem");
    expect(items.map((item) => [...item.querySelectorAll("p")].map((line) => line.textContent))).toEqual([
      ["Before: Paragraph", "Fast Cheap", "After: Paragraph", "Fast\nCheap"],
      ["Before: Numbered list", "1. One", "Before: List", "• a", "After: Numbered list", "1. One\n◦ a"],
      ["After: Separator"],
    ]);
    expect(question.queryByText(/more change/)).not.toBeInTheDocument();
  });

  it("marks the words that differ", async () => {
    const change = {
      before: [{ kind: "Paragraph", text: "Use now." }],
      after: [{ kind: "Paragraph", text: "Use it now." }],
    };
    const { question } = await ask(() => ({ json: { ...CHANGES, changes: [change] } }));
    await question.findByRole("region");
    expect([...document.querySelectorAll("ins")].map(({ textContent }) => textContent?.trim())).toEqual(["it"]);
    expect(document.querySelector("del")).toBeNull();
  });

  it("counts the changes that are left out, and says when the user's edits are among them", async () => {
    const { question } = await ask(() => ({ json: { ...CHANGES, more: 1200, includesEdits: true } }));
    expect(await question.findByText("And 1,200 more changes.")).toBeVisible();
    expect(question.getByRole("status")).toHaveTextContent(
      `${ALSO.slice(0, -1)}. Your own edits are among these changes:`,
    );
  });

  it("says nothing where only the user's edit changes the post", async () => {
    const { question } = await ask(() => ({ json: { changes: [], more: 0, includesEdits: false } }));
    await waitFor(() => expect(question.getByRole("status")).toBeEmptyDOMElement());
    expect(question.queryByRole("region")).not.toBeInTheDocument();
  });

  it("says that it is checking, and Update does not wait for it", async () => {
    const held = pendingAnswer();
    const { question, update, calls } = await ask(held.answer);
    expect(question.getByRole("status")).toHaveTextContent(CHECKING);
    await update();
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("says when it could not be checked, without a notification, and Update goes on", async () => {
    const { question, update } = await ask(() => ({
      status: 502,
      json: failure("Your site is down.", "CONNECTION_ERROR"),
    }));
    const unchecked = "It could not be checked whether the layout of the post changes too.";
    expect(await question.findByText(unchecked)).toBeVisible();
    expect(screen.queryByText("Your site is down.")).not.toBeInTheDocument();
    await update();
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
  });

  it("checks again each time it opens", async () => {
    let isDown = true;
    const { user, question } = await ask(() => (isDown ? { status: 502, json: {} } : { json: CHANGES }));
    await question.findByText(/could not be checked/);
    await user.click(question.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    isDown = false;
    await user.click(screen.getByRole("button", { name: "Update" }));
    expect(await screen.findByText(ALSO)).toBeVisible();
  });
});

describe("the questions about many pieces", () => {
  const posts = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: `Post ${at}` }));

  async function ask(
    verb: string,
    found: Partial<ProjectRenderingChanges> | null,
    { query = "", pieces = PIECES, select = [] as string[] } = {},
  ) {
    const answer = () =>
      found ? { json: { pieces: [], more: false, uncompared: 0, ...found } } : { status: 500, json: {} };
    const opened = await openPublishing({ [`GET /api/projects/3/rendering-changes${query}`]: answer }, pieces);
    const { user } = opened;
    for (const title of select) await user.click(screen.getByRole("checkbox", { name: `Select “${title}”` }));
    await user.click(screen.getByRole("button", { name: verb }));
    return { ...opened, question: within(await screen.findByRole("alertdialog")) };
  }

  const LIVE = PIECES.map((piece) => ({ ...piece, status: "wp_published" as const }));
  const SINCE = "beyond your edits, since Content Planner turns Markdown into blocks differently now:";

  it("name the posts whose layout changes", async () => {
    const { question } = await ask("Publish All Content", { pieces: posts(2) }, { pieces: LIVE });
    expect(await question.findByText(`The layout of 2 posts changes ${SINCE}`)).toBeVisible();
    const region = question.getByRole("region", { name: "Posts whose layout changes" });
    expect(
      within(region)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["Post 0", "Post 1"]);
  });

  it("name fifty at most, and say that there are more, and what was not checked", async () => {
    const found = { pieces: posts(60), more: true, uncompared: 2 };
    const { question } = await ask("Publish All Content", found, { pieces: LIVE });
    expect(await question.findByText(`The layout of at least 60 posts changes ${SINCE}`)).toBeVisible();
    expect(question.getAllByRole("listitem")).toHaveLength(50);
    expect(question.getByText("and 10 more")).toBeVisible();
    expect(question.getByText(/^2 posts could not be checked:/)).toBeVisible();
    expect(question.getByText("There are too many posts to check them all.")).toBeVisible();
  });

  it("say nothing where no layout changes", async () => {
    const { question } = await ask("Publish All Content", {}, { pieces: LIVE });
    await waitFor(() => expect(question.getByRole("status")).toBeEmptyDOMElement());
    expect(question.queryByRole("region")).not.toBeInTheDocument();
  });

  it("say when it could not be checked", async () => {
    const { question } = await ask("Publish All Content", null, { pieces: LIVE });
    expect(await question.findByText(/^It could not be checked/)).toBeVisible();
  });

  it("ask of the selected pieces that are live alone", async () => {
    const [first, second] = LIVE;
    const pieces = [{ ...first, status: "draft" as const }, ...LIVE.slice(1)] as typeof LIVE;
    const { question } = await ask(
      "Publish Selected (2)",
      { pieces: posts(1) },
      { query: `?contentIds=${second?.id}`, pieces, select: [first?.title ?? "", second?.title ?? ""] },
    );
    expect(await question.findByText(`The layout of 1 post changes ${SINCE}`)).toBeVisible();
  });

  it("ask of no more pieces than are compared, and say that there are more", async () => {
    const many = Array.from({ length: MAX_COMPARED + 1 }, (_, at) =>
      aSummary({ id: `p${at}`, title: `Piece ${at}`, status: "wp_published" }),
    );
    const ids = many.slice(0, MAX_COMPARED).map(({ id }) => id);
    const opened = await openPublishing(
      {
        [`GET /api/projects/3/rendering-changes?contentIds=${ids.join(",")}`]: () => ({
          json: { pieces: posts(1), more: false, uncompared: 0 },
        }),
      },
      many,
    );
    await opened.user.click(screen.getByRole("tab", { name: "All Content" }));
    await opened.user.click(screen.getByRole("checkbox", { name: "Select all content" }));
    await opened.user.click(screen.getByRole("button", { name: /^Publish Selected/ }));
    expect(await screen.findByText(`The layout of at least 1 post changes ${SINCE}`)).toBeVisible();
  });

  it("ask nothing where no piece is live", async () => {
    const drafts = PIECES.map((piece) => ({ ...piece, status: "draft" as const }));
    const { calls } = await ask("Publish All Content", {}, { pieces: drafts });
    expect(calls.filter(({ url }) => url.includes("rendering-changes"))).toEqual([]);
  });
});
