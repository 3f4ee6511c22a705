"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { leave } from "@/lib/client/leaving";
import { toast, toasts } from "@/lib/client/toast";

/** Signs out and goes to /auth; pending until that page is there. */
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
      // What still waits to be told is nobody else's business.
      toasts.clear();
      startTransition(() => router.replace("/auth"));
    });
  }
  return { logout, pending };
}
