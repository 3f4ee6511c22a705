import type { z } from "zod";
import { fieldMessages } from "@/lib/utils/zod-sentences";

/** Sentences by field name. */
export type FieldErrors = Record<string, string[] | undefined>;

export type Typed<T> = { data: T; errors: null } | { data: null; errors: FieldErrors };

/** Parses what a user typed with the schema of the call: its data, or a list of sentences per field. */
export function parseForm<S extends z.ZodType>(schema: S, values: unknown): Typed<z.output<S>> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return { data: parsed.data, errors: null };
  return { data: null, errors: fieldMessages(parsed.error.issues).fields };
}

/** Frames to wait for a field to be marked: after a call React may render late. */
const MAX_FRAMES = 30;

/** Focuses the first invalid field once it is marked. */
export function focusFirstError(form: HTMLFormElement | null): void {
  let frames = 0;
  requestAnimationFrame(function look() {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    frames += 1;
    if (field) field.focus();
    else if (frames < MAX_FRAMES) requestAnimationFrame(look);
  });
}
