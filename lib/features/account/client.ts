import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, actionData, publicActionData } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { confirmResetAction, saveSettingsAction } from "@/lib/features/account/actions";
import type { ResetConfirmInput, SettingsInput } from "@/lib/features/account/schema";

/** Saves key and site; the user in memory follows. Field errors are the form's to show. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SettingsInput) => actionData(saveSettingsAction(input)),
    onSuccess: (user) => {
      client.setQueryData(keys.user(), user);
      client.removeQueries({ queryKey: keys.categories() });
      toast({ title: "Success", description: "Your settings have been updated successfully" });
    },
    onError: (error) => toastError(error, { fallback: "Your settings could not be saved. Please try again." }),
  });
}

/** Sets the new password with the token of a mailed link. Field errors, the link's among them, are the form's to show. */
export function useConfirmReset() {
  return useMutation({
    mutationFn: (input: ResetConfirmInput) => publicActionData(confirmResetAction(input)),
    onError: (error) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) return;
      toastError(error, { title: "Password reset failed", fallback: NO_ANSWER });
    },
  });
}

const NO_ANSWER = "The server did not answer. Check your connection, then try again.";
