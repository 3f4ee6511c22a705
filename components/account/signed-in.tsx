"use client";

import type { ReactNode } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { Spinner } from "@/components/ui/spinner";

/** Shows its children to a signed-in user; a spinner while the user is loading or signing out. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  if (user) return children;
  return (
    <div className="grid min-h-dvh place-items-center text-muted-foreground">
      <Spinner label="Loading" className="size-6" />
    </div>
  );
}
