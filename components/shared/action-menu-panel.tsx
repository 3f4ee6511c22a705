"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { MenuPanel } from "@/components/shared/menu-panel";
import { DropdownMenuItem } from "@/components/ui/dropdown-menu";
import { LEADS_BACK } from "@/lib/client/screen-memory";
import { cn } from "@/lib/utils/cn";

/** An entry of a menu: a link with `href`, else a button. */
export type MenuAction = {
  /** Needed if the label changes. */
  id?: string;
  label: string;
  icon?: ReactNode;
  /** A second line. */
  note?: ReactNode;
  href?: string;
  leadsBack?: boolean;
  newWindow?: boolean;
  onSelect?: () => void;
  /** Skipped by the keyboard. */
  disabled?: boolean;
  /** Focusable, so that its note can be read, but does nothing. */
  inert?: boolean;
  destructive?: boolean;
};

/** Loaded when components/shared/action-menu.tsx is first opened. */
export function ActionMenuPanel({
  actions,
  className,
  ...popup
}: PopupProps & { actions: MenuAction[]; className?: string }) {
  return (
    <MenuPanel {...popup} className={className}>
      {actions.map((action) => (
        <ActionItem key={action.id ?? action.label} {...action} />
      ))}
    </MenuPanel>
  );
}

function ActionItem({
  label,
  icon,
  note,
  href,
  leadsBack,
  newWindow,
  onSelect,
  disabled,
  inert,
  destructive,
}: MenuAction) {
  if (href !== undefined) {
    return (
      <DropdownMenuItem asChild>
        {newWindow ? (
          <a href={href} target="_blank" rel="noreferrer">
            {icon}
            {label}
          </a>
        ) : (
          <Link {...(leadsBack ? LEADS_BACK : {})} href={href}>
            {icon}
            {label}
          </Link>
        )}
      </DropdownMenuItem>
    );
  }
  return (
    <DropdownMenuItem
      variant={destructive ? "destructive" : "default"}
      disabled={disabled}
      aria-disabled={disabled || inert || undefined}
      className={cn(inert && "text-muted-foreground")}
      onSelect={inert ? (event) => event.preventDefault() : onSelect}
    >
      {icon}
      <span className={cn(note && "py-1")}>
        {label}
        {note ? <span className="block text-muted-foreground text-xs">{note}</span> : null}
      </span>
    </DropdownMenuItem>
  );
}
