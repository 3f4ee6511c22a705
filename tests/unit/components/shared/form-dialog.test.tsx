/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { useState } from "react";
import { FormDialog } from "@/components/shared/form-dialog";
import { DialogClose } from "@/components/ui/dialog";
import { renderScreen } from "@/tests/support/render";

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

function dialog() {
  return screen.queryByRole("dialog", { name: "Add Topic" });
}

async function question() {
  return screen.findByRole("alertdialog", { name: "Discard what you typed?" });
}

it("closes at once while it holds what it began with", async () => {
  const { user } = renderScreen(<Example />);
  await user.type(screen.getByLabelText("Name"), "x{Backspace}");
  await user.keyboard("{Escape}");
  expect(dialog()).toBeNull();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("asks before it closes over what was typed, and keeps it when told to", async () => {
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

it("asks for what is kept in no field too", async () => {
  const { user } = renderScreen(<Example hasTraits />);
  await user.keyboard("{Escape}");
  expect(await question()).toBeVisible();
});

it("asks the browser to ask, while something typed would be lost", async () => {
  const { user } = renderScreen(<Example />);
  expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  await user.type(screen.getByLabelText("Name"), "!");
  expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
});

it("is closed without a question by whoever has saved", async () => {
  const { user } = renderScreen(<Example />);
  await user.type(screen.getByLabelText("Name"), " in wet years");
  await user.click(screen.getByRole("button", { name: "Saved" }));
  expect(dialog()).toBeNull();
});
