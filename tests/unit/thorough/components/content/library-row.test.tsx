/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { LibraryRow } from "@/components/content/library-row";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer, pressAndConfirm, renderScreen } from "@/tests/support/render";

const PATH = `/api/content/${PIECE_ID}`;

function open(parts: Partial<ContentSummary> = {}, table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi(table);
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
    ["a title-only piece", { hasBody: false, isTitleOnly: true }, ["Title Only"]],
    ["an emptied text", { hasBody: false, isTitleOnly: false }, ["No text"]],
    ["an outline with an emptied text", { isOutline: true, hasBody: false, isTitleOnly: false }, ["Outline"]],
  ])("show the state of %s", (_what, parts, facts) => {
    const { row } = open(parts);
    const shown = ["Outline", "Content Created", "Title Only", "No text"].filter((fact) =>
      within(row).queryByText(fact),
    );
    expect(shown).toEqual(facts);
    expect(within(row).getByText("Draft")).toBeVisible();
  });

  it.each([
    [1_204, "1,204 words"],
    [1, "1 word"],
  ])("sit beside the length of %d", (lengthInWords, shown) => {
    const { row } = open({ lengthInWords });
    expect(within(row).getByText(shown)).toBeVisible();
  });

  it.each([0, null])("sit beside no length of %j", (lengthInWords) => {
    const { row } = open({ lengthInWords });
    expect(within(row).queryByText(/ words?$/)).not.toBeInTheDocument();
  });

  it("sit beside the creation date", () => {
    const { row } = open();
    expect(row).toHaveTextContent("Created: Nov 9, 2026");
  });
});

describe("the actions", () => {
  it("open the editor from the title and the pencil", () => {
    const { row } = open();
    const hrefs = within(row)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual([`/content/${PIECE_ID}`, `/content/${PIECE_ID}`]);
  });

  it("offer no outline for outline items", () => {
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

  it("unpublish a live piece instead of publishing it", async () => {
    const { user } = open(
      { status: "wp_published", wpPostId: "12" },
      { [`POST ${PATH}/unpublish`]: () => ({ json: aPiece({ status: "wp_draft" }) }) },
    );
    expect(action("Publish to WordPress")).not.toBeInTheDocument();
    await pressAndConfirm(user, action("Unpublish from WordPress") as HTMLElement);
    expect(await screen.findByText("Content unpublished from WordPress successfully")).toBeVisible();
  });

  it("publish a piece that is live only on another site", () => {
    open({ status: "unpublished", wpPlace: "elsewhere" });
    expect(action("Publish to WordPress")).toBeInTheDocument();
    expect(action("Unpublish from WordPress")).not.toBeInTheDocument();
  });

  it("refuse to publish a piece without a text, and say why", async () => {
    const { user, calls } = open({ hasBody: false, isTitleOnly: true });
    const publish = action("Publish to WordPress") as HTMLElement;
    expect(publish).toHaveAttribute("aria-disabled", "true");
    await user.hover(publish);
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Write a body first");
    await user.click(publish);
    expect(calls).toEqual([]);
  });

  it("are busy, each on its own, until the response arrives", async () => {
    const held = pendingAnswer();
    const { user } = open({}, { [`POST ${PATH}/generate-outline`]: held.answer });
    await user.click(action("Generate outline") as HTMLElement);
    expect(action("Generate outline")).toHaveAttribute("aria-busy", "true");
    expect(action("Publish to WordPress")).not.toHaveAttribute("aria-busy");
    held.give({ status: 500, json: {} });
    expect(await screen.findByText("Failed to generate outline")).toBeVisible();
    expect(action("Generate outline")).not.toHaveAttribute("aria-busy");
  });

  it("are a menu in narrow windows, where a disabled entry says why", async () => {
    const { user, calls } = open({ hasBody: false, isTitleOnly: true });
    expect(action("Edit")).not.toBeInTheDocument();
    expect(action("Generate outline")).not.toHaveAttribute("aria-disabled");
    expect(action("Delete")).toHaveClass("hover:text-destructive");
    await user.click(screen.getByRole("button", { name: "Actions for Bottom watering, explained" }));
    const items = await screen.findAllByRole("menuitem");
    expect(items.map((item) => [item.textContent, item.hasAttribute("data-disabled")])).toEqual([
      ["Edit", false],
      ["Generate outline", false],
      [expect.stringContaining("Write a body first"), true],
      ["Delete", false],
    ]);
    expect(calls).toEqual([]);
  });

  it("do not offer to overwrite after any other failure", async () => {
    const { user } = open({}, { [`POST ${PATH}/publish`]: () => ({ status: 500, json: {} }) });
    await pressAndConfirm(user, action("Publish to WordPress") as HTMLElement);
    expect(await screen.findByText("Error publishing to WordPress")).toBeVisible();
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("ask before they overwrite a post that was edited on the site", async () => {
    const { user, calls } = open(
      { wpPostId: "12", status: "wp_draft" },
      {
        [`POST ${PATH}/publish`]: (body) =>
          (body as { force?: boolean }).force
            ? { json: aPiece({ status: "wp_published" }) }
            : { status: 409, json: failure("Edited on the site", "REMOTE_CHANGED") },
      },
    );
    await pressAndConfirm(user, action("Publish to WordPress") as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "Publish anyway" }));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    const writes = calls.filter(({ method }) => method !== "GET");
    expect(writes.map(({ body }) => body)).toEqual([{}, { force: true }]);
  });

  it("delete once confirmed, saying that the site keeps its post", async () => {
    const { user, calls } = open({ wpPostId: "12" }, { [`DELETE ${PATH}`]: () => ({ status: 204 }) });
    await user.click(action("Delete") as HTMLElement);
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this content?" });
    expect(dialog).toHaveTextContent("The post on your WordPress site stays there.");
    expect(calls.filter(({ method }) => method !== "GET")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Content deleted successfully")).toBeVisible();
  });
});
