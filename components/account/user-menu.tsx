"use client";

import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { useLogout } from "@/components/account/use-logout";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Spinner } from "@/components/ui/spinner";
import { applyTheme, currentTheme, isTheme, type Theme } from "@/lib/client/theme";

const THEME_ITEMS = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** The person at the foot of the sidebar: theme and Logout. */
export function UserMenu() {
  const { user } = useAuth();
  const { logout, pending } = useLogout();
  const [theme, setTheme] = useState<Theme>("system");
  const username = user?.username ?? "";

  function choose(value: string) {
    if (!isTheme(value)) return;
    applyTheme(value);
    setTheme(value);
  }

  return (
    <DropdownMenu onOpenChange={(open) => open && setTheme(currentTheme())}>
      <DropdownMenuTrigger
        aria-label={`Account of ${username}`}
        className="flex w-full min-w-0 items-center gap-3 overflow-hidden rounded-sm p-1.5 text-left hover:bg-sidebar-accent max-md:min-h-11"
      >
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-selected font-medium text-link text-xs"
        >
          {pending ? <Spinner /> : initialsOf(username)}
        </span>
        <span className="truncate">{username}</span>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top" className="w-56">
        <DropdownMenuLabel>Theme</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={theme} onValueChange={choose}>
          {THEME_ITEMS.map(({ value, label, icon: Icon }) => (
            <DropdownMenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
              <Icon aria-hidden="true" strokeWidth={1.75} />
              {label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={logout} disabled={pending}>
          <LogOut aria-hidden="true" strokeWidth={1.75} />
          Logout
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** "MH" of maren.holt. */
function initialsOf(username: string): string {
  const parts = username.split(/[._-]+/).filter(Boolean);
  const letters = parts.length > 1 ? `${parts[0]?.[0]}${parts[1]?.[0]}` : username.slice(0, 2);
  return letters.toUpperCase();
}
