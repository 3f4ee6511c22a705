import "server-only";
import { redirect } from "next/navigation";
import type { ActionResult } from "@/lib/transport/action";
import { ownPath } from "@/lib/utils/own-path";
import { NOT_POSTED, type PostedForm } from "@/lib/utils/posted-form";

/**
 * A server action as a form calls it that the browser posts without a script. A success leads to the form's `next`, own
 * paths only, or is told in place when `leads` says so; a failure comes back with what was typed, never with a secret.
 */
export function postedForm(
  action: (input: unknown) => Promise<ActionResult<unknown>>,
  { typed, secret = [], leads = "to next" }: { typed: string[]; secret?: string[]; leads?: "to next" | "nowhere" },
): (previous: PostedForm, form: FormData) => Promise<PostedForm> {
  return async (_previous, form) => {
    const result = await action(textsOf(form, [...typed, ...secret]));
    if (!result.ok) return { typed: textsOf(form, typed), done: false, failure: result.error };
    return leads === "nowhere" ? { ...NOT_POSTED, done: true } : redirect(ownPath(textOf(form, "next")));
  };
}

function textsOf(form: FormData, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
}

/** Empty for what our form never sends, which anybody may: a file, a field twice, or no form at all. */
export function textOf(form: unknown, name: string): string {
  const [value, ...others] = form instanceof FormData ? form.getAll(name) : [];
  return typeof value === "string" && others.length === 0 ? value : "";
}
