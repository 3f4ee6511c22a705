import { useState } from "react";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { toastError } from "@/lib/client/toast";
import { useChangeAccount } from "@/lib/features/account/client";
import type { ChangeAccountInput, UserOut } from "@/lib/features/account/schema";

const loadChangeAccountInput = () =>
  import("@/lib/features/account/schema").then((schema) => schema.changeAccountInput);

type Sending = {
  /** Must the current password be among the values? */
  mustProve: boolean;
  onSaved: (user: UserOut) => void;
};

/**
 * Checks and sends a change of the account. `errors` has what is wrong by field, and the first such field gets the focus;
 * a failure that belongs to no field is told as a notification.
 */
export function useAccountChange(saved: { title: string; description: string }) {
  const change = useChangeAccount(saved);
  const { check, isChecking, warm } = useFormCheck(loadChangeAccountInput);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function send(form: HTMLFormElement, values: ChangeAccountInput, { mustProve, onSaved }: Sending) {
    const typed = await check(values);
    if (!typed) return;
    const missing = mustProve && !values.currentPassword ? { currentPassword: ["Enter your current password."] } : null;
    setErrors({ ...typed.errors, ...missing });
    if (!typed.data || missing) return focusFirstError(form);
    change.mutate(typed.data, {
      onSuccess: onSaved,
      onError: (error) => {
        const fields = fieldsOf(error, mustProve);
        setErrors(fields);
        if (Object.keys(fields).length > 0) focusFirstError(form);
        else toastError(error, { fallback: NOT_SAVED, subject: "account" });
      },
    });
  }

  return { send, errors, warm, isPending: isChecking || change.isPending };
}

const NOT_SAVED = "The server did not answer. What you typed is still here; check your connection, then try again.";

/** Too many wrong passwords: the sentence stands where one would type another. */
function fieldsOf(error: unknown, mustProve: boolean): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  if (error.type === "RATE_LIMITED" && mustProve) return { currentPassword: [error.text] };
  return error.fields;
}
