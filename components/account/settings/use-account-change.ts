import { useState } from "react";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { toastError } from "@/lib/client/toast";
import type { UserOut } from "@/lib/features/account/schema";
import { useChangeAccount } from "@/lib/features/account/settings/client";
import type { ChangeAccountInput } from "@/lib/features/account/settings/schema";

const loadChangeAccountInput = () =>
  import("@/lib/features/account/settings/schema").then((schema) => schema.changeAccountInput);

type SendOptions = {
  /** The values must include the current password. */
  needsPassword: boolean;
  onSaved: (user: UserOut) => void;
};

/** Validates and sends an account change. Field errors are in `errors` and focus their field; others become a toast. */
export function useAccountChange(saved: { title: string; description: string }) {
  const change = useChangeAccount(saved);
  const { check, isChecking, warm } = useFormCheck(loadChangeAccountInput);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function send(form: HTMLFormElement, values: ChangeAccountInput, { needsPassword, onSaved }: SendOptions) {
    const parsed = await check(values);
    if (!parsed) return;
    const missing =
      needsPassword && !values.currentPassword ? { currentPassword: ["Enter your current password."] } : null;
    setErrors({ ...parsed.errors, ...missing });
    if (!parsed.data || missing) return focusFirstError(form);
    change.mutate(parsed.data, {
      onSuccess: onSaved,
      onError: (error) => {
        const fields = fieldsOf(error, needsPassword);
        setErrors(fields);
        if (Object.keys(fields).length > 0) focusFirstError(form);
        else toastError(error, { fallback: NOT_SAVED, subject: "account" });
      },
    });
  }

  return { send, errors, warm, isPending: isChecking || change.isPending };
}

const NOT_SAVED = "The server did not answer. What you typed is still here; check your connection, then try again.";

/** After too many wrong passwords, the error is shown at the password field. */
function fieldsOf(error: unknown, needsPassword: boolean): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  if (error.type === "RATE_LIMITED" && needsPassword) return { currentPassword: [error.text] };
  return error.fields;
}
