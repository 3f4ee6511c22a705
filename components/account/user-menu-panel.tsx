"use client";

import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { MenuPanel } from "@/components/shared/menu-panel";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from "@/components/ui/dropdown-menu";
import { applyTheme, currentTheme, isTheme } from "@/lib/client/theme";

const THEME_ITEMS = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** Loaded when components/account/user-menu.tsx is first opened. */
export function UserMenuPanel({
  onLogout,
  isLoggingOut,
  ...popup
}: PopupProps & { onLogout: () => void; isLoggingOut: boolean }) {
  return (
    <MenuPanel {...popup} align="start" side="top" className="w-56">
      <DropdownMenuLabel>Theme</DropdownMenuLabel>
      <ThemeChoice />
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={onLogout} disabled={isLoggingOut}>
        <LogOut aria-hidden="true" strokeWidth={1.75} />
        Logout
      </DropdownMenuItem>
    </MenuPanel>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(currentTheme);

  function choose(value: string) {
    if (!isTheme(value)) return;
    applyTheme(value);
    setTheme(value);
  }

  return (
    <DropdownMenuRadioGroup value={theme} onValueChange={choose}>
      {THEME_ITEMS.map(({ value, label, icon: Icon }) => (
        <DropdownMenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
          <Icon aria-hidden="true" strokeWidth={1.75} />
          {label}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}
