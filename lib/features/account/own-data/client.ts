import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, clearApiState, NO_ANSWER } from "@/lib/client/api";
import { currentUserId } from "@/lib/client/current-user";
import { downloadZip } from "@/lib/client/download";
import { copiesOf, eraseCopies } from "@/lib/client/local-copies";
import { keys } from "@/lib/client/query-keys";
import { stopSaving } from "@/lib/client/sign-out";
import { forgetTab } from "@/lib/client/tab-storage";
import { toast, toastError, toastUnlessFieldError } from "@/lib/client/toast";
import type { DeleteAccountInput } from "@/lib/features/account/own-data/schema";

const EXPORT = ["export"];

/** Is an export running, from any button? */
export function useIsExporting(): boolean {
  return useIsMutating({ mutationKey: EXPORT }) > 0;
}

/** Saves everything the user has as one file. */
export function useExport() {
  return useMutation({
    mutationKey: EXPORT,
    mutationFn: () => downloadZip("/api/user/export"),
    onSuccess: (name) =>
      toast({
        title: "Export saved",
        description: `${name} is where your browser keeps downloads.`,
        subject: "export",
      }),
    onError: (error) =>
      toastError(error, {
        title: "Nothing was exported",
        fallback: error instanceof ApiError ? NO_EXPORT : BROKEN_OFF,
        subject: "export",
      }),
  });
}

const NO_EXPORT = "The export could not be made. Everything you have is still here. Please try again.";

const BROKEN_OFF =
  "The download broke off half way and was not saved. Everything you have is still here. Please try again.";

const DELETION = "deletion";

/** Deletes the account, clears its data from memory and calls `leave`. The form shows field errors. */
export function useDeleteAccount(leave: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: DeleteAccountInput) => api<void>("DELETE", "/api/user", input),
    onSuccess: () => {
      const userId = currentUserId(client);
      stopSaving();
      forgetTab();
      if (userId) void copiesOf(userId).then(eraseCopies);
      clearApiState();
      client.setQueryData(keys.user(), null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] });
      leave();
      const description = "Everything in it is gone. What is on your WordPress site stays there.";
      toast({ title: "Your account was deleted", description, subject: DELETION });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500) {
        return toastUnlessFieldError(error, {
          title: "Your account was not deleted",
          fallback: NO_ANSWER,
          subject: DELETION,
        });
      }
      const description = "The server did not answer. Load this page again to see.";
      toast({ title: "Your account may still be there", description, variant: "destructive", subject: DELETION });
    },
  });
}
