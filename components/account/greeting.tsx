"use client";

import { LogOut } from "lucide-react";
import { useAuth } from "@/components/account/auth-provider";
import { useLogout } from "@/components/account/use-logout";
import { Button } from "@/components/ui/button";

/** The header of the home page, with Logout. */
export function Greeting() {
  const { user } = useAuth();
  const { logout, pending, dialog } = useLogout();
  return (
    <header className="flex items-start justify-between gap-3">
      <h1 className="wrap-anywhere min-w-0 text-balance font-medium font-serif text-xl tracking-[-0.011em] pt-1 max-md:pt-1.5">
        Welcome, {user?.username}
      </h1>
      <Button variant="ghost" pending={pending} onClick={logout} className="-mr-3.5">
        <LogOut aria-hidden="true" />
        Logout
      </Button>
      {dialog}
    </header>
  );
}
