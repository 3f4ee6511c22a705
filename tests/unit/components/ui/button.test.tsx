/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Button } from "@/components/ui/button";

it("keeps its name and focus while pending, but does not submit its form, not even on Enter", async () => {
  const onClick = jest.fn();
  const onSubmit = jest.fn((event: React.FormEvent) => event.preventDefault());
  const form = (pending: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Title" />
      <Button type="submit" pending={pending} onClick={onClick}>
        Save
      </Button>
    </form>
  );
  const user = userEvent.setup();
  const { rerender } = render(form(false));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSubmit).toHaveBeenCalledTimes(1);

  rerender(form(true));
  const button = screen.getByRole("button", { name: "Save" });
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-busy", "true");
  await user.click(button);
  await user.type(screen.getByLabelText("Title"), "x{Enter}");
  expect(onSubmit).toHaveBeenCalledTimes(1);
  expect(onClick).toHaveBeenCalledTimes(1);
});

it("shows a spinner in the place of its icon while pending, and keeps its words", () => {
  const button = (pending: boolean) => (
    <Button pending={pending}>
      Next
      <svg aria-hidden="true" data-testid="icon" />
    </Button>
  );
  const { rerender } = render(button(false));
  rerender(button(true));
  expect(screen.queryByTestId("icon")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Next" }).lastChild).toHaveAttribute("data-slot", "spinner");
  expect(screen.getByText("Next")).toBeVisible();
});

it("does not submit a form by default", async () => {
  const onSubmit = jest.fn((event: React.FormEvent) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button>Add</Button>
    </form>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(onSubmit).not.toHaveBeenCalled();
});
