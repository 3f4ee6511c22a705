"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { leave } from "@/lib/client/leave-guard";
import { toast, toasts } from "@/lib/client/toast";

/** Signs out and goes to /auth; pending until that page has loaded. */
export function useLogout(): { logout: () => void; pending: boolean } {
  const auth = useAuth();
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  const logout = () => leave(signOut);

  function signOut() {
    startTransition(async () => {
      const { error } = await auth.logout();
      if (error)
        return toast({ title: "Logout failed", description: error, variant: "destructive", subject: "logout" });
      // Queued toasts must not be shown to the next user.
      toasts.clear();
      startTransition(() => router.replace("/auth"));
    });
  }
  return { logout, pending };
}
