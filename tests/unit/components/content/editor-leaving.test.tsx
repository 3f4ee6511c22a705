/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { openEditor, PATH } from "@/tests/support/content-editor";

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));
beforeEach(() => push.mockClear());

const BODY = "Water from below, not above.";
const body = () => screen.findByRole("textbox", { name: "Body" });
const link = () => screen.getByRole("link", { name: "Spring planting guide" });
const FAILING = { [`PATCH ${PATH}`]: () => ({ status: 503, json: {} }) };

/** Does the browser ask before the page is closed? */
const isAsked = () => act(async () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));

describe("a link inside the app", () => {
  it("saves what is unsaved, and then leads on", async () => {
    const { user, writes } = openEditor();
    await user.type(await body(), "!");
    fireEvent.click(link());
    expect(push).not.toHaveBeenCalled();
    await waitFor(() => expect(push).toHaveBeenCalledWith("/projects/3"));
    expect(writes().map(({ body }) => body)).toEqual([{ body: `${BODY}!`, version: 4 }]);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("asks when that fails, and leaves once confirmed", async () => {
    const { user } = openEditor({}, FAILING);
    await user.type(await body(), "!");
    fireEvent.click(link());
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(await body()).toHaveValue(`${BODY}!`);
    expect(push).not.toHaveBeenCalled();
    fireEvent.click(link());
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    expect(push).toHaveBeenCalledWith("/projects/3");
  });

  it("asks about a blank title, and saves the rest", async () => {
    const { user, writes } = openEditor();
    await user.clear(await screen.findByRole("textbox", { name: "Title" }));
    await user.type(await body(), "!");
    fireEvent.click(link());
    expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
    expect(writes().map(({ body }) => body)).toEqual([{ body: `${BODY}!`, version: 4 }]);
  });
});

describe("closing the page", () => {
  it("sends what is unsaved, and does not ask", async () => {
    const { user, writes } = openEditor();
    await body();
    expect(await isAsked()).toBe(false);
    await user.type(await body(), "!");
    expect(await isAsked()).toBe(false);
    expect(writes().map(({ body }) => body)).toEqual([{ body: `${BODY}!`, version: 4 }]);
    expect(await isAsked()).toBe(false);
  });

  it("asks when saving has failed", async () => {
    const { user } = openEditor({}, FAILING);
    await user.type(await body(), "!");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("Not saved yet")).toBeVisible();
    expect(await isAsked()).toBe(true);
  });

  it("asks about a text that is too long for a browser's last words and has no copy", async () => {
    const { writes } = openEditor();
    fireEvent.change(await body(), { target: { value: "word ".repeat(13_000) } });
    expect(await isAsked()).toBe(true);
    expect(writes()).toEqual([]);
  });
});
