/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { RevisionDialog } from "@/components/content/revision-dialog";
import type { RevisionOut, RevisionSummary } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { answerCalls, failure, heldAnswer, renderScreen } from "@/tests/support/render";

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

function open(table: Parameters<typeof answerCalls>[0] = {}) {
  const older = {
    id: OLDEST,
    wordCount: 1,
    author: "ai",
    model: "a-model",
    createdAt: "2026-11-08T10:00:00.000Z",
  } as const;
  const calls = answerCalls({
    [`GET ${LIST}`]: () => ({
      json: [aRevision(), aRevision({ ...older, excerpt: { of: "outline", text: "## Why" } })],
    }),
    [`GET ${PATH}/${NEWEST}`]: () => withTexts(),
    ...table,
  });
  const { user } = renderScreen(<RevisionDialog pieceId={PIECE_ID} open={true} onOpenChange={() => undefined} />);
  return { user, asked: (path: string) => calls.filter(({ url }) => url === path) };
}

const line = async (at: number) => within((await screen.findAllByRole("listitem"))[at] as HTMLElement);
const show = (at: number) => line(at).then((item) => item.getByRole("button", { name: /^Show the text of/ }));

describe("the revision history", () => {
  it("tells of each revision what it is, and asks for no text", async () => {
    const { asked } = open();
    expect((await line(0)).getByText(/You · 1,204 words/)).toBeVisible();
    expect((await line(0)).getByText("Water from below")).toBeVisible();
    expect((await line(1)).getByText(/AI \(a-model\) · 1 word$/)).toBeVisible();
    expect((await line(1)).getByText("Outline: ## Why")).toBeVisible();
    expect(asked(`${PATH}/${NEWEST}`)).toEqual([]);
  });

  it("fetches the text that is opened, by the keyboard too, and hides it again", async () => {
    const held = heldAnswer();
    const { user, asked } = open({ [`GET ${PATH}/${NEWEST}`]: held.answer });
    const button = await show(0);
    expect(button).toHaveAttribute("aria-expanded", "false");
    button.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("The text is loading")).toBeInTheDocument();
    held.give(withTexts());
    const text = await screen.findByRole("region", { name: /^Text of/ });
    expect(text).toHaveTextContent("Water from below, not above.");
    expect(text).toHaveTextContent("## Why Roots.");
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute("aria-expanded", "true");
    await user.tab();
    await user.tab();
    expect(text).toHaveFocus();
    await user.click((await line(0)).getByRole("button", { name: /^Hide the text of/ }));
    expect(screen.queryByRole("region", { name: /^Text of/ })).not.toBeInTheDocument();
    expect(asked(`${PATH}/${NEWEST}`)).toHaveLength(1);
  });

  it("says when the text does not load, and tries again", async () => {
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
    expect(await screen.findByRole("region", { name: /^Text of/ })).toBeVisible();
  });

  it("shows the beginning of a long text, and says how to read all of it", async () => {
    const { user } = open({ [`GET ${PATH}/${NEWEST}`]: () => withTexts({ body: "x".repeat(500_000), outline: null }) });
    await user.click(await show(0));
    const text = await screen.findByRole("region", { name: /^Text of/ });
    expect(text).toHaveTextContent(
      "The first 20,000 of 500,000 characters. Restore this text to read all of it; the present one stays in this list.",
    );
    expect(text.textContent?.length).toBeLessThan(21_000);
  });

  it("shows earlier ones on demand, to the oldest that is kept", async () => {
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

  it("restores a revision whose text was never opened", async () => {
    const { user, asked } = open({ [`POST ${PATH}/${NEWEST}/restore`]: () => ({ json: aPiece() }) });
    await user.click((await line(0)).getByRole("button", { name: /^Restore the text of/ }));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    await waitFor(() => expect(asked(LIST)).toHaveLength(2));
  });
});
