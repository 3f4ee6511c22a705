/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { TopicContentRow } from "@/components/content/topic-content-row";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { answerCalls, closeToast, renderScreen } from "@/tests/support/render";

function open() {
  const calls = answerCalls({
    [`PATCH /api/content/${PIECE_ID}`]: (body) => ({ json: aPiece(body as object) }),
    [`DELETE /api/content/${PIECE_ID}`]: () => ({ status: 204 }),
  });
  const { user } = renderScreen(<TopicContentRow ref={null} index={0} piece={aSummary()} />);
  return { user, calls };
}

async function editTitle(user: ReturnType<typeof open>["user"], typed: string) {
  await user.click(screen.getByRole("button", { name: "Edit title: Bottom watering, explained" }));
  const field = screen.getByRole("textbox", { name: "Content title" });
  await user.clear(field);
  await user.type(field, typed);
}

it("opens the editor by its title", () => {
  open();
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toHaveAttribute(
    "href",
    `/content/${PIECE_ID}`,
  );
});

it("saves the trimmed title with Enter and goes back to the row", async () => {
  const { user, calls } = open();
  await editTitle(user, "  Watering from below {Enter}");
  expect(await screen.findByText("Content title updated successfully")).toBeVisible();
  expect(calls).toEqual([
    { method: "PATCH", url: `/api/content/${PIECE_ID}`, body: { title: "Watering from below", version: 4 } },
  ]);
  await waitFor(() => expect(screen.getByRole("button", { name: /^Edit title/ })).toHaveFocus());
});

it("does not save a blank title, and leaves with Escape", async () => {
  const { user, calls } = open();
  await editTitle(user, "   {Enter}");
  expect(screen.getByRole("textbox", { name: "Content title" })).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
  expect(calls).toEqual([]);
});

it("keeps what was typed when the save fails", async () => {
  const { user } = open();
  answerCalls({ [`PATCH /api/content/${PIECE_ID}`]: () => ({ status: 500, json: {} }) });
  await editTitle(user, "Other{Enter}");
  expect(await screen.findByText("Error updating content")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Content title" })).toHaveValue("Other");
});

it("deletes after the question", async () => {
  const { user, calls } = open();
  await user.click(screen.getByRole("button", { name: "Delete Bottom watering, explained" }));
  const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this content?" });
  expect(dialog).toHaveTextContent("This action cannot be undone. This will permanently delete the content.");
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Content deleted successfully")).toBeVisible();
  expect(calls.map(({ method }) => method)).toEqual(["DELETE"]);
});

it("saves over a text that was written meanwhile, but not over another title", async () => {
  const { user } = open();
  const current = aPiece({ version: 9 });
  const conflict = (piece: typeof current) => ({
    status: 409,
    json: { error: "This piece was changed elsewhere.", type: "VERSION_CONFLICT", requestId: "r", current: piece },
  });
  const url = `PATCH /api/content/${PIECE_ID}`;
  const calls = answerCalls({
    [url]: (body) =>
      (body as { version: number }).version === 9 ? { json: aPiece(body as object) } : conflict(current),
  });
  await editTitle(user, "Watering from below{Enter}");
  expect(await screen.findByText("Content title updated successfully")).toBeVisible();
  expect(calls.map(({ body }) => (body as { version: number }).version)).toEqual([4, 9]);

  await closeToast("Content title updated successfully");
  answerCalls({ [url]: () => conflict(aPiece({ version: 9, title: "Renamed in another tab" })) });
  await editTitle(user, "Mine{Enter}");
  expect(await screen.findByText("This piece was changed elsewhere.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Content title" })).toHaveValue("Mine");
});
