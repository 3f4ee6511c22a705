import { useMutation, useQueryClient } from "@tanstack/react-query";
import { actionData } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { saveSettingsAction } from "@/lib/features/account/actions";
import type { SettingsInput } from "@/lib/features/account/schema";

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
