import { z } from "zod";

/** Sentences by field name. */
export type FieldErrors = Record<string, string[] | undefined>;

/** What a person typed, held against the schema of the call: its data, or one list of sentences a field. */
export function parseForm<S extends z.ZodType>(
  schema: S,
  values: unknown,
): { data: z.output<S>; errors: null } | { data: null; errors: FieldErrors } {
  const parsed = schema.safeParse(values);
  if (parsed.success) return { data: parsed.data, errors: null };
  return { data: null, errors: z.flattenError(parsed.error).fieldErrors as FieldErrors };
}

/** Moves the focus to the first field that is wrong, once it has been marked. */
export function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
