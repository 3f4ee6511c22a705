"use client";

import { Ellipsis } from "lucide-react";
import type { MenuAction } from "@/components/shared/action-menu-panel";
import { lazyPopup } from "@/components/shared/lazy-popup";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

const Menu = lazyPopup("menu", () =>
  import("@/components/shared/action-menu-panel").then((module) => module.ActionMenuPanel),
);

/** A "…" button with a menu of actions. */
export function ActionMenu({
  label,
  actions,
  isBusy = false,
  size = "icon-sm",
  variant = "ghost",
  className,
  menuClassName,
}: {
  label: string;
  actions: MenuAction[];
  isBusy?: boolean;
  size?: "icon" | "icon-sm";
  variant?: "ghost" | "outline";
  className?: string;
  menuClassName?: string;
}) {
  return (
    <Menu
      actions={actions}
      className={menuClassName}
      trigger={
        <Button variant={variant} size={size} className={className} aria-label={label} aria-busy={isBusy}>
          {isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
        </Button>
      }
    />
  );
}
