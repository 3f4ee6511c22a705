import "server-only";
import { redirect } from "next/navigation";
import { safeNextPath } from "@/lib/auth/next-path";
import type { ActionResult } from "@/lib/transport/action";
import { type FormState, INITIAL_FORM_STATE } from "@/lib/transport/form-state";

/**
 * A server action for forms posted without JavaScript. Success redirects to the form's `next` (own paths only), or
 * stays in place as `leads` says; failure returns what was typed, never a secret.
 */
export function formAction(
  action: (input: unknown) => Promise<ActionResult<unknown>>,
  { typed, secret = [], leads = "to next" }: { typed: string[]; secret?: string[]; leads?: "to next" | "nowhere" },
): (previous: FormState, form: FormData) => Promise<FormState> {
  return async (_previous, form) => {
    const result = await action(textsOf(form, [...typed, ...secret]));
    if (!result.ok) return { typed: textsOf(form, typed), done: false, failure: result.error };
    return leads === "nowhere" ? { ...INITIAL_FORM_STATE, done: true } : redirect(safeNextPath(formText(form, "next")));
  };
}

function textsOf(form: FormData, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, formText(form, name)]));
}

/** Returns an empty text for what our forms never send: a file, a repeated field, or no form at all. */
export function formText(form: unknown, name: string): string {
  const [value, ...others] = form instanceof FormData ? form.getAll(name) : [];
  return typeof value === "string" && others.length === 0 ? value : "";
}
