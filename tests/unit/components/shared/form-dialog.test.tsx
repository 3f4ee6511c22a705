/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { FormDialog } from "@/components/shared/form-dialog";
import { DialogClose } from "@/components/ui/dialog";
import { api } from "@/lib/client/api";
import { mockApi, renderScreen, renderSignedIn, SIGNED_OUT } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ usePathname: () => window.location.pathname }));
jest.mock("@/lib/client/load-page", () => ({ loadPage: jest.fn() }));

function Example({ hasTraits = false }: { hasTraits?: boolean }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <FormDialog open={isOpen} onOpenChange={setOpen} title="Add Topic" description="About it">
      <form data-changed={hasTraits || undefined}>
        <input aria-label="Name" defaultValue="Slugs" />
        <DialogClose>Cancel</DialogClose>
        <button type="button" onClick={() => setOpen(false)}>
          Saved
        </button>
      </form>
    </FormDialog>
  );
}

function ExampleWithDraft({ draftName }: { draftName?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <FormDialog open={isOpen} onOpenChange={setOpen} title="Add Topic" description="About it" draftName={draftName}>
        <form>
          <input aria-label="Name" name="name" defaultValue="Slugs" />
          <textarea aria-label="Description" name="description" defaultValue="As it was" />
          <input aria-label="Category" name="category" />
          <input aria-label="Password" name="password" type="password" />
        </form>
      </FormDialog>
    </>
  );
}

function dialog() {
  return screen.queryByRole("dialog", { name: "Add Topic" });
}

async function question() {
  return screen.findByRole("alertdialog", { name: "Discard what you typed?" });
}

it("closes at once while nothing has changed", async () => {
  const { user } = renderScreen(<Example />);
  await user.type(screen.getByLabelText("Name"), "x{Backspace}");
  await user.keyboard("{Escape}");
  expect(dialog()).toBeNull();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("asks before it discards what was typed, and keeps it on request", async () => {
  const { user } = renderScreen(<Example />);
  await user.type(screen.getByLabelText("Name"), " in wet years");
  await user.keyboard("{Escape}");
  expect(await question()).toHaveTextContent("It has not been saved");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(screen.getByLabelText("Name")).toHaveValue("Slugs in wet years");

  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await question();
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect(dialog()).toBeNull();
});

it("asks about changes outside its fields too", async () => {
  const { user } = renderScreen(<Example hasTraits />);
  await user.keyboard("{Escape}");
  expect(await question()).toBeVisible();
});

it("makes the browser ask while something typed would be lost", async () => {
  const { user } = renderScreen(<Example />);
  expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  await user.type(screen.getByLabelText("Name"), "!");
  expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
});

it("closes without a question after saving", async () => {
  const { user } = renderScreen(<Example />);
  await user.type(screen.getByLabelText("Name"), " in wet years");
  await user.click(screen.getByRole("button", { name: "Saved" }));
  expect(dialog()).toBeNull();
});

describe("when the session ends", () => {
  afterEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  async function endSession(draftName?: string) {
    mockApi({ "GET /api/queue/status": () => SIGNED_OUT });
    const { user, unmount } = renderSignedIn(<ExampleWithDraft draftName={draftName} />);
    await user.click(screen.getByRole("button", { name: "Open" }));
    await user.type(screen.getByLabelText("Name"), " in wet years");
    await user.type(screen.getByLabelText("Category"), "Pests");
    await user.type(screen.getByLabelText("Password"), "a calm desk");
    await act(() => expect(api("GET", "/api/queue/status")).rejects.toMatchObject({ status: 401 }));
    const notice = await screen.findByRole("alertdialog", { name: "Your session has ended" });
    return { unmount, sentence: notice.textContent, user };
  }

  it("keeps what was typed for the same dialog, except passwords, and says where to find it", async () => {
    const { unmount, sentence } = await endSession("topic:new:3");
    expect(sentence).toContain("It is kept in this browser");
    expect(JSON.stringify({ ...localStorage })).not.toContain("calm desk");
    unmount();

    const { user } = renderSignedIn(<ExampleWithDraft draftName="topic:new:3" />);
    expect(await screen.findByText(/^Open “Add Topic” again/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Open" }));
    expect(screen.getByLabelText("Name")).toHaveValue("Slugs in wet years");
    expect(screen.getByLabelText("Description")).toHaveValue("As it was");
    expect(screen.getByLabelText("Category")).toHaveValue("Pests");
    expect(screen.getByLabelText("Password")).toHaveValue("");
    // The restored text still counts as unsaved.
    await user.keyboard("{Escape}");
    expect(await question()).toBeVisible();
  });

  it("keeps what must not be stored on the page alone, and offers a sign-in in a new tab", async () => {
    const { sentence, user } = await endSession();
    expect(sentence).toContain("this browser cannot keep it");
    expect(localStorage).toHaveLength(0);
    expect(screen.getByRole("link", { name: "Sign In in a New Tab" })).toHaveAttribute("target", "_blank");
    await user.click(screen.getByRole("button", { name: "Stay Here" }));
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(screen.getByLabelText("Name")).toHaveValue("Slugs in wet years");
  });
});
