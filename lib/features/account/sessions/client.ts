import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import type { SessionOut } from "@/lib/features/account/sessions/schema";

/** Signs out everywhere else: only this session stays in the list. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<void>("DELETE", "/api/user/sessions"),
    onSuccess: () => {
      client.setQueryData<SessionOut[]>(keys.sessions(), (list) => list?.filter(({ current }) => current));
      toast({
        title: "Signed out everywhere else",
        description: "Every other session has ended.",
        subject: "sessions",
      });
    },
    onError: (error) =>
      toastError(error, {
        fallback: "The other sessions may still be open: the server did not answer. Try again.",
        subject: "sessions",
      }),
  });
}
