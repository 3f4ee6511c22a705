/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { PieceRow } from "@/components/publishing/piece-row";
import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATUSES } from "@/lib/features/content/states";
import type { Publishing } from "@/lib/features/publishing/client";
import { aReview, aSummary } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

// What a row shows and offers, in every state of its piece.

const LABELS: Record<string, string> = { wp_published: "Published", wp_draft: "Draft", wp_failed: "Failed" };

const idle: Publishing = { bulk: null, pieceIds: new Set(), isBusy: false };

function openRow(parts: Partial<ContentSummary>, publishing: Publishing = idle, losses?: number) {
  const review = losses === undefined ? undefined : aReview({ losses });
  mockApi({});
  const piece = aSummary({ id: "a", title: "Sowing", ...parts });
  const columns = { withTopic: false, topicNameOf: () => "Seeds" };
  return renderScreen(
    <table>
      <tbody>
        <PieceRow
          ref={null}
          index={0}
          place={0}
          columns={columns}
          piece={piece}
          review={review}
          publishing={publishing}
          checked={false}
          onCheck={() => undefined}
        />
      </tbody>
    </table>,
  );
}

const buttonNames = () =>
  screen.queryAllByRole("button", { name: /^(Update|Publish with Category)$/ }).map(({ textContent }) => textContent);

it.each(CONTENT_STATUSES)("offers the right action for %s", async (status) => {
  const offer = status === "wp_published" ? "Update" : "Publish with Category";
  const { user } = openRow({ status });
  const cells = within(screen.getByRole("row"));
  expect(cells.getByText(LABELS[status] ?? "Not Published")).toBeVisible();
  expect(buttonNames()).toEqual([offer]);
  expect(screen.getByRole("button", { name: offer })).toBeEnabled();
  await user.click(screen.getByRole("button", { name: "Actions for Sowing" }));
  const menu = within(await screen.findByRole("menu"));
  expect(menu.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual([offer]);
});

it.each([
  ["a bulk run is under way", { ...idle, bulk: "publish_all" as const, isBusy: true }],
  ["the piece is being published", { ...idle, pieceIds: new Set(["a"]), isBusy: true }],
])("offers nothing while %s", async (_when, publishing) => {
  for (const status of ["draft", "wp_published"] as const) {
    const { user, unmount } = openRow({ status }, publishing);
    const button = screen.getByRole("button", { name: /^(Update|Publish with Category)$/ });
    expect(button.matches(":disabled, [aria-disabled=true]")).toBe(true);
    await user.click(screen.getByRole("button", { name: "Actions for Sowing" }));
    const item = within(await screen.findByRole("menu")).getByRole("menuitem");
    expect(item).toHaveAttribute("aria-disabled", "true");
    unmount();
  }
});

it.each([
  [1, "1 thing will not appear"],
  [2, "2 things will not appear"],
  [100, "At least 100 things will not appear"],
])("says what readers will not get of the text, and leads to it: %p", (losses, words) => {
  openRow({}, idle, losses);
  expect(screen.getByRole("link", { name: words })).toHaveAttribute("href", "/content/a?tab=preview");
});

it.each([0, undefined])("says nothing of a text of which everything appears or is not known: %p", (losses) => {
  openRow({}, idle, losses);
  expect(screen.queryByText(/not appear/)).not.toBeInTheDocument();
});

it.each([true, false])("says whether the text is newer here: %s", (isNewerHere) => {
  openRow({ status: "wp_published", isNewerHere });
  expect(screen.queryAllByText("Newer here")).toHaveLength(Number(isNewerHere));
});
