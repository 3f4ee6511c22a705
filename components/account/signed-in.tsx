"use client";

import type { ReactNode } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { Spinner } from "@/components/ui/spinner";

/** The screens of a signed-in person; a spinner while it is not known who is here, and on the way out. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  if (user) return children;
  return (
    <div className="grid min-h-dvh place-items-center text-muted-foreground">
      <Spinner label="Loading" className="size-6" />
    </div>
  );
}
