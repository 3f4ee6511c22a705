/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { LibraryRow } from "@/components/content/library-row";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { answerCalls, failure, renderScreen } from "@/tests/support/render";

const PATH = `/api/content/${PIECE_ID}`;

function open(parts: Partial<ContentSummary> = {}, table: Parameters<typeof answerCalls>[0] = {}) {
  const calls = answerCalls(table);
  const { user, container } = renderScreen(<LibraryRow piece={aSummary(parts)} />);
  return { user, calls, row: container };
}

const action = (label: string) => screen.queryByRole("button", { name: `${label}: Bottom watering, explained` });

describe("the badges", () => {
  it.each([
    [
      "an outline without a text",
      { isOutline: true, hasOutline: true, hasBody: false, isTitleOnly: true },
      ["Outline"],
    ],
    ["an outline with its text", { isOutline: true, hasBody: true }, ["Outline", "Content Created"]],
    ["a text", { hasBody: true }, ["Content Created"]],
    ["a title alone", { hasBody: false, isTitleOnly: true }, ["Title Only"]],
    ["a blanked text", { hasBody: false, isTitleOnly: false }, []],
  ])("of %s", (_what, parts, facts) => {
    const { row } = open(parts);
    const shown = ["Outline", "Content Created", "Title Only"].filter((fact) => within(row).queryByText(fact));
    expect(shown).toEqual(facts);
    expect(within(row).getByText("Draft")).toBeVisible();
  });

  it("stand beside the day the piece was created", () => {
    const { row } = open();
    expect(row).toHaveTextContent("Created: Nov 9, 2026");
  });
});

describe("the actions", () => {
  it("open the editor by title and by pencil", () => {
    const { row } = open();
    const hrefs = within(row)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual([`/content/${PIECE_ID}`, `/content/${PIECE_ID}`]);
  });

  it("offer no outline to outline items", () => {
    open({ isOutline: true });
    expect(action("Generate outline")).not.toBeInTheDocument();
  });

  it("generate an outline", async () => {
    const { user, calls } = open(
      {},
      { [`POST ${PATH}/generate-outline`]: () => ({ json: { message: "Outline generated", outline: aPiece() } }) },
    );
    await user.click(action("Generate outline") as HTMLElement);
    expect(await screen.findByText("Outline generated")).toBeVisible();
    expect(calls).toHaveLength(1);
  });

  it("publish what is not live, and unpublish what is", async () => {
    const { user } = open(
      { status: "wp_published", wpPostId: "12" },
      { [`POST ${PATH}/unpublish`]: () => ({ json: aPiece({ status: "wp_draft" }) }) },
    );
    expect(action("Publish to WordPress")).not.toBeInTheDocument();
    await user.click(action("Unpublish from WordPress") as HTMLElement);
    expect(await screen.findByText("Content unpublished from WordPress successfully")).toBeVisible();
  });

  it("publish what is live on another site than the person's own of today", () => {
    open({ status: "wp_published", wpPlace: "elsewhere" });
    expect(action("Publish to WordPress")).toBeInTheDocument();
    expect(action("Unpublish from WordPress")).not.toBeInTheDocument();
  });

  it("refuse to publish a piece without a text, and say why", async () => {
    const { user, calls } = open({ hasBody: false, isTitleOnly: true });
    const publish = action("Publish to WordPress") as HTMLElement;
    expect(publish).toHaveAttribute("aria-disabled", "true");
    await user.hover(publish);
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Write its content first, then publish it");
    await user.click(publish);
    expect(calls).toEqual([]);
  });

  it("ask before a post that was edited on the site is overwritten", async () => {
    const { user, calls } = open(
      { wpPostId: "12", status: "wp_draft" },
      {
        [`POST ${PATH}/publish`]: (body) =>
          (body as { force?: boolean }).force
            ? { json: aPiece({ status: "wp_published" }) }
            : { status: 409, json: failure("Edited on the site", "REMOTE_CHANGED") },
      },
    );
    await user.click(action("Publish to WordPress") as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "Publish anyway" }));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(calls.map(({ body }) => body)).toEqual([{}, { force: true }]);
  });

  it("delete after the question, which says that the site keeps its post", async () => {
    const { user, calls } = open({ wpPostId: "12" }, { [`DELETE ${PATH}`]: () => ({ status: 204 }) });
    await user.click(action("Delete") as HTMLElement);
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this content?" });
    expect(dialog).toHaveTextContent("The post on your WordPress site stays there.");
    expect(calls).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Content deleted successfully")).toBeVisible();
  });
});
