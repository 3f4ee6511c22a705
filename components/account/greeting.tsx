"use client";

import { LogOut } from "lucide-react";
import { useAuth } from "@/components/account/auth-provider";
import { useLogout } from "@/components/account/use-logout";
import { PageHeader } from "@/components/shared/page-header";
import { Button } from "@/components/ui/button";

/** The head of the home page. */
export function Greeting() {
  const { user } = useAuth();
  const { logout, pending } = useLogout();
  return (
    <PageHeader
      size="large"
      title={`Welcome, ${user?.username ?? ""}`}
      actions={
        <Button variant="ghost" pending={pending} onClick={logout} className="-mr-3.5">
          <LogOut aria-hidden="true" strokeWidth={1.75} />
          Logout
        </Button>
      }
    />
  );
}
