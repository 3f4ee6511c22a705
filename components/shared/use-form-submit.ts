"use client";

import { type FormEvent, useRef, useState } from "react";
import type { z } from "zod";
import { fieldErrorsOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";

/** `onCancel`: nothing was sent after all. */
type MutateOptions = { onSuccess: () => void; onError: (error: Error) => void; onCancel: () => void };

/**
 * Validates a form with its schema and sends it; once it has succeeded it sends nothing more. `errors` has the fields that
 * either the schema or the server rejected.
 */
export function useFormSubmit<S extends z.ZodType>(
  schema: S,
  mutate: (input: z.output<S>, options: MutateOptions) => void,
  onSuccess: () => void,
) {
  const [errors, setErrors] = useState<FieldErrors>({});
  // A second submit can come before the button is pending, and while the dialog closes.
  const isSent = useRef(false);

  function submit(
    event: FormEvent<HTMLFormElement>,
    values: unknown = Object.fromEntries(new FormData(event.currentTarget)),
  ) {
    event.preventDefault();
    if (isSent.current) return;
    const parsed = parseForm(schema, values);
    setErrors(parsed.errors ?? {});
    if (!parsed.data) return focusFirstError(event.currentTarget);
    isSent.current = true;
    mutate(parsed.data, { onSuccess, onError: fail, onCancel: cancel });
  }

  function cancel() {
    isSent.current = false;
  }

  function fail(error: Error) {
    cancel();
    setErrors(fieldErrorsOf(error));
  }

  return { submit, errors };
}
