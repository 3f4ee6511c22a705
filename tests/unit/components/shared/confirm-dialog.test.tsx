/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { renderScreen } from "@/tests/support/render";

async function open(parts: { pending?: boolean } = {}) {
  const onConfirm = jest.fn();
  const onOpenChange = jest.fn();
  const { user } = renderScreen(
    <ConfirmDialog
      open
      onOpenChange={onOpenChange}
      title="Delete it?"
      description="It will be gone."
      confirmLabel="Delete"
      destructive
      onConfirm={onConfirm}
      {...parts}
    />,
  );
  const dialog = await screen.findByRole("alertdialog", { name: "Delete it?" });
  return { dialog, user, onConfirm, onOpenChange };
}

it("has a name and a description, and focuses Cancel first", async () => {
  const { dialog } = await open();
  expect(dialog).toHaveAccessibleDescription("It will be gone.");
  expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
});

it("closes without confirming on Cancel and on Escape", async () => {
  const { user, onConfirm, onOpenChange } = await open();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.keyboard("{Escape}");
  expect(onOpenChange.mock.calls).toEqual([[false], [false]]);
  expect(onConfirm).not.toHaveBeenCalled();
});

it("confirms once and leaves closing to its parent", async () => {
  const { user, onConfirm, onOpenChange } = await open();
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
  expect(onOpenChange).not.toHaveBeenCalled();
});

it("cannot be confirmed again or closed while pending", async () => {
  const { user, onConfirm, onOpenChange } = await open({ pending: true });
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.keyboard("{Escape}");
  expect(onConfirm).not.toHaveBeenCalled();
  expect(onOpenChange).not.toHaveBeenCalled();
});
