/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { apiEvents } from "@/lib/client/event-stream";
import { toasts } from "@/lib/client/toast";
import { openEditor } from "@/tests/support/content-editor";

jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));
jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
afterEach(() => localStorage.clear());

const OUTLINE = "## One\nFirst.\n\n### Inside\nA point.\n\n## Two\nSecond.\nAnother line.\n";
const headings = () =>
  screen.getAllByRole("textbox", { name: /^Heading of section/ }).map((field) => (field as HTMLTextAreaElement).value);

describe("taking back a change of the outline", () => {
  const markdown = () => screen.getByRole("textbox", { name: "Outline" });
  const undo = async (user: UserEvent) => user.click(await screen.findByRole("button", { name: "Undo" }));
  const answer = (text: string) =>
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { text, note: null } };
    });

  async function openMenu(user: UserEvent, section: number, entry: string) {
    await user.click(screen.getByRole("button", { name: new RegExp(`^More for section ${section} of`) }));
    await user.click(await screen.findByRole("menuitem", { name: entry }));
  }

  async function askAbout(user: UserEvent, section: number, choice: string) {
    await screen.findByRole("list", { name: "Sections" });
    await openMenu(user, section, "Rewrite or add with AI…");
    await user.click(await screen.findByRole("radio", { name: choice }));
    await user.click(screen.getByRole("button", { name: "Ask the AI" }));
  }

  it("a removal keeps what was typed into the Markdown since", async () => {
    const { user } = openEditor({ isOutline: true, outline: OUTLINE });
    await screen.findByRole("list", { name: "Sections" });
    await openMenu(user, 1, "Remove");
    await user.click(screen.getByRole("button", { name: "Markdown" }));
    await user.type(markdown(), "Typed since.");
    await undo(user);
    expect(markdown()).toHaveValue(`${OUTLINE}Typed since.`);
  });

  it("the AI's section goes, and what was typed elsewhere since stays", async () => {
    answer("### Inside\nA better point.");
    const { user } = openEditor({ isOutline: true, outline: OUTLINE });
    await askAbout(user, 2, "Rewrite this section");
    await user.click(await screen.findByRole("button", { name: "Use this text" }));
    await user.type(screen.getByRole("textbox", { name: "Heading of section 3 of 3" }), ", too");
    expect(screen.getByDisplayValue("A better point.")).toBeVisible();
    await undo(user);
    await user.click(screen.getByRole("button", { name: "Markdown" }));
    expect(markdown()).toHaveValue(OUTLINE.replace("## Two", "## Two, too"));
  });

  it("an added section goes", async () => {
    answer("## Between\nWhat it must deliver.");
    const { user } = openEditor({ isOutline: true, outline: OUTLINE });
    await askAbout(user, 1, "Add a section after it");
    await user.click(await screen.findByRole("button", { name: "Insert" }));
    expect(headings()).toEqual(["One", "Inside", "Between", "Two"]);
    await undo(user);
    expect(headings()).toEqual(["One", "Inside", "Two"]);
  });

  async function changeAll(user: UserEvent) {
    answer("## Only\nThe AI's.");
    await screen.findByRole("list", { name: "Sections" });
    await user.click(screen.getByRole("button", { name: "Change with AI" }));
    await user.click(await screen.findByRole("button", { name: "Ask the AI" }));
    await user.click(await screen.findByRole("button", { name: "Use this text" }));
    expect(headings()).toEqual(["Only"]);
  }

  it("a whole outline comes back", async () => {
    const { user } = openEditor({ isOutline: true, outline: OUTLINE });
    await changeAll(user);
    await undo(user);
    expect(headings()).toEqual(["One", "Inside", "Two"]);
  });

  it("says so where the same lines were changed since, and changes nothing", async () => {
    const { user } = openEditor({ isOutline: true, outline: OUTLINE });
    await changeAll(user);
    await user.type(screen.getByRole("textbox", { name: "Heading of section 1 of 1" }), " mine");
    await undo(user);
    expect(await screen.findByText(/The same lines were changed since/)).toBeVisible();
    expect(headings()).toEqual(["Only mine"]);
  });

  it("is not offered any more once the editor is left", async () => {
    const { user, unmount } = openEditor({ isOutline: true, outline: OUTLINE });
    await screen.findByRole("list", { name: "Sections" });
    await openMenu(user, 1, "Remove");
    await screen.findByRole("button", { name: "Undo" });
    const withdraw = jest.spyOn(toasts, "withdraw");
    unmount();
    expect(withdraw).toHaveBeenCalledWith("outline change");
  });
});
