import { useMutation } from "@tanstack/react-query";
import { NO_ANSWER, publicActionData } from "@/lib/client/api";
import { toastUnlessFieldError } from "@/lib/client/toast";
import { confirmResetAction } from "@/lib/features/account/reset/actions";
import type { ResetConfirmInput } from "@/lib/features/account/reset/schema";

/** Sets the new password with the token of a mailed link. The form shows field errors, the link's among them. */
export function useConfirmReset() {
  return useMutation({
    mutationFn: (input: ResetConfirmInput) => publicActionData(confirmResetAction(input)),
    onError: (error) => toastUnlessFieldError(error, { title: "Password reset failed", fallback: NO_ANSWER }),
  });
}
