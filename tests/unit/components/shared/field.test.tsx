/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { Field } from "@/components/shared/field";
import { Input } from "@/components/ui/input";

it("ties its label and hint to the control", () => {
  render(
    <Field label="Title" hint="Up to 200 characters.">
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText("Title");
  expect(input).toHaveAccessibleDescription("Up to 200 characters.");
  expect(input).not.toHaveAttribute("aria-invalid");
});

it("shows the first error beside the hint, and marks the control invalid", () => {
  render(
    <Field label="Title" hint="Up to 200 characters." error={["Too long.", "Really."]}>
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText("Title");
  expect(input).toBeInvalid();
  expect(input).toHaveAccessibleDescription("Too long. Up to 200 characters.");
});

it("passes its attributes to a nested control", () => {
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
