"use client";

import type { ComponentProps } from "react";
import { Field } from "@/components/shared/field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { FieldErrors } from "@/lib/client/form";

/** A new password, with a button to show it. */
export function NewPasswordField({
  isShown,
  onShownChange,
  error,
  hint,
  ...input
}: {
  isShown: boolean;
  onShownChange: (isShown: boolean) => void;
  error: FieldErrors[string];
  hint: string;
} & Omit<ComponentProps<typeof Input>, "type">) {
  return (
    <Field
      label="New password"
      error={error}
      hint={hint}
      action={
        <Button variant="link" size="sm" aria-pressed={isShown} onClick={() => onShownChange(!isShown)}>
          Show password
        </Button>
      }
    >
      <Input
        type={isShown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...input}
      />
    </Field>
  );
}
