/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { RevisionDialog } from "@/components/content/revision-dialog";
import type { RevisionOut, RevisionSummary } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

const PATH = `/api/content/${PIECE_ID}/revisions`;
const LIST = `${PATH}?limit=50`;
const NEWEST = "00000000-0000-4000-8000-000000000002";
const OLDEST = "00000000-0000-4000-8000-000000000001";

function aRevision(parts: Partial<RevisionSummary> = {}): RevisionSummary {
  return {
    id: NEWEST,
    version: 2,
    author: "user",
    title: "Bottom watering",
    wordCount: 1_204,
    excerpt: { of: "body", text: "Water from below" },
    model: null,
    promptVersion: null,
    createdAt: "2026-11-09T10:00:00.000Z",
    ...parts,
  };
}

const withTexts = (parts: Partial<RevisionOut> = {}) => ({
  json: { ...aRevision(), body: "Water from below, not above.", outline: "## Why\nRoots.", ...parts },
});

function open(table: Parameters<typeof mockApi>[0] = {}) {
  const older = {
    id: OLDEST,
    wordCount: 1,
    author: "ai",
    model: "a-model",
    createdAt: "2026-11-08T10:00:00.000Z",
  } as const;
  const calls = mockApi({
    [`GET ${LIST}`]: () => ({
      json: [aRevision(), aRevision({ ...older, excerpt: { of: "outline", text: "## Why" } })],
    }),
    [`GET ${PATH}/${NEWEST}`]: () => withTexts(),
    [`GET /api/content/${PIECE_ID}`]: () => ({ json: aPiece({ title: "Bottom watering", outline: "## Why\nRoots." }) }),
    ...table,
  });
  const { user } = renderScreen(<RevisionDialog pieceId={PIECE_ID} open={true} onOpenChange={() => undefined} />);
  return { user, requests: (path: string) => calls.filter(({ url }) => url === path) };
}

const line = async (at: number) => within((await screen.findAllByRole("listitem"))[at] as HTMLElement);
const panel = () => screen.findByRole("tabpanel");
const show = (at: number) => line(at).then((item) => item.getByRole("button", { name: /^Show the text of/ }));

describe("the revision history", () => {
  it("describes each revision without loading its text", async () => {
    const { requests } = open();
    expect((await line(0)).getByText(/You · 1,204 words/)).toBeVisible();
    expect((await line(0)).getByText("Water from below")).toBeVisible();
    expect((await line(1)).getByText(/AI \(a-model\) · 1 word$/)).toBeVisible();
    expect((await line(1)).getByText("Outline: ## Why")).toBeVisible();
    expect(requests(`${PATH}/${NEWEST}`)).toEqual([]);
  });

  it("loads a text when it is opened, by keyboard too, and hides it again", async () => {
    const held = pendingAnswer();
    const { user, requests } = open({ [`GET ${PATH}/${NEWEST}`]: held.answer });
    const button = await show(0);
    expect(button).toHaveAttribute("aria-expanded", "false");
    button.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("The text is loading")).toBeInTheDocument();
    held.give(withTexts());
    expect(await screen.findByText("Both are the same.")).toBeVisible();
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute("aria-expanded", "true");
    for (const _stop of ["Restore", "the tabs", "the text"]) await user.tab();
    expect(await panel()).toHaveFocus();
    await user.click((await line(0)).getByRole("button", { name: /^Hide the text of/ }));
    expect(screen.queryByRole("tabpanel")).not.toBeInTheDocument();
    expect(requests(`${PATH}/${NEWEST}`)).toHaveLength(1);
  });

  it("shows the difference to the present text first, then the text as readers will see it", async () => {
    const { user } = open({
      [`GET ${PATH}/${NEWEST}`]: () =>
        withTexts({ title: "Old title", body: "Water **from above**.\n\n- Once\n- Twice" }),
    });
    await user.click(await show(0));
    const tabs = within(await screen.findByRole("tablist", { name: /^Text of November 9, 2026/ })).getAllByRole("tab");
    expect(tabs.map(({ textContent }) => textContent)).toEqual(["Changes", "Text"]);
    expect(tabs[0]).toHaveAttribute("aria-selected", "true");
    const changes = await panel();
    await waitFor(() => expect(changes.querySelector("del")).not.toBeNull());
    expect(changes).toHaveTextContent("This revision → Present text");
    expect(
      within(changes)
        .getAllByRole("heading")
        .map(({ textContent }) => textContent),
    ).toEqual(["Title", "Body"]);

    await user.click(tabs[1] as HTMLElement);
    const text = within(await panel());
    expect(text.getByRole("heading", { name: "Old title" })).toBeVisible();
    expect(await text.findByText("from above", { selector: "strong" })).toBeVisible();
    expect(text.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Once", "Twice"]);
    const outline = within(text.getByRole("region", { name: "Outline" }));
    expect(outline.getByRole("heading", { name: "Why" })).toBeVisible();
    expect(await panel()).not.toHaveTextContent(/[*#]/);
  });

  it("says when the text fails to load, and retries", async () => {
    let isDown = true;
    const { user } = open({
      [`GET ${PATH}/${NEWEST}`]: () =>
        isDown ? { status: 503, json: failure("Not right now.", "SERVICE_UNAVAILABLE") } : withTexts(),
    });
    await user.click(await show(0));
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(again.closest("[role=alert]")).toHaveTextContent("The revision did not load");
    isDown = false;
    await user.click(again);
    expect(await screen.findByText("Both are the same.")).toBeVisible();
  });

  it("shows earlier revisions on demand, down to the oldest one kept", async () => {
    const next = `${PATH}?limit=50&cursor=c`;
    const { user } = open({
      [`GET ${LIST}`]: () => ({ json: [aRevision()], link: `<${next}>; rel="next"` }),
      [`GET ${next}`]: () => ({ json: [aRevision({ id: OLDEST, title: "The oldest" })] }),
    });
    expect((await screen.findAllByRole("listitem")).length).toBe(1);
    await user.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("The oldest")).toBeVisible();
    expect(screen.getAllByRole("listitem")).toHaveLength(2);
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
  });

  it("says that it is loading, then that it is empty", async () => {
    const held = pendingAnswer();
    open({ [`GET ${LIST}`]: held.answer });
    expect(screen.getByText("Revisions are loading")).toBeInTheDocument();
    held.give({ json: [] });
    expect(await screen.findByText("Nothing has been changed yet.")).toBeVisible();
    expect(screen.queryByText("Revisions are loading")).not.toBeInTheDocument();
  });

  it("can be loaded again after a failure", async () => {
    let isDown = true;
    const { user } = open({ [`GET ${LIST}`]: () => (isDown ? { status: 503, json: {} } : { json: [aRevision()] }) });
    const again = await screen.findByRole("button", { name: "Try again" });
    isDown = false;
    await user.click(again);
    expect(await screen.findByText("Bottom watering")).toBeVisible();
    expect(screen.queryByText("Nothing has been changed yet.")).not.toBeInTheDocument();
  });

  it.each([
    [{ author: "user" }, "You · 1,204 words"],
    [{ author: "import", wordCount: 2 }, "Import · 2 words"],
    [{ author: "ai", model: null, wordCount: 0 }, "AI · 0 words"],
  ] as const)("names who wrote a text: %j", async (parts, sentence) => {
    open({ [`GET ${LIST}`]: () => ({ json: [aRevision(parts)] }) });
    expect((await line(0)).getByText(new RegExp(`${sentence}$`))).toBeVisible();
  });

  it("marks a revision without a body, and shows the excerpt only while its text is hidden", async () => {
    const { user } = open({
      [`GET ${LIST}`]: () => ({ json: [aRevision({ excerpt: null })] }),
      [`GET ${PATH}/${NEWEST}`]: () => withTexts({ body: " ", outline: " " }),
    });
    expect((await line(0)).getByText("No body")).toBeVisible();
    await user.click(await show(0));
    await user.click(await screen.findByRole("tab", { name: "Text" }));
    expect(await panel()).toHaveTextContent(/^Bottom wateringNo body$/);
    expect((await line(0)).getAllByText("No body")).toHaveLength(1);
  });

  it("opens one text at a time", async () => {
    const { user } = open({ [`GET ${PATH}/${OLDEST}`]: () => withTexts({ id: OLDEST, body: "The oldest." }) });
    await user.click(await show(0));
    await screen.findByText("Both are the same.");
    await user.click(await show(1));
    expect(await screen.findByText("The oldest", { selector: "del" })).toBeVisible();
    expect(screen.getAllByRole("tabpanel")).toHaveLength(1);
    expect((await line(0)).getByRole("button", { name: /^Show the text/ })).toHaveTextContent("Show");
    expect((await line(1)).getByRole("button", { name: /^Hide the text/ })).toHaveTextContent("Hide");
  });

  it("restores one at a time: its button is busy, the others are disabled", async () => {
    const held = pendingAnswer();
    const { user } = open({ [`POST ${PATH}/${NEWEST}/restore`]: held.answer });
    const restore = async (at: number) =>
      (await screen.findAllByRole("button", { name: /^Restore the text of/ }))[at] as HTMLElement;
    expect(await restore(1)).toBeEnabled();
    await user.click(await restore(0));
    expect(await restore(0)).toHaveAttribute("aria-busy", "true");
    expect(await restore(0)).toBeEnabled();
    expect(await restore(1)).toBeDisabled();
    expect(await restore(1)).not.toHaveAttribute("aria-busy");
    held.give({ status: 500, json: {} });
    await waitFor(async () => expect(await restore(1)).toBeEnabled());
    expect(await restore(0)).not.toHaveAttribute("aria-busy");
  });

  it("restores a revision whose text was never opened", async () => {
    const { user, requests } = open({ [`POST ${PATH}/${NEWEST}/restore`]: () => ({ json: aPiece() }) });
    await user.click((await line(0)).getByRole("button", { name: /^Restore the text of/ }));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    await waitFor(() => expect(requests(LIST)).toHaveLength(2));
  });
});
