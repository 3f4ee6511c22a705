/** @jest-environment jsdom */
import { fireEvent, screen, within } from "@testing-library/react";
import { apiEvents } from "@/lib/client/event-stream";
import {
  allButtons,
  button,
  buttonStates,
  inBar,
  OUTLINED,
  openEditorScreen,
  pageBar,
  tab,
} from "@/tests/support/editor-screen";
import { lookAtMarkdown } from "@/tests/support/outline-view";
import { aPiece } from "@/tests/support/pieces";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

lookAtMarkdown();

describe("the Outline tab", () => {
  it("does not open automatically while the body has the focus", async () => {
    const { user, write } = await openEditorScreen();
    await user.click(screen.getByRole("textbox", { name: "Body" }));
    await write("body");
    expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveFocus();
  });

  it("is locked without an outline, and says why", async () => {
    await openEditorScreen();
    expect(tab("Outline")).toHaveAttribute("title", "This piece has no outline yet");
    expect(tab("Outline").querySelector("svg")).not.toBeNull();
  });

  it("is unlocked with an outline", async () => {
    await openEditorScreen(OUTLINED);
    expect(tab("Outline")).not.toHaveAttribute("title");
    expect(tab("Outline").querySelector("svg")).toBeNull();
  });

  it.each([
    ["nothing", null, { write: "ready", save: "ready", generate: "ready" }],
    ["the outline", "outline", { write: "disabled", save: "disabled", generate: "busy" }],
    ["the body", "body", { write: "busy", save: "disabled", generate: "disabled" }],
  ] as const)("sets its buttons while the AI writes %s", async (_what, kind, expected) => {
    const { write } = await openEditorScreen(OUTLINED);
    if (kind) await write(kind);
    // In the page's bar, for phones, and beside the outline.
    expect(buttonStates("Write Content with AI")).toEqual([expected.write, expected.write]);
    expect(buttonStates("Save Outline")).toEqual([expected.save]);
    expect(buttonStates("Generate Outline")).toEqual([expected.generate]);
  });

  it("alone offers to write the content, as the main action on phones", async () => {
    const { user } = await openEditorScreen(OUTLINED);
    expect(inBar("Write Content with AI")).toHaveClass("md:hidden", "max-md:bg-primary");
    expect(inBar("Save Changes")).not.toHaveClass("max-md:bg-primary");
    await user.click(tab("Edit"));
    expect(allButtons("Write Content with AI")).toEqual([]);
    expect(inBar("Save Changes")).not.toHaveClass("max-md:bg-primary");
    await user.type(screen.getByRole("textbox", { name: "Title" }), "!");
    expect(inBar("Save Changes")).toHaveClass("max-md:bg-primary");
    expect(within(pageBar()).queryByText("Write or generate an outline first.")).not.toBeInTheDocument();
  });

  it("explains on phones why a blank outline cannot be written from", async () => {
    const { user } = await openEditorScreen(OUTLINED);
    const hint = () => within(pageBar()).queryByText("Write or generate an outline first.");
    expect(hint()).not.toBeInTheDocument();
    await user.clear(screen.getByRole("textbox", { name: "Outline" }));
    expect(hint()).toBeVisible();
    await user.click(tab("Edit"));
    expect(hint()).not.toBeInTheDocument();
  });

  it.each([
    ["## One", "1 section", null],
    ["## One\n- a", "1 section", "1 point"],
    ["", "0 sections", null],
  ])("counts %j", async (outline, sections, points) => {
    const { user } = await openEditorScreen(OUTLINED);
    const field = screen.getByRole("textbox", { name: "Outline" });
    await user.clear(field);
    if (outline) fireEvent.change(field, { target: { value: outline } });
    expect(screen.getByText(sections)).toBeVisible();
    if (points) expect(screen.getByText(points)).toBeVisible();
    else expect(screen.queryByText(/ points?$/)).not.toBeInTheDocument();
  });
});

describe("the offer of a first outline beside the text", () => {
  it("is disabled while the AI writes the outline", async () => {
    const { chooseEdit, write } = await openEditorScreen();
    await chooseEdit();
    expect([buttonStates("Generate Outline"), buttonStates("Write my own outline")]).toEqual([["ready"], ["ready"]]);
    await write("outline");
    expect([buttonStates("Generate Outline"), buttonStates("Write my own outline")]).toEqual([["busy"], ["disabled"]]);
  });

  it("is absent, without an empty box, for a piece with an outline", async () => {
    const { user, write } = await openEditorScreen(OUTLINED);
    await user.click(tab("Edit"));
    const text = screen.getByRole("tabpanel", { name: "Edit" });
    expect(screen.queryByRole("region", { name: "Outline" })).not.toBeInTheDocument();
    expect(text.parentElement?.nextElementSibling).toBe(screen.getByRole("complementary", { name: "Details" }));
    await write("body");
    expect(screen.getByRole("region", { name: "Writing" })).toBeVisible();
    expect(screen.queryByRole("region", { name: "Outline" })).not.toBeInTheDocument();
  });
});

describe("an outline from the AI", () => {
  const written = aPiece({ ...OUTLINED, outline: "## New", version: 5 });

  async function requestOutline() {
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { message: "Outline generated", outline: written } };
    });
    const opened = await openEditorScreen(OUTLINED);
    await opened.user.click(button("Generate Outline"));
    return { ...opened, dialog: within(screen.getByRole("alertdialog", { name: "Replace the outline?" })) };
  }

  it("replaces the current one only after confirmation", async () => {
    const { user, dialog } = await requestOutline();
    expect(dialog.getByText(/^This piece has an outline already\./)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Outline" })).toHaveValue("## One");
  });

  it("keeps the Outline tab open", async () => {
    const { user, dialog } = await requestOutline();
    await user.click(dialog.getByRole("button", { name: "Generate Outline" }));
    expect(await screen.findByText("Outline generated")).toBeVisible();
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(tab("Outline")).toHaveAttribute("aria-selected", "true");
    expect(screen.getByRole("textbox", { name: "Outline" })).toHaveValue("## New");
  });

  it("opens the Outline tab when it is the first", async () => {
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { message: "Outline generated", outline: written } };
    });
    const { user, chooseEdit } = await openEditorScreen();
    await chooseEdit();
    await user.click(button("Generate Outline"));
    expect(await screen.findByText("Outline generated")).toBeVisible();
    expect(tab("Outline")).toHaveAttribute("aria-selected", "true");
  });
});
