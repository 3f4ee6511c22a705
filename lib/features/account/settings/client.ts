import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { actionData, api, trackCall } from "@/lib/client/api";
import { setAnswer } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import type { UserOut } from "@/lib/features/account/schema";
import { saveSettingsAction } from "@/lib/features/account/settings/actions";
import type { ChangeAccountInput, SettingsInput } from "@/lib/features/account/settings/schema";

/** Saves the API key and the site. The form shows field errors. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SettingsInput) =>
      trackCall({ method: "PATCH", url: "/api/user/settings" }, () => actionData(saveSettingsAction(input))),
    onSuccess: (user) => {
      setAnswer(client, keys.user(), user);
      client.removeQueries({ queryKey: keys.categories() });
      toast({ title: "Success", description: "Your settings have been updated successfully", subject: "settings" });
    },
    onError: (error) =>
      toastError(error, { fallback: "Your settings could not be saved. Please try again.", subject: "settings" }),
  });
}

/**
 * Changes username, e-mail or password, and refreshes what the server rendered: activity, sessions and ways to sign in. The
 * form shows field errors.
 */
export function useChangeAccount(success: { title: string; description: string }) {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (input: ChangeAccountInput) => api<UserOut>("PATCH", "/api/user", input),
    onSuccess: (user) => {
      setAnswer(client, keys.user(), user);
      router.refresh();
      toast({ ...success, subject: "account" });
    },
  });
}
