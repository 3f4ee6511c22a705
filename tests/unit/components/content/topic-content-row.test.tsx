/** @jest-environment jsdom */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { TopicContentRow } from "@/components/content/topic-content-row";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { closeToast, mockApi, renderScreen } from "@/tests/support/render";

function open(parts: Parameters<typeof aSummary>[0] = {}) {
  const calls = mockApi({
    [`PATCH /api/content/${PIECE_ID}`]: (body) => ({ json: aPiece(body as object) }),
    [`DELETE /api/content/${PIECE_ID}`]: () => ({ status: 204 }),
  });
  const { user } = renderScreen(<TopicContentRow ref={null} index={0} piece={aSummary(parts)} />);
  return { user, calls };
}

async function editTitle(user: ReturnType<typeof open>["user"], typed: string) {
  await user.click(screen.getByRole("button", { name: "Edit title: Bottom watering, explained" }));
  const field = screen.getByRole("textbox", { name: "Content title" });
  await user.clear(field);
  await user.type(field, typed);
}

it("opens the editor from its title", () => {
  open();
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toHaveAttribute(
    "href",
    `/content/${PIECE_ID}`,
  );
});

it.each([true, false])("says whether the text is newer here: %s", (isNewerHere) => {
  open({ isNewerHere });
  expect(screen.queryAllByText("Newer here")).toHaveLength(Number(isNewerHere));
});

it("saves the trimmed title on Enter, and returns to the row", async () => {
  const { user, calls } = open();
  await editTitle(user, "  Watering from below {Enter}");
  expect(await screen.findByText("Content title updated successfully")).toBeVisible();
  expect(calls).toEqual([
    { method: "PATCH", url: `/api/content/${PIECE_ID}`, body: { title: "Watering from below", version: 4 } },
  ]);
  await waitFor(() => expect(screen.getByRole("button", { name: /^Edit title/ })).toHaveFocus());
});

describe("a title that is being edited", () => {
  const warnsBeforeClosing = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

  it("makes the browser ask before the page closes, once it differs", async () => {
    const { user } = open();
    expect(warnsBeforeClosing()).toBe(false);
    await user.click(screen.getByRole("button", { name: /^Edit title/ }));
    const field = screen.getByRole("textbox", { name: "Content title" });
    expect(field).toHaveFocus();
    expect(warnsBeforeClosing()).toBe(false);
    await user.type(field, "Other");
    expect(warnsBeforeClosing()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(warnsBeforeClosing()).toBe(false);
    await waitFor(() => expect(screen.getByRole("button", { name: /^Edit title/ })).toHaveFocus());
  });

  it("is not sent unchanged", async () => {
    const { user, calls } = open();
    await editTitle(user, " Bottom watering, explained {Enter}");
    expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
    expect(calls).toEqual([]);
  });

  it("stays one line, ignores keys of a composition, and hides Escape from a dialog around it", async () => {
    const { user } = open();
    await user.click(screen.getByRole("button", { name: /^Edit title/ }));
    const field = screen.getByRole("textbox", { name: "Content title" });
    fireEvent.change(field, { target: { value: "Two\nlines" } });
    expect(field).toHaveValue("Two lines");
    expect(fireEvent.keyDown(field, { key: "Enter", isComposing: true })).toBe(true);
    expect(fireEvent.keyDown(field, { key: "Escape", isComposing: true })).toBe(true);
    expect(field).toBeVisible();
    fireEvent.change(field, { target: { value: " " } });
    expect(fireEvent.keyDown(field, { key: "Enter" })).toBe(false);
    expect(field).toBeVisible();
    const outside = jest.fn();
    document.addEventListener("keydown", outside);
    fireEvent.keyDown(field, { key: "a" });
    expect(outside).toHaveBeenCalledTimes(1);
    // A dialog around it would close.
    fireEvent.keyDown(field, { key: "Escape" });
    expect(outside).toHaveBeenCalledTimes(1);
    document.removeEventListener("keydown", outside);
    expect(field).not.toBeInTheDocument();
  });

  it("is saved by its button", async () => {
    const { user, calls } = open();
    await editTitle(user, "Other");
    expect(fireEvent.keyDown(screen.getByRole("textbox", { name: "Content title" }), { key: "Tab" })).toBe(true);
    await user.click(screen.getByRole("button", { name: "Save title" }));
    expect(await screen.findByText("Content title updated successfully")).toBeVisible();
    expect(calls).toHaveLength(1);
  });
});

it("does not save a blank title, and closes on Escape", async () => {
  const { user, calls } = open();
  await editTitle(user, "   {Enter}");
  expect(screen.getByRole("textbox", { name: "Content title" })).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
  expect(calls).toEqual([]);
});

it("keeps what was typed when the save fails", async () => {
  const { user } = open();
  mockApi({ [`PATCH /api/content/${PIECE_ID}`]: () => ({ status: 500, json: {} }) });
  await editTitle(user, "Other{Enter}");
  expect(await screen.findByText("Error updating content")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Content title" })).toHaveValue("Other");
  await user.keyboard("{Escape}");
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
});

it("deletes once confirmed", async () => {
  const { user, calls } = open();
  await user.click(screen.getByRole("button", { name: "Delete Bottom watering, explained" }));
  const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this content?" });
  expect(dialog).toHaveTextContent("This action cannot be undone. This will permanently delete the content.");
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Content deleted successfully")).toBeVisible();
  expect(calls.map(({ method }) => method).filter((method) => method !== "GET")).toEqual(["DELETE"]);
});

it("saves when only the text has changed meanwhile, but not when the title has", async () => {
  const { user } = open();
  const current = aPiece({ version: 9 });
  const conflict = (piece: typeof current) => ({
    status: 409,
    json: { error: "This piece was changed elsewhere.", type: "VERSION_CONFLICT", requestId: "r", current: piece },
  });
  const url = `PATCH /api/content/${PIECE_ID}`;
  const calls = mockApi({
    [url]: (body) =>
      (body as { version: number }).version === 9 ? { json: aPiece(body as object) } : conflict(current),
  });
  await editTitle(user, "Watering from below{Enter}");
  expect(await screen.findByText("Content title updated successfully")).toBeVisible();
  expect(calls.map(({ body }) => (body as { version: number }).version)).toEqual([4, 9]);

  await closeToast("Content title updated successfully");
  mockApi({ [url]: () => conflict(aPiece({ version: 9, title: "Renamed in another tab" })) });
  await editTitle(user, "Mine{Enter}");
  expect(await screen.findByText("This piece was changed elsewhere.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Content title" })).toHaveValue("Mine");
});
