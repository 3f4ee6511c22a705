import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { api } from "@/lib/client/api";
import { setAnswer } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast } from "@/lib/client/toast";
import type { UserOut } from "@/lib/features/account/schema";
import type { ChangeAccountInput } from "@/lib/features/account/settings/schema";

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
