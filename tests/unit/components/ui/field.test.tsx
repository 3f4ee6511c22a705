/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

it("ties label and hint to its control", () => {
  render(
    <Field label="Title" hint="Up to 200 characters.">
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText("Title");
  expect(input).toHaveAccessibleDescription("Up to 200 characters.");
  expect(input).not.toHaveAttribute("aria-invalid");
});

it("shows the first sentence of what is wrong in place of the hint, and marks the control", () => {
  render(
    <Field label="Title" hint="Up to 200 characters." error={["Too long.", "Really."]}>
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText("Title");
  expect(input).toBeInvalid();
  expect(input).toHaveAccessibleDescription("Too long.");
  expect(screen.queryByText("Up to 200 characters.")).not.toBeInTheDocument();
});

it("hands its attributes to a control that lies deeper", () => {
  render(
    <Field label="Interests" error="Too many.">
      {(control) => (
        <div>
          <Input {...control} />
        </div>
      )}
    </Field>,
  );
  expect(screen.getByLabelText("Interests")).toHaveAccessibleDescription("Too many.");
});
