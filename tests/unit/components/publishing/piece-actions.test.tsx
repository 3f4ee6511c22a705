/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { PieceActions } from "@/components/publishing/piece-actions";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { mockApi, pressAndConfirm, renderScreen } from "@/tests/support/render";

// The menu of a row, which phones show in place of its buttons.

async function openMenu(parts: Partial<ContentSummary> = {}, categories: { id: number; name: string }[] = []) {
  const piece = aSummary({ id: "a", title: "Sowing", ...parts });
  const calls = mockApi({
    "GET /api/wordpress/categories": () => ({ json: categories }),
    "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
  });
  const { user } = renderScreen(<PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />);
  await user.click(screen.getByRole("button", { name: "Actions for Sowing" }));
  const menu = within(await screen.findByRole("menu"));
  return { user, menu, bodies: () => calls.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

const hint = () => screen.queryByText("New on your site: it is created when you publish.");

it("publishes into a category chosen in a dialog, which then closes", async () => {
  const { user, menu, bodies } = await openMenu();
  await user.click(menu.getByRole("menuitem", { name: "Publish with Category" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Publish with Category" }));
  expect(dialog.getByRole("combobox", { name: "Category" })).toHaveTextContent("Seeds");
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
  expect(bodies()).toEqual([{ categoryName: "Seeds" }]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

it.each([
  ["is new where the site has no category of this name", "Guides", true],
  ["is not new where the site has one, whatever its case", "seeds", false],
])("says that the topic's name %s", async (_when, name, isNew) => {
  const { user, menu } = await openMenu({}, [{ id: 21, name }]);
  await user.click(menu.getByRole("menuitem", { name: "Publish with Category" }));
  await screen.findByRole("dialog");
  await waitFor(() => expect(screen.queryByText("Loading the categories of your site")).not.toBeInTheDocument());
  expect(hint() !== null).toBe(isNew);
});

it("updates a published piece, and links to its post", async () => {
  const { user, menu, bodies } = await openMenu({ status: "wp_published", wpPermalink: "https://blog.example.com/s" });
  expect(menu.queryByRole("menuitem", { name: "Publish with Category" })).not.toBeInTheDocument();
  expect(menu.getByRole("menuitem", { name: "Open the post" })).toHaveAttribute("href", "https://blog.example.com/s");
  await pressAndConfirm(user, menu.getByRole("menuitem", { name: "Update" }));
  expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
  expect(bodies()).toHaveLength(1);
});

function RowOfPiece() {
  const [status, setStatus] = useState<ContentSummary["status"]>("draft");
  const piece = aSummary({ id: "a", title: "Sowing", status });
  return (
    <>
      <PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />
      <button type="button" onClick={() => setStatus("wp_published")}>
        Published elsewhere
      </button>
    </>
  );
}

it("keeps the focus on its first entry when the piece is published while the menu is open", async () => {
  mockApi({ "GET /api/wordpress/categories": () => ({ json: [] }) });
  const { user } = renderScreen(<RowOfPiece />);
  await user.click(screen.getByRole("button", { name: "Actions for Sowing" }));
  const entry = await screen.findByRole("menuitem", { name: "Publish with Category" });
  act(() => entry.focus());
  fireEvent.click(screen.getByText("Published elsewhere"));
  expect(screen.getByRole("menuitem", { name: "Update" })).toHaveFocus();
});
