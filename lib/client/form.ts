import type { z } from "zod";
import { sentencesOf } from "@/lib/utils/zod-sentences";

/** Sentences by field name. */
export type FieldErrors = Record<string, string[] | undefined>;

export type Typed<T> = { data: T; errors: null } | { data: null; errors: FieldErrors };

/** What a person typed, held against the schema of the call: its data, or one list of sentences a field. */
export function parseForm<S extends z.ZodType>(schema: S, values: unknown): Typed<z.output<S>> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return { data: parsed.data, errors: null };
  return { data: null, errors: sentencesOf(parsed.error.issues).fields };
}

/** Frames to wait for a field to be marked: after a call React draws when it finds the time. */
const MOST_FRAMES = 30;

/** Moves the focus to the first field that is wrong, once it has been marked. */
export function focusFirstError(form: HTMLFormElement | null): void {
  let frames = 0;
  requestAnimationFrame(function look() {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    frames += 1;
    if (field) field.focus();
    else if (frames < MOST_FRAMES) requestAnimationFrame(look);
  });
}
